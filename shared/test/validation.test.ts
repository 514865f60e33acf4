import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { AppError } from '../kit/errors.ts';
import { email, flag, formatted, id, integer, text, uuid } from '../kit/http/declare/fields.ts';
import { optionalNeverNull, sentences, validate } from '../kit/http/read/validation.ts';

async function refusal(schema: z.ZodObject, input: Record<string, unknown>) {
  const error: unknown = await validate(schema, input).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('it was accepted');
  return { message: error.message, errors: error.errors };
}

describe('the messages of Laravel 10', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['missing', text(), undefined, 'The some field field is required.'],
    ['null', text(), null, 'The some field field is required.'],
    ['empty text', text(), '  ', 'The some field field is required.'],
    ['null where absent means more', optionalNeverNull(integer()), null, 'The some field field is required.'],
    ['empty text where absent means more', optionalNeverNull(integer()), '', 'The some field field is required.'],
    ['a number for text', text(), 5, 'The some field field must be a string.'],
    ['too long', text(3), 'four', 'The some field field must not be greater than 3 characters.'],
    ['too short', z.string().min(8), 'short', 'The some field field must be at least 8 characters.'],
    ['no e-mail', email(), 'x', 'The some field field must be a valid email address.'],
    ['a fraction', integer(), 1.5, 'The some field field must be an integer.'],
    ['an exponent', integer(), '1e3', 'The some field field must be an integer.'],
    ['unicode digits', integer(), '١٢', 'The some field field must be an integer.'],
    ['below the minimum', integer({ min: 1 }), '0', 'The some field field must be at least 1.'],
    ['above the maximum', integer({ max: 9 }), 10, 'The some field field must not be greater than 9.'],
    ['more than a number holds', integer({ max: 9 }), 1e20, 'The some field field must be an integer.'],
    ['no id', id(), 0, 'The selected some field is invalid.'],
    ['a negative id', id(), '-1', 'The selected some field is invalid.'],
    ['an id that is too large', id(), 1e20, 'The selected some field is invalid.'],
    ['a long text of digits for an id', id(), '9'.repeat(20), 'The selected some field is invalid.'],
    ['a word for an id', id(), 'x', 'The some field field must be an integer.'],
    ['no boolean', flag(), 'yes', 'The some field field must be true or false.'],
    ['not in the list', z.enum(['a', 'b']), 'c', 'The selected some field is invalid.'],
    ['no uuid', uuid(), 'x', 'The some field field must be a valid UUID.'],
    ['no list', z.array(integer()).max(9), 'x', 'The some field field must be an array.'],
    ['an empty list', z.array(integer()).min(1).max(9), [], 'The some field field is required.'],
    ['a control character', text(), 'a\u0000b', 'The some field field contains invalid characters.'],
    ['a control character above ASCII', text(), 'a\u0085b', 'The some field field contains invalid characters.'],
  ])('%s', async (_name, field, value, sentence) => {
    const { message, errors } = await refusal(z.object({ some_field: field }), { some_field: value });
    expect([message, errors]).toEqual([sentence, { some_field: [sentence] }]);
  });

  test('name a camelCase field in words, and a list item by its path', async () => {
    const schema = z.object({ pageItems: integer({ min: 1 }), domains: z.array(integer()).max(9) });
    const { errors } = await refusal(schema, { pageItems: 0, domains: ['a'] });
    expect(errors).toEqual({
      pageItems: ['The page items field must be at least 1.'],
      'domains.0': ['The domains.0 field must be an integer.'],
    });
  });

  test('are ordered by list index, whether the schema or a rule refuses the items', async () => {
    const schema = z.object({ list: z.array(integer()).max(20), last: text() });
    const input = { list: Array.from({ length: 12 }, (_, index) => (index === 10 ? 'x' : index)) };
    const error: unknown = await validate(schema, input, async () => [
      [['list', 11], sentences.selected],
      [['list', 2], sentences.selected],
    ]).catch((reason: unknown) => reason);
    expect(Object.keys((error as AppError).errors ?? {})).toEqual(['list.2', 'list.10', 'list.11', 'last']);
    expect((error as AppError).message).toBe('The selected list.2 is invalid. (and 3 more errors)');
  });

  test('are in the order of the schema, including conditional rules', async () => {
    const schema = z
      .object({ name: text(), plan: integer().optional(), platform: z.enum(['student', 'teacher']), last: text() })
      .refine((input) => input.platform !== 'teacher' || input.plan !== undefined, {
        path: ['plan'],
        message: sentences.requiredWhen('platform', 'teacher'),
        when: () => true,
      });
    const { message, errors } = await refusal(schema, { platform: 'teacher' });
    expect(Object.keys(errors ?? {})).toEqual(['name', 'plan', 'last']);
    expect(errors?.['plan']).toEqual(['The plan field is required when platform is teacher.']);
    expect(message).toBe('The name field is required. (and 2 more errors)');
  });
});

describe('validation accepts', () => {
  test.each<[string, z.ZodObject, Record<string, unknown>, unknown]>([
    ['"12" as an integer', z.object({ a: integer() }), { a: '12' }, { a: 12 }],
    ['"1" as true', z.object({ a: flag() }), { a: '1' }, { a: true }],
    ['0 as false', z.object({ a: flag() }), { a: 0 }, { a: false }],
    ['text is trimmed', z.object({ a: text() }), { a: '  b ' }, { a: 'b' }],
    ['passwords are not', z.object({ password: text() }), { password: '  b ' }, { password: '  b ' }],
    ['"" is absent', z.object({ a: text().optional() }), { a: '' }, {}],
    ['absent stays absent where null is refused', z.object({ a: optionalNeverNull(integer()) }), {}, {}],
    ['a value stays where null is refused', z.object({ a: optionalNeverNull(integer()) }), { a: '5' }, { a: 5 }],
    ['"" clears what is nullable', z.object({ a: text().nullable().optional() }), { a: '' }, { a: null }],
    ['unknown fields are ignored', z.object({ a: text() }), { a: 'b', c: 1 }, { a: 'b' }],
    ['newline and tab', z.object({ a: text() }), { a: 'a\n\tb' }, { a: 'a\n\tb' }],
  ])('%s', async (_name, schema, input, output) => {
    expect(await validate(schema, input)).toEqual(output);
  });
});

test.each([
  ['an e-mail address', email(), 255],
  ['another format', formatted('url', 300, () => false), 300],
])('%s that is too long is refused by its length, before its format is checked', async (_name, schema, max) => {
  const error: unknown = await validate(z.object({ a: schema }), { a: 'a.'.repeat(max) }).catch((reason) => reason);
  expect((error as AppError).errors).toEqual({ a: [`The a field must not be greater than ${max} characters.`] });
});

test('the summary is the first message and the number of the others', async () => {
  const shape = { a: integer(), b: text(), c: email(), d: flag() };
  const input = fc.record({ a: fc.anything(), b: fc.anything(), c: fc.anything(), d: fc.anything() });
  await fc.assert(
    fc.asyncProperty(input, async (given) => {
      const error: unknown = await validate(z.object(shape), given).catch((reason: unknown) => reason);
      if (!(error instanceof AppError)) return;
      const all = Object.values(error.errors ?? {}).flat();
      const more = all.length - 1;
      expect(error.message).toBe(
        more === 0 ? all[0] : `${all[0]} (and ${more} more ${more === 1 ? 'error' : 'errors'})`,
      );
    }),
    { numRuns: 300 },
  );
});
