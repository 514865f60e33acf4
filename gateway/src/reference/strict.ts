import type { inEnvelope } from './document.ts';

/*
 * The public document for clients that send `X-Envelope: strict`, for generators of code: one schema for each answer,
 * each refusal under its own status, a name for every object and enum, and no unions.
 */

type Json = Record<string, unknown>;
interface Schema extends Json {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}
type Schemas = Record<string, Schema>;
type Content = Record<string, { schema?: Schema }>;
interface Answer extends Json {
  headers?: Record<string, { schema?: Schema }>;
  content?: Content;
}
interface Operation extends Json {
  operationId?: string;
  parameters?: { $ref?: string; name?: string; schema?: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
}
type Items = Record<string, Record<string, Operation>>;

const SCHEMAS = '#/components/schemas/';
const ENVELOPE = '#/components/parameters/XEnvelope';
const NULL = { type: 'null' };

const pascal = (text: string) =>
  text.replace(/(?:^|[^A-Za-z0-9]+)(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** A schema of one value out of several: all fields of several objects, or a text. */
function merged(options: Schema[], schemas: Schemas): Schema {
  const resolved = options.map((option) => (option.$ref ? schemas[option.$ref.slice(SCHEMAS.length)]! : option));
  if (!resolved.every(({ properties }) => properties)) return { type: 'string' };
  const properties = Object.assign({}, ...resolved.map((option) => option.properties)) as Schemas;
  const required = Object.keys(properties).filter((name) =>
    resolved.every((option) => option.required?.includes(name)),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Rewrites schemas; what they contain is added to `schemas` under names that are made from its path. */
function createRewriter(schemas: Schemas) {
  function named(name: string, schema: Schema): Schema {
    const free = name in schemas ? named(`${name}Value`, schema).$ref : undefined;
    if (!free) schemas[name] = schema;
    return { $ref: free ?? `${SCHEMAS}${name}` };
  }

  function union({ anyOf, oneOf, ...rest }: Schema, name: string): Schema {
    const options = anyOf ?? oneOf ?? [];
    const values = options.filter(({ type }) => type !== 'null');
    const one = values.length === 1 ? values[0]! : merged(values, schemas);
    // An example of null is none of the value itself.
    const { example, ...others } = rest;
    const about = example === null ? others : rest;
    const value = inside(one.$ref ? one : { ...one, ...about }, name);
    if (values.length === options.length) return value;
    return value.$ref ? { ...rest, anyOf: [value, NULL] } : { ...value, type: [value.type as string, 'null'] };
  }

  /** The schema itself, with everything inside it rewritten. */
  function rewritten({ not: _not, allOf: _allOf, ...schema }: Schema, name: string): Schema {
    const { properties, items } = schema;
    if (schema.anyOf ?? schema.oneOf) return union(schema, name);
    if ('const' in schema)
      return { type: typeof schema['const'] === 'number' ? 'integer' : typeof schema['const'], ...schema };
    // The texts of the gateway in its languages; more languages may come.
    if (schema.enum && !schema.type) return { type: 'string', examples: schema.enum.slice(0, 1) };
    // The answer that is always an empty list.
    if (items && 'not' in items) return { ...schema, items: { type: 'string' }, maxItems: 0 };
    if (items) return { ...schema, items: inside(items, `${name}Item`) };
    if (!properties) return schema;
    const fields = Object.entries(properties).map(([field, value]) => [
      field,
      inside(value, `${name}${pascal(field)}`),
    ]);
    return { ...schema, properties: Object.fromEntries(fields) as Schemas };
  }

  /** The schema, or a reference to it if it needs a name. */
  function inside(schema: Schema, name: string): Schema {
    if (schema.$ref) return schema;
    const result = rewritten(schema, name);
    const isNamed = !result.$ref && (result.enum ?? Object.keys(result.properties ?? {}).length > 0);
    return isNamed ? named(name, result) : result;
  }

  return { rewritten, inside };
}

/** Whether two schemas are the same except for their texts. */
const isSame = (one: Schema, other: Schema) => {
  const shape = (schema: Schema) =>
    JSON.stringify(schema, (key, value: unknown) => (key === 'examples' ? undefined : value));
  return shape(one) === shape(other);
};

/** The schema of a refusal: where a status has several, those of the same shape are one. */
function refusalOf(schema: Schema, schemas: Schemas): Schema {
  const [first, ...others] = schema.oneOf ?? [];
  const target = (option: Schema) => schemas[option.$ref!.slice(SCHEMAS.length)]!;
  return first && others.every((other) => isSame(target(first), target(other))) ? first : schema;
}

/** The answers of an operation whose default answer is 200 in the envelope. */
function strictAnswers({ responses }: Operation, schemas: Schemas): Record<string, Answer> {
  const { '200': standard, '201': created, ...refusals } = responses;
  const media = standard?.content?.['application/json'];
  const envelope = media?.schema?.oneOf?.[0] ?? media?.schema;
  const success = {
    ...standard,
    description: 'Success',
    content: { 'application/json': { ...media, schema: envelope! } },
  };
  const refused = Object.entries(refusals).map(([status, answer]): [string, Answer] => {
    const refusal = answer.content?.['application/json'];
    if (!refusal?.schema) return [status, answer];
    const content = { 'application/json': { ...refusal, schema: refusalOf(refusal.schema, schemas) } };
    return [status, { ...answer, description: 'Refused', content }];
  });
  return { [created ? '201' : '200']: success, ...Object.fromEntries(refused) };
}

/** Removes the schemas without a reference: options of unions that became one schema. */
function removeUnused(document: object, schemas: Schemas): void {
  const text = JSON.stringify(document);
  const unused = Object.keys(schemas).filter((name) => !text.includes(`"${SCHEMAS}${name}"`));
  for (const name of unused) delete schemas[name];
  if (unused.length > 0) removeUnused(document, schemas);
}

/** The document for `X-Envelope: strict`, made from that of the default envelope. */
export function inStrictEnvelope(standard: ReturnType<typeof inEnvelope>) {
  const document = structuredClone(standard);
  const schemas = document.components.schemas as unknown as Schemas;
  const { rewritten, inside } = createRewriter(schemas);
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = rewritten(schema, name);

  const inContent = (content: Content | undefined, name: string) => {
    for (const media of Object.values(content ?? {})) if (media.schema) media.schema = inside(media.schema, name);
  };
  const inOperation = (operation: Operation, fallback: string) => {
    const name = pascal(operation.operationId ?? fallback);
    const parameters = operation.parameters ?? [];
    if (parameters.some(({ $ref }) => $ref === ENVELOPE)) operation.responses = strictAnswers(operation, schemas);
    for (const parameter of parameters)
      if (parameter.schema) parameter.schema = inside(parameter.schema, `${name}${pascal(parameter.name ?? '')}`);
    inContent(operation.requestBody?.content, `${name}Body`);
    for (const [status, { content, headers }] of Object.entries(operation.responses)) {
      inContent(content, Number(status) < 300 ? `${name}Answer` : `${name}${pascal(status)}`);
      for (const header of Object.values(headers ?? {}))
        if (header.schema) header.schema = rewritten(header.schema, name);
    }
  };
  for (const [path, item] of Object.entries({ ...document.paths, ...document.webhooks } as unknown as Items))
    for (const [method, operation] of Object.entries(item)) inOperation(operation, `${method} ${path}`);
  Object.assign(document.components.parameters.XEnvelope, {
    required: true,
    description: 'The HTTP status of a refusal is its real status.',
  });
  removeUnused(document, schemas);
  return document;
}
