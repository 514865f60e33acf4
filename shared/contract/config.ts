import { z } from 'zod';
import * as kit from '../kit/process/config.ts';
import { PROCESSES } from './names.ts';

/* Environment variables that several processes of this system read. */

const TRUSTED_KEYS = kit.trustedKeysOf(PROCESSES);

/** Configuration of every process. */
export const processConfig = kit.processConfig.extend({ TRUSTED_KEYS });

/** Configuration that every service (not the gateway) adds. */
export const serviceConfig = kit.serviceConfig.extend({ TRUSTED_KEYS });

const CURRENCIES = Intl.supportedValuesOf('currency');

export const currency = () =>
  z
    .string()
    .refine((text) => CURRENCIES.includes(text), 'must be the ISO 4217 code of a currency, such as XOF')
    .default('XOF')
    .describe('Currency of all amounts: the same in both');
