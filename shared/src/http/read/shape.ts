import type { z } from 'zod';

// Everything below a space except tab, newline and carriage return, and DEL.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * The one rule for text from outside (body, query, path, header): PostgreSQL stores it unchanged and people can read
 * it. No control characters, no half of a surrogate pair.
 */
export const isStorable = (text: string): boolean => !CONTROL.test(text) && text.isWellFormed();

type Schema = z.core.$ZodType;

export interface ObjectShape {
  kind: 'object';
  members: Map<string, Shape>;
}

/** The part of a request that a schema reads: everything else is skipped. */
export type Shape = { kind: 'value' } | { kind: 'list'; item: Shape; max: number } | ObjectShape;

const VALUE: Shape = { kind: 'value' };

/** The shape of several objects that are read from the same input. */
export const objectShape = (...schemas: (z.ZodObject | undefined)[]): ObjectShape => ({
  kind: 'object',
  members: new Map(
    schemas.flatMap((schema) =>
      (Object.entries(schema?.shape ?? {}) as [string, Schema][]).map(([name, field]) => [name, shapeOf(field)]),
    ),
  ),
});

/** Throws for a list without a largest length: the client could choose the cost of reading it. */
function shapeOf(given: Schema): Shape {
  const schema = core(given);
  const { def } = schema._zod;
  if (def.type === 'object') return objectShape(schema as z.ZodObject);
  if (def.type !== 'array') return VALUE;
  const { element, checks = [] } = def as z.core.$ZodArrayDef;
  const largest = checks.map((check) => (check._zod.def as { maximum?: number }).maximum ?? Infinity);
  const max = Math.min(...largest);
  if (max === Infinity) throw new Error('a list in a request needs a largest length');
  return { kind: 'list', item: shapeOf(element), max };
}

/** The schema that gets the input: without wrappers, preprocessing and transformations. */
export function core(schema: Schema): Schema {
  const def = schema._zod.def as Partial<z.core.$ZodPipeDef> & { type: string; innerType?: Schema };
  if (def.innerType) return core(def.innerType);
  if (def.type !== 'pipe' || !def.in || !def.out) return schema;
  return core(def.in._zod.def.type === 'transform' ? def.out : def.in);
}

/** The list items that are read: one more than allowed, so that validation sees that there are too many. */
export const itemsRead = (list: { max: number }): number => list.max + 1;

/** The part of a form, query or command that the shape knows: own properties only. */
export function pick(given: unknown, shape: Shape): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (Array.isArray(given)) {
    return shape.kind === 'list' ? given.slice(0, itemsRead(shape)).map((item) => pick(item, shape.item)) : [];
  }
  return shape.kind === 'object' ? pickMembers(given, shape) : {};
}

/** A list or an object in the place of another type is returned empty: enough for validation to refuse it. */
export const pickMembers = (given: object, { members }: ObjectShape): Record<string, unknown> =>
  Object.fromEntries(
    [...members]
      .filter(([name]) => Object.hasOwn(given, name))
      .map(([name, shape]) => [name, pick((given as Record<string, unknown>)[name], shape)]),
  );
