/** The part of `z.toJSONSchema`'s output that the catalogues of events and commands use. */
export interface Schema {
  type?: string | string[];
  enum?: string[];
  const?: string;
  pattern?: string;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Splits a union into its alternatives; a constant becomes an enum with one value. */
const alternatives = ({ anyOf, oneOf, const: only, ...schema }: Schema): Schema[] =>
  (anyOf ?? oneOf)?.flatMap(alternatives) ??
  [schema.type]
    .flat()
    .map((type) => ({ ...schema, ...(type && { type }), ...(only !== undefined && { enum: [only] }) }));

const BOUNDS = ['maximum', 'maxLength', 'maxItems'] as const;

/** Whether every value that is valid for `previous` is valid for `present`. */
function accepts(present: Schema, previous: Schema): boolean {
  return alternatives(previous).every((old) =>
    alternatives(present).some(
      (now) =>
        now.type === old.type &&
        (now.enum === undefined || (old.enum ?? []).every((value) => now.enum?.includes(value))) &&
        (now.enum === undefined) === (old.enum === undefined) &&
        (now.pattern === undefined || now.pattern === old.pattern) &&
        BOUNDS.every((bound) => (now[bound] ?? Infinity) >= (old[bound] ?? Infinity)) &&
        (now.type !== 'array' || now.items === undefined || accepts(now.items, old.items ?? {})) &&
        (now.type !== 'object' || incompatibilities(now, old).length === 0),
    ),
  );
}

/**
 * The reasons why replicas of two releases cannot run side by side: each reads what the other writes, and events stay
 * in the stream for days.
 */
export function incompatibilities(present: Schema, previous: Schema): string[] {
  const [now, old] = [present.properties ?? {}, previous.properties ?? {}];
  const problems = Object.entries(old).flatMap(([field, schema]) => {
    if (!now[field]) return [`${field} was removed`];
    if (now[field].properties && schema.properties)
      return incompatibilities(now[field], schema).map((problem) => `${field}.${problem}`);
    return accepts(now[field], schema) ? [] : [`${field} refuses what the previous release writes`];
  });
  for (const field of previous.required ?? [])
    if (!present.required?.includes(field))
      problems.push(`${field} became optional, and the previous release needs it`);
  for (const field of present.required ?? [])
    if (!previous.required?.includes(field)) problems.push(`${field} is new and not optional`);
  return problems;
}
