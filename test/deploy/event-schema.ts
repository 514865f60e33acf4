/** What `z.toJSONSchema` says about an event, as far as the catalogue uses it. */
export interface Schema {
  type?: string | string[];
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** `[string, null]` as `string` and `null`. */
const alternatives = (schema: Schema): Schema[] =>
  schema.anyOf?.flatMap(alternatives) ?? [schema.type].flat().map((type) => ({ ...schema, ...(type && { type }) }));

/** Whether everything that fits `previous` fits `present`. */
function accepts(present: Schema, previous: Schema): boolean {
  return alternatives(previous).every((old) =>
    alternatives(present).some(
      (now) =>
        now.type === old.type &&
        (now.enum === undefined || (old.enum ?? []).every((value) => now.enum?.includes(value))) &&
        (now.enum === undefined) === (old.enum === undefined) &&
        (now.type !== 'array' || now.items === undefined || accepts(now.items, old.items ?? {})),
    ),
  );
}

/**
 * Why replicas of two releases could not run side by side: both read what the other writes, and events stay in the
 * stream for days.
 */
export function incompatibilities(present: Schema, previous: Schema): string[] {
  const [now, old] = [present.properties ?? {}, previous.properties ?? {}];
  const problems = Object.entries(old).flatMap(([field, schema]) => {
    if (!now[field]) return [`${field} was removed`];
    return accepts(now[field], schema) ? [] : [`${field} refuses what the previous release writes`];
  });
  for (const field of previous.required ?? [])
    if (!present.required?.includes(field))
      problems.push(`${field} became optional, and the previous release needs it`);
  for (const field of present.required ?? [])
    if (!previous.required?.includes(field)) problems.push(`${field} is new and not optional`);
  return problems;
}
