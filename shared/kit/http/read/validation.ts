import type { z } from 'zod';
import en from '../../../texts/en.json' with { type: 'json' };
import fr from '../../../texts/fr.json' with { type: 'json' };
import { invalid, type FieldErrors } from '../../errors.ts';
import { fill, mapLanguages, localized } from '../../language/localized.ts';
import { FIELDS } from '../../language/texts.ts';
import { trimInvisible } from '../../language/typed-text.ts';
import { currentLanguage } from '../../process/context.ts';

// The control characters of Unicode (C0, DEL and C1) except tab, newline and carriage return.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/**
 * The rule for all text from outside (body, query, path, headers): no control characters and no lone surrogates, so
 * that PostgreSQL stores it unchanged and people can read it.
 */
export const isStorable = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

type Schema = z.core.$ZodType;

export interface ObjectShape {
  kind: 'object';
  members: Map<string, Shape>;
  /** Fields whose schema gets null, which clears the field or is refused. In other fields null counts as absent. */
  clearable: Set<string>;
}

/** The part of the input that a schema reads; everything else is skipped. */
export type Shape = { kind: 'value' } | { kind: 'list'; item: Shape; max: number } | ObjectShape;

const VALUE: Shape = { kind: 'value' };

/** The shape of input that several schemas read. */
export function objectShape(...schemas: (z.ZodObject | undefined)[]): ObjectShape {
  const fields = schemas.flatMap((schema) => Object.entries(schema?.shape ?? {}) as [string, Schema][]);
  return {
    kind: 'object',
    members: new Map(fields.map(([name, field]) => [name, shapeOf(field)])),
    clearable: new Set(fields.filter(([, field]) => acceptsNull(field)).map(([name]) => name)),
  };
}

const neverNull = new WeakSet<Schema>();

/**
 * An optional field whose absence means "all". null and `""` are refused as missing, so that a client which failed to
 * compute the value does not get more than it wanted.
 */
export function optionalNeverNull<Field extends z.ZodType>(field: Field) {
  const optional = field.optional();
  neverNull.add(optional);
  return optional;
}

function acceptsNull(field: Schema): boolean {
  if (neverNull.has(field)) return true;
  const { type, innerType } = field._zod.def as { type: string; innerType?: Schema };
  return type === 'nullable' || (type === 'optional' && innerType !== undefined && acceptsNull(innerType));
}

/** Throws for a list without a maximum length: clients could make reading it arbitrarily expensive. */
function shapeOf(given: Schema): Shape {
  const schema = innerSchema(given);
  const { def } = schema._zod;
  if (def.type === 'object') return objectShape(schema as z.ZodObject);
  if (def.type !== 'array') return VALUE;
  const { element, checks = [] } = def as z.core.$ZodArrayDef;
  const largest = checks.map((check) => (check._zod.def as { maximum?: number }).maximum ?? Infinity);
  const max = Math.min(...largest);
  if (max === Infinity) throw new Error('a list in a request needs a maximum length');
  return { kind: 'list', item: shapeOf(element), max };
}

/** The innermost schema, without wrappers, preprocessing and transformations. */
function innerSchema(schema: Schema): Schema {
  const def = schema._zod.def as Partial<z.core.$ZodPipeDef> & { type: string; innerType?: Schema };
  if (def.innerType) return innerSchema(def.innerType);
  if (def.type !== 'pipe' || !def.in || !def.out) return schema;
  return innerSchema(def.in._zod.def.type === 'transform' ? def.out : def.in);
}

/** Number of list items to read: one more than allowed, so that validation notices a list that is too long. */
export const maxItemsRead = (list: { max: number }): number => list.max + 1;

type Issue = z.core.$ZodIssue;
type Input = Record<string, unknown>;

/** The name of a field in the request's language: "page items" for `pageItems`. List items (`domains.0`) stay as is. */
function attribute(path: string): string {
  if (path.includes('.')) return path;
  const words = path.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
  const name = words.toLowerCase();
  return FIELDS[currentLanguage()][name] ?? name;
}

const about = (path: string, message: string) => message.replaceAll(':attribute', attribute(path));

/**
 * Laravel's validation messages. In a schema use them as `error: () => sentences.date`: the language is the request's.
 */
export const sentences = localized(
  mapLanguages({ en: en.validation, fr: fr.validation }, (texts) => ({
    ...texts,
    notBefore: (other: string) => fill(texts.notBefore, { other: attribute(other) }),
    requiredWith: (other: string) => fill(texts.requiredWith, { other: attribute(other) }),
    requiredWhen: (other: string, value: string) => fill(texts.requiredWhen, { other: attribute(other), value }),
  })),
);

const TYPES: Record<string, 'string' | 'integer' | 'boolean' | 'array'> = {
  string: 'string',
  number: 'integer',
  int: 'integer',
  boolean: 'boolean',
  array: 'array',
  object: 'array',
  record: 'array',
};

const FORMATS: Record<string, 'email' | 'uuid' | 'url' | 'date' | 'timezone'> = {
  email: 'email',
  uuid: 'uuid',
  guid: 'uuid',
  url: 'url',
  date: 'date',
  'time-zone': 'timezone',
};

function sizeText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const { origin } = issue;
  const limit = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  if (Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER) return sentences.integer;
  const kind = origin === 'string' ? 'string' : origin === 'array' ? 'array' : 'number';
  if (issue.code === 'too_big') return fill(sentences.max[kind], { limit: String(limit) });
  return kind === 'array' && limit === 1 ? sentences.required : fill(sentences.min[kind], { limit: String(limit) });
}

/**
 * Laravel 10's message for an issue, with `:attribute`; the schema's own message (`error: () => ...`) if it has one.
 */
