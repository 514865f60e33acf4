import type { z } from 'zod';
import { invalid, type FieldErrors } from '../errors.ts';
import { core, objectShape, pickMembers, type ObjectShape } from './shape.ts';
import { isStorable } from './storable.ts';

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
function sentence(issue: Issue, field: string, given: unknown): string {
  const name = attribute(field);
  if (issue.code === 'custom') return issue.message.replaceAll(':attribute', name);
  if (given === undefined || given === null) return `The ${name} field is required.`;
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
  date: 'The :attribute field must be a valid date.',
  notBefore: (other: string) => `The :attribute field must be a date after or equal to ${attribute(other)}.`,
  requiredWhen: (other: string, value: string) =>
    `The :attribute field is required when ${attribute(other)} is ${value}.`,
};

/** A 422 on one field that only the handler could find; `text` may hold `:attribute`. */
export function invalidField(field: string, message: string) {
  return invalid({ [field]: [message.replaceAll(':attribute', attribute(field))] });
}

const SECRET_FIELD = /password$/;

/** Trims text (not passwords), turns `""` into null, and notes what cannot be stored. */
function clean(value: unknown, path: string, errors: FieldErrors): unknown {
  if (typeof value === 'string') {
    if (!isStorable(value)) errors[path] = [`The ${attribute(path)} field contains invalid characters.`];
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

/** The fields whose form holds, as the schema makes them; in lists `undefined` stands for an item that does not. */
export type Sound<Fields> = {
  [Name in keyof Fields]?:
    (NonNullable<Fields[Name]> extends (infer Item)[] ? (Item | undefined)[] : Fields[Name]) | undefined;
};

/** A broken rule: field and sentence, which may hold `:attribute`. */
export type Broken = [path: (string | number)[], message: string];

/**
 * Rules that need more than the fields themselves, the database above all (`exists`, `unique`). As in Laravel they are
 * asked also when other fields are refused, but never about a field that has been refused itself.
 */
export type Rules<Fields> = (fields: Sound<Fields>) => Promise<Broken[]>;

const shapes = new WeakMap<z.ZodObject, ObjectShape>();
function shapeOf(schema: z.ZodObject): ObjectShape {
  const known = shapes.get(schema) ?? objectShape(schema);
  shapes.set(schema, known);
  return known;
}

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/**
 * Parses request input; throws the 422 of Laravel 10 (texts, order of fields, count) when it does not fit. Only what the
 * schema knows is looked at. What fields require of each other belongs to the schema, as refinements with
 * `when: () => true`.
 */
export async function validate<Schema extends z.ZodObject>(
  schema: Schema,
  given: Input,
  rules?: Rules<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const errors: FieldErrors = {};
  const input = dropNulls(schema, clean(pickMembers(given, shapeOf(schema)), '', errors) as Input);
  const result = await schema.safeParseAsync(input);
  for (const issue of result.error?.issues ?? []) {
    const field = issue.path.join('.');
    if (errors[field] === undefined || issue.code === 'custom')
      (errors[field] ??= []).push(sentence(issue, field, valueAt(input, issue.path)));
  }
  const isSound = Object.keys(errors).length === 0;
  const fields = isSound ? result.data : soundFields(schema, input, errors);
  for (const [path, message] of (await rules?.(fields as Sound<z.output<Schema>>)) ?? []) {
    const field = path.join('.');
    errors[field] ??= [message.replaceAll(':attribute', attribute(field))];
  }
  if (Object.keys(errors).length > 0) throw invalid(inOrder(schema, errors));
  return result.data as z.output<Schema>;
}

function soundFields(schema: z.ZodObject, input: Input, errors: FieldErrors): Input {
  const sound: Input = {};
  for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value = input[name];
    if (errors[name] !== undefined) continue;
    if (Array.isArray(value)) {
      const { element } = (core(field) as z.ZodArray<z.ZodType>)._zod.def;
      sound[name] = value.map((item, index) => (errors[`${name}.${index}`] ? undefined : element.safeParse(item).data));
    } else sound[name] = field.safeParse(value).data;
  }
  return sound;
}

function inOrder(schema: z.ZodObject, errors: FieldErrors): FieldErrors {
  const order = Object.keys(schema.shape);
  const rank = (field: string) => {
    const at = order.indexOf(field.split('.')[0] ?? field);
    return at === -1 ? order.length : at;
  };
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => rank(a) - rank(b)));
}
