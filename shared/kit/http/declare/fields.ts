import { z } from 'zod';
import { isEmail } from './email.ts';
import { sentences } from '../read/validation.ts';

const INTEGER_TEXT = /^[+-]?\d{1,100}$/;

/** `"12"` as 12; everything else as it is. */
export const wholeNumber = (value: unknown) =>
  typeof value === 'string' && INTEGER_TEXT.test(value) ? Number(value) : value;

/**
 * A whole number within bounds (inclusive). Accepts `"12"`, but not `"1e3"` or `1.5`. A value above `cut` becomes
 * `cut`.
 */
export function integer({ min, max, cut = Infinity }: { min?: number; max?: number; cut?: number } = {}) {
  let schema = z.int();
  if (min !== undefined) schema = schema.min(min);
  if (max !== undefined) schema = schema.max(max);
  return z.preprocess((value) => {
    const number = wholeNumber(value);
    return Number.isInteger(number) && (number as number) > cut ? cut : number;
  }, schema);
}

/** The id of a record. A whole number that cannot be an id is reported like an unknown record. */
export const id = () => {
  const unknown = ({ code }: { code?: string }) => (code === 'invalid_type' ? undefined : sentences.selected);
  return z.preprocess(wholeNumber, z.int({ error: unknown }).min(1));
};

/** Largest single amount, in the smallest unit of the configured currency. */
export const MAX_AMOUNT = 1_000_000_000;

/** An amount in a request: a whole number of the currency's smallest unit, 1 to 1,000,000,000. */
export const amount = () => integer({ min: 1, max: MAX_AMOUNT });

/** Text of at most `max` UTF-16 units. Validation has trimmed it before, except passwords. */
export const text = (max = 255) => z.string().max(max);

const YES: unknown[] = [1, '1', 'true'];
const NO: unknown[] = [0, '0', 'false'];

/** true or false; also 1/0, "1"/"0" and, for query strings and forms, "true"/"false". */
export const flag = () =>
  z.preprocess((value) => YES.includes(value) || (NO.includes(value) ? false : value), z.boolean());

/** Text of at most `max` UTF-16 units for which `fits` returns true. `fits` is not called for a longer text. */
export const formatted = (format: string, max: number, fits: (text: string) => boolean) =>
  z.stringFormat(format, (text) => text.length > max || fits(text)).max(max);

/** An e-mail address of any script. */
export const email = () => formatted('email', 255, isEmail).meta({ example: 'awa@example.com' });

export const uuid = () => z.guid().meta({ format: 'uuid' });

/** A UTC day, `2026-11-20`. There is no year 0, neither in the calendar nor in PostgreSQL. */
export const day = () => z.iso.date().refine((date) => !date.startsWith('0000'), { error: () => sentences.date });

/** An id in a path. Invalid text stands for an unknown record (404), not a 422. */
export const pathId = () =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int().min(1))
    .meta({ example: '12' });

/** `2026-11-20T21:04:06.593904Z`: the format of all timestamps in answers. */
export const timestamp = () =>
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    .meta({ format: 'date-time', example: '2026-11-20T21:04:06.593904Z' });

/** When a record was created and last changed. */
export const times = { created_at: timestamp(), updated_at: timestamp() };

/** The answer of a route that returns only a confirmation. */
export const confirmation = z
  .strictObject({ message: z.string().meta({ example: 'It is done.' }) })
  .meta({ id: 'Confirmation' });

/** The answer of a route that returns nothing: an empty list. */
export const emptyAnswer = z.array(z.never());

/** The body of a refusal. */
export const problem = z
  .object({ code: z.string(), message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })
  .meta({ id: 'Problem' });

/** Picks the fields of a record that the schema has, in the order of the schema. */
export const pickFields = <Schema extends z.ZodObject>(schema: Schema, record: z.input<Schema>): z.input<Schema> =>
  Object.fromEntries(Object.keys(schema.shape).map((name) => [name, record[name]])) as z.input<Schema>;
