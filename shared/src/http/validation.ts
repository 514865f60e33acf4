import type { z } from 'zod';
import { invalid, type FieldErrors } from '../errors.ts';

type Issue = z.core.$ZodIssue;
type Input = Record<string, unknown>;

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `pageItems` and `page_items` read as "page items"; items of a list (`domains.0`) stay raw. */
function attribute(path: string): string {
  if (path.includes('.')) return path;
  return path
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

const TYPE_TEXTS: Record<string, string> = {
  string: 'must be a string.',
  number: 'must be an integer.',
  int: 'must be an integer.',
  boolean: 'must be true or false.',
  array: 'must be an array.',
  object: 'must be an array.',
  record: 'must be an array.',
};

const FORMAT_TEXTS: Record<string, string> = {
  email: 'must be a valid email address.',
  uuid: 'must be a valid UUID.',
  guid: 'must be a valid UUID.',
  url: 'must be a valid URL.',
  date: 'must be a valid date.',
};

function sizeText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const units = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
  if (issue.code === 'too_big') {
    return issue.origin === 'array'
      ? `must not have more than ${issue.maximum} items.`
      : `must not be greater than ${issue.maximum}${units}.`;
  }
  if (issue.origin === 'array' && issue.minimum === 1) return 'is required.';
  return issue.origin === 'array'
    ? `must have at least ${issue.minimum} items.`
    : `must be at least ${issue.minimum}${units}.`;
}

/** The sentence of Laravel 10 for one issue. A `custom` issue's message may hold `:attribute`. */
function sentence(issue: Issue, field: string): string {
  const name = attribute(field);
  if (issue.code === 'custom') return issue.message.replaceAll(':attribute', name);
  if (issue.input === undefined || issue.input === null) return `The ${name} field is required.`;
  switch (issue.code) {
    case 'invalid_type':
      return `The ${name} field ${TYPE_TEXTS[issue.expected] ?? 'is invalid.'}`;
    case 'too_small':
    case 'too_big':
      return `The ${name} field ${sizeText(issue)}`;
    case 'invalid_format':
      return `The ${name} field ${FORMAT_TEXTS[issue.format] ?? 'format is invalid.'}`;
    case 'invalid_value':
      return `The selected ${name} is invalid.`;
    default:
      return `The ${name} field is invalid.`;
  }
}

/** Sentences for checks that a service makes itself, in Laravel's words. */
export const sentences = {
  selected: 'The selected :attribute is invalid.',
  taken: 'The :attribute has already been taken.',
  requiredWhen: (other: string, value: string) =>
    `The :attribute field is required when ${attribute(other)} is ${value}.`,
};

/** A 422 on one field that only the handler could find; `text` may hold `:attribute`. */
export function invalidField(field: string, message: string) {
  return invalid({ [field]: [message.replaceAll(':attribute', attribute(field))] });
}

const SECRET_FIELD = /password$/;
// Everything below a space but tab, newline and carriage return, and DEL.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Trims text (not passwords), turns `""` into null, and notes control characters. */
function clean(value: unknown, path: string, errors: FieldErrors): unknown {
  if (typeof value === 'string') {
    if (CONTROL.test(value)) errors[path] = [`The ${attribute(path)} field contains invalid characters.`];
    const trimmed = SECRET_FIELD.test(path) ? value : value.trim();
    return trimmed === '' ? null : trimmed;
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, `${path}.${index}`, errors));
  if (isObject(value)) {
    const prefix = path ? `${path}.` : '';
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, clean(item, `${prefix}${key}`, errors)]),
    );
  }
  return value;
}

/** Null counts as absent, except for a field that is nullable (where null clears). */
function dropNulls(schema: z.ZodObject, input: Input): Input {
  return Object.fromEntries(
    Object.entries(input).filter(([key, value]) => {
      if (value !== null) return true;
      const field = (schema.shape as Record<string, z.core.$ZodType | undefined>)[key];
      return field !== undefined && acceptsNull(field);
    }),
  );
}

const nullable = new WeakMap<z.core.$ZodType, boolean>();
function acceptsNull(field: z.core.$ZodType): boolean {
  const known = nullable.get(field);
  if (known !== undefined) return known;
  const kind = field._zod.def.type;
  const inner = (field._zod.def as { innerType?: z.core.$ZodType }).innerType;
  const answer = kind === 'nullable' || (kind === 'optional' && inner !== undefined && acceptsNull(inner));
  nullable.set(field, answer);
  return answer;
}

/**
 * Parses request input; throws the 422 of Laravel 10 (texts, order of fields, count) when it does not fit.
 * Conditional and database rules belong to the schema as refinements with `when: () => true`.
 */
export async function validate<Schema extends z.ZodObject>(schema: Schema, given: Input): Promise<z.output<Schema>> {
  const errors: FieldErrors = {};
  const input = dropNulls(schema, clean(given, '', errors) as Input);
  const result = await schema.safeParseAsync(input, { reportInput: true });
  for (const issue of result.error?.issues ?? []) {
    const field = issue.path.join('.');
    if (errors[field] === undefined || issue.code === 'custom') (errors[field] ??= []).push(sentence(issue, field));
  }
  if (Object.keys(errors).length > 0) throw invalid(inOrder(schema, errors));
  return result.data as z.output<Schema>;
}

function inOrder(schema: z.ZodObject, errors: FieldErrors): FieldErrors {
  const order = Object.keys(schema.shape);
  const rank = (field: string) => {
    const at = order.indexOf(field.split('.')[0] ?? field);
    return at === -1 ? order.length : at;
  };
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => rank(a) - rank(b)));
}
