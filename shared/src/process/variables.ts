import { z } from 'zod';

/* Forms of variables that several processes read. What is wrong is said without its value where that may be secret. */

/** A whole number of at least `min` and at most `max`. */
export const whole = (min: number, max = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(min).max(max);

const parses = (text: string, protocols: string[]) => {
  const url = URL.parse(text);
  return url !== null && protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined;
};

/** Where another process answers. */
export const serviceUrl = (protocols = ['http:', 'https:']) =>
  z.string().refine((text) => parses(text, protocols), 'must be an http:// URL');

/** Base of public addresses, without a slash at the end. */
export const publicUrl = () =>
  z
    .string()
    .transform((text) => text.replace(/\/+$/, ''))
    .refine((text) => {
      const url = parses(text, ['http:', 'https:']);
      return url && !url.search && !url.hash && !url.username;
    }, 'must be an http:// or https:// URL')
    .refine((text) => !text.endsWith('/api'), 'is without `/api`: addresses have it after this');

export const postgresUrl = () =>
  z.string().refine((text) => {
    const url = URL.parse(text);
    // A socket's folder stands behind `?host=`.
    return /^postgres(ql)?:$/.test(url?.protocol ?? '') && (url?.hostname || url?.searchParams.get('host'));
  }, 'must be a postgres:// URL with a host');

/** Several servers are separated by commas; the first one has the credentials. */
export const natsUrl = () =>
  z.string().refine((text) => {
    const [first = '', ...others] = text.split(',');
    return parses(first, ['nats:', 'tls:']) && others.every((server) => parses(`nats://${server}`, ['nats:']));
  }, 'must be a nats:// or tls:// URL with a host');

const CURRENCIES = Intl.supportedValuesOf('currency');

export const currency = () =>
  z
    .string()
    .refine((text) => CURRENCIES.includes(text), 'must be the ISO 4217 code of a currency, such as XOF')
    .default('XOF')
    .describe('Currency of all amounts: the same in both');