function sentence(issue: Issue, given: unknown): string {
  if (issue.code === 'custom') return issue.message;
  if (given === undefined || given === null) return sentences.required;
  if (issue.message.includes(':attribute')) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return sentences[TYPES[issue.expected] ?? 'invalid'];
    case 'too_small':
    case 'too_big':
      return sizeText(issue);
    case 'invalid_format':
      return sentences[FORMATS[issue.format] ?? 'format'];
    case 'invalid_value':
      return sentences.selected;
    default:
      return sentences.invalid;
  }
}

/** A 422 for one field, for handlers. `message` may contain `:attribute`. */
export function invalidField(field: string, message: string) {
  return invalid({ [field]: [about(field, message)] });
}

const SECRET_FIELD = /password$/;

/**
 * Cleans the part of the input that the shape has: trims white space and invisible characters (not in passwords), turns
 * `""` into null, and adds an error for text that cannot be stored. A list or an object where another type is expected
 * is returned empty: that is enough for validation to refuse it.
 */
function clean(given: unknown, shape: Shape, path: string, errors: FieldErrors): unknown {
  if (typeof given === 'string') {
    if (!isStorable(given)) errors[path] = [about(path, sentences.characters)];
    const text = SECRET_FIELD.test(path) ? given : trimInvisible(given);
    return text === '' ? null : text;
  }
  if (typeof given !== 'object' || given === null) return given;
  if (!Array.isArray(given)) return shape.kind === 'object' ? cleanMembers(given, shape, `${path}.`, errors) : {};
  if (shape.kind !== 'list') return [];
  return given.slice(0, maxItemsRead(shape)).map((item, index) => clean(item, shape.item, `${path}.${index}`, errors));
}

/** Reads own properties only. */
const cleanMembers = (given: object, { members }: ObjectShape, prefix: string, errors: FieldErrors): Input =>
  Object.fromEntries(
    [...members]
      .filter(([name]) => Object.hasOwn(given, name))
      .map(([name, shape]) => [name, clean((given as Input)[name], shape, `${prefix}${name}`, errors)]),
  );

/** Shapes of schemas, computed once. */
const shapes = new WeakMap<z.ZodObject, ObjectShape>();

/**
 * The valid fields, as the schema outputs them: an absent one is undefined, an invalid one is missing. In lists,
 * `undefined` stands for an invalid item.
 */
export type ValidFields<Fields> = {
  [Name in keyof Fields]?:
    (NonNullable<Fields[Name]> extends (infer Item)[] ? (Item | undefined)[] : Fields[Name]) | undefined;
};

/** Field and message of a broken rule; the message may contain `:attribute`. */
export type RuleViolation = [path: (string | number)[], message: string];

/**
 * Rules that need the database (`exists`, `unique`). As in Laravel they also run when other fields are invalid, but
 * never on an invalid field.
 */
export type Rules<Fields> = (fields: ValidFields<Fields>) => Promise<RuleViolation[]>;

/** The rule that the record exists which a field refers to. */
export const mustExist =
  <Field extends string, Value, By>(field: Field, find: (value: Value, caller: By) => Promise<unknown>) =>
  async (input: { fields: { [Name in Field]?: Value | undefined }; caller: By }): Promise<RuleViolation[]> => {
    const value = input.fields[field];
    return value === undefined || (await find(value, input.caller)) ? [] : [[[field], sentences.selected]];
  };

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/**
 * Parses request input. Throws the 422 of Laravel 10 (texts, order of fields, count) when it is invalid. Unknown fields
 * are ignored. Conditions between fields belong into the schema, as refinements with `when: () => true`.
 */
export async function validate<Schema extends z.ZodObject>(
  schema: Schema,
  given: Input,
  rules?: Rules<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const errors: FieldErrors = {};
  const shape = shapes.get(schema) ?? objectShape(schema);
  shapes.set(schema, shape);
  const fieldsGiven = Object.entries(cleanMembers(given, shape, '', errors));
  const input = Object.fromEntries(fieldsGiven.filter(([name, value]) => value !== null || shape.clearable.has(name)));
  const result = await schema.safeParseAsync(input);
  for (const issue of result.error?.issues ?? []) {
    const field = issue.path.join('.');
    if (errors[field] === undefined || issue.code === 'custom')
      (errors[field] ??= []).push(about(field, sentence(issue, valueAt(input, issue.path))));
  }
  const isValid = Object.keys(errors).length === 0;
  const absent = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, undefined]));
  const fields = isValid ? { ...absent, ...result.data } : validFields(schema, input, errors);
  for (const [path, message] of (await rules?.(fields as ValidFields<z.output<Schema>>)) ?? []) {
    const field = path.join('.');
    errors[field] ??= [about(field, message)];
  }
  if (Object.keys(errors).length > 0) throw invalid(inOrder(schema, errors));
  return result.data as z.output<Schema>;
}

function validFields(schema: z.ZodObject, input: Input, errors: FieldErrors): Input {
  const valid: Input = {};
  for (const [name, field] of Object.entries(schema.shape) as [string, z.ZodType][]) {
    const value = input[name];
    if (errors[name] !== undefined) continue;
    if (Array.isArray(value)) {
      const { element } = (innerSchema(field) as z.ZodArray<z.ZodType>)._zod.def;
      valid[name] = value.map((item, index) => (errors[`${name}.${index}`] ? undefined : element.safeParse(item).data));
    } else valid[name] = field.safeParse(value).data;
  }
  return valid;
}

function inOrder(schema: z.ZodObject, errors: FieldErrors): FieldErrors {
  const order = Object.keys(schema.shape);
  const rank = (field: string) => {
    const at = order.indexOf(field.split('.')[0] ?? field);
    return at === -1 ? order.length : at;
  };
  return Object.fromEntries(
    Object.entries(errors).sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b, 'en', { numeric: true })),
  );
}
