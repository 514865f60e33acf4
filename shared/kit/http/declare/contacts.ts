import { z } from 'zod';

/*
 * Contact data of people. A field that `contact` declares is masked in the answers and live events of administrators
 * without the right `contacts`, and is marked with `x-contact` in the API reference.
 */

const HIDDEN = '••••';

/** `awa@example.com` as `a…@e….com`. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return HIDDEN;
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const [first = ''] = email;
  const [host = ''] = domain;
  return `${first}…@${host}…${dot === -1 ? '' : domain.slice(dot)}`;
}

/** The last `shown` characters; none of a text of at most `short` characters. */
function maskStart(text: string, short: number, shown: number): string {
  const characters = [...text];
  return characters.length <= short ? HIDDEN : `${HIDDEN} ${characters.slice(-shown).join('')}`;
}

const MASKS = {
  email: maskEmail,
  phone_number: (phone: string) => maskStart(phone, 4, 2),
  account: (account: string) => maskStart(account, 8, 4),
  address: () => '',
};
export type Contact = keyof typeof MASKS;

/** The masked form of a contact. An empty text stays empty. */
export const maskContact = (kind: Contact, text: string): string => (text === '' ? '' : MASKS[kind](text));

const EXAMPLES: Record<Contact, string> = {
  email: 'awa@example.com',
  phone_number: '+22890112233',
  account: '+22890445566',
  address: '12 rue des Cocotiers',
};

/** The key of the declaration in the field's metadata, and so in the API reference. */
export const CONTACT = 'x-contact';

const declared = (kind: Contact) => ({ example: EXAMPLES[kind], [CONTACT]: kind });

/** A text in an answer that is contact data of a person. */
export const contact = (kind: Contact) => z.string().meta(declared(kind));
export const contactOrNull = (kind: Contact) => z.string().nullable().meta(declared(kind));

/** Returns the value with every contact in it masked. The original is not changed. */
export type Mask = (value: unknown) => unknown;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function maskFields(fields: [name: string, mask: Mask][]): Mask {
  return (value) => {
    if (!isObject(value)) return value;
    const masked = { ...value };
    for (const [name, mask] of fields) if (name in masked) masked[name] = mask(masked[name]);
    return masked;
  };
}

const maskItems =
  (mask: Mask): Mask =>
  (value) =>
    Array.isArray(value) ? value.map(mask) : value;

const maskValues =
  (mask: Mask): Mask =>
  (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mask(each)])) : value;

type Definition = {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  items?: z.ZodType[];
  valueType?: z.ZodType;
  out?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
};

/**
 * How to mask an answer of this schema; undefined when it declares no contacts. Throws for contacts in a position that
 * cannot be masked.
 */
export function maskOf(schema: z.ZodType): Mask | undefined {
  const kind = schema.meta()?.[CONTACT] as Contact | undefined;
  if (kind !== undefined) return (value) => (typeof value === 'string' ? maskContact(kind, value) : value);
  const definition = schema._zod.def as Definition;
  if (definition.shape) {
    const fields = Object.entries(definition.shape).flatMap(([name, field]): [string, Mask][] => {
      const mask = maskOf(field);
      return mask ? [[name, mask]] : [];
    });
    return fields.length > 0 ? maskFields(fields) : undefined;
  }
  if (definition.items?.some(maskOf)) throw new Error('contacts in a tuple cannot be masked');
  const item = definition.element && maskOf(definition.element);
  if (item) return maskItems(item);
  const value = definition.valueType && maskOf(definition.valueType);
  if (value) return maskValues(value);
  const { innerType, options = [], out, left, right } = definition;
  // A masked text is masked to itself, so that the masks of all options of a union can be applied.
  const masks = [innerType, out, left, right, ...options].flatMap((part) => (part && maskOf(part)) ?? []);
  return masks.length > 0 ? (given) => masks.reduce((masked, mask) => mask(masked), given) : undefined;
}
