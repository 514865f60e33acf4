import { REAL, success as around } from '../exchange/respond.ts';
import { CHAPTERS, isOwnAdminAccount, placeOf, type Place } from '../exchange/routes.ts';
import { texts } from '../texts.ts';
import { INFO, LIVE, LIVE_EVENTS, RESYNC } from './own-part.ts';
import { literal, object, refusalSchema, secondFactor } from './refusals.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema?: unknown; example?: unknown }>;
interface Response {
  $ref?: string;
  description?: string;
  headers?: Json;
  content?: Content;
}

interface Operation extends Json {
  responses: Record<string, Response>;
  parameters?: unknown[];
  requestBody?: { content: Content };
}

/** Operations by path, or name, and method. */
export type Paths = Record<string, Record<string, Operation>>;

/** What is read of a service's OpenAPI document. */
export interface Part {
  paths?: Paths;
  webhooks?: Paths;
  components: { schemas?: Json };
}

const json = (schema: unknown) => ({ 'application/json': { schema } });
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const oneOf = (schemas: unknown[]) => (schemas.length > 1 ? { oneOf: schemas } : schemas[0]);
const header = (description: string, type = 'string') => ({ description, schema: { type } });

const headers = {
  'X-Request-Id': header('Names this request in every log'),
  'X-Status-Code': header('The status that the body tells', 'integer'),
  'X-RateLimit-Limit': header('Requests allowed in a minute', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in this minute', 'integer'),
};
const headerRefs = Object.fromEntries(Object.keys(headers).map((name) => [name, ref('headers', name)]));

const schemas = {
  Failure: object({
    success: { const: false },
    statusCode: { type: 'integer', enum: REAL.filter((status) => status !== 422 && status !== 429) },
    message: { type: 'string', examples: [texts.en.unavailable] },
  }),
  ValidationRefusal: object({
    message: { type: 'string', examples: ['The email field is required.'] },
    errors: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      examples: [{ email: ['The email field is required.'] }],
    },
  }),
  RateLimitRefusal: object({ message: literal(texts.en.tooManyAttempts) }),
};

const described = (description: string, schema: string, more: Json = {}) => ({
  description,
  headers: { ...headerRefs, ...more },
  content: json(ref('schemas', schema)),
});

const retryAfter = header('Seconds to wait', 'integer');
const responses = {
  Invalid: described('The input does not fit: `errors` says what is wrong with each field', 'ValidationRefusal'),
  RateLimited: described('Too many requests', 'RateLimitRefusal', {
    'Retry-After': retryAfter,
    'X-RateLimit-Reset': header('When the budget is whole again, in seconds since 1970', 'integer'),
  }),
  Failed: described(
    'The request could not be read (400, 405, 408, 413, 415, 417, 431) or something failed here (500, 502, 503, 504). ' +
      'After a 502, 503 or 504 try again, after `Retry-After` where it is given.',
    'Failure',
    { 'Retry-After': retryAfter },
  ),
};

/** Statuses that look the same for every operation. */
const SHARED = ['422', '429', '500', '503'];
const common = { '429': ref('responses', 'RateLimited'), default: ref('responses', 'Failed') };

const strict = {
  name: 'X-Envelope',
  in: 'header',
  description: 'With `strict` the HTTP line of a refusal has a status of its own too; the body stays the same.',
  schema: { type: 'string', enum: ['strict'] },
};

/** The refusals that the service documents, in the shape that a client of `path` receives; `known` gets their schemas. */
function refusalsOf(path: string, place: Place, operation: Operation, known: Json) {
  const codes = Object.entries(operation.responses).map(
    ([status, { description }]) => [status, description ?? ''] as const,
  );
  const isForAdmins = place.chapter === 'Administration' || operation['x-auth'] === 'member';
  const mayNeedTotp = isForAdmins && !isOwnAdminAccount(place);
  if (mayNeedTotp) codes.push(['403', 'second_factor']);
  return codes.flatMap(([status, code]) => {
    if (Number(status) < 400 || SHARED.includes(status)) return [];
    const refusal = refusalSchema(path, place, Number(status), code);
    if (refusal.line !== 200 && !place.raw) return [];
    known[refusal.name] = refusal.schema;
    return [{ status, ...refusal }];
  });
}

/** The operation as clients see it: payload in the envelope, refusals by `statusCode`. */
function wrapped(path: string, place: Place, operation: Operation, known: Json): Operation {
  const created = operation.responses['201'];
  const success = created ?? operation.responses['200'];
  const { status } = around({ path, place }, created ? 201 : 200);
  const envelope = object({
    success: { const: true },
    statusCode: { const: status },
    data: success?.content?.['application/json']?.schema ?? {},
  });
  const refused = refusalsOf(path, place, operation, known);
  const answers = [...new Map(refused.map((one) => [one.name, one.bodyStatus]))].sort(([, a], [, b]) => a - b);
  const refs = answers.map(([name]) => ref('schemas', name));
  const says = [...new Set(answers.map(([, bodyStatus]) => bodyStatus))].join(', ');
  const heads = { ...headerRefs, ...success?.headers };
  const strictly = (...schemas: unknown[]): Response => ({
    description: 'Only with `X-Envelope: strict`; otherwise 200 with this body',
    headers: headerRefs,
    content: json(oneOf(schemas)),
  });
  const byStatus = Map.groupBy(refused, (one) => one.status);
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ref('parameters', 'XEnvelope')],
    responses: {
      '200': {
        description: says ? `Success, or a refusal with \`statusCode\` ${says}` : 'Success',
        headers: heads,
        content: json(oneOf([envelope, ...refs])),
      },
      ...(created && { '201': strictly(envelope) }),
      ...Object.fromEntries(
        [...byStatus].map(([code, each]) => [code, strictly(...each.map(({ name }) => ref('schemas', name)))]),
      ),
      ...(operation.responses['422'] && { '422': ref('responses', 'Invalid') }),
      ...common,
    },
  };
}

/** An operation on a raw path: only its refusals are the gateway's; pages are refused with pages. */
function raw(path: string, place: Place, operation: Operation, known: Json): Operation {
  const page = operation.responses['200']?.content?.['text/html'];
  const refused = refusalsOf(path, place, operation, known).map(({ status, name }): [string, Response] => [
    status,
    page ? { description: 'A page that says so', content: { 'text/html': page } } : described('Refused', name),
  ]);
  const own = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  const invalid = operation.responses['422'] && { '422': ref('responses', 'Invalid') };
  return { ...operation, responses: { ...Object.fromEntries([...own, ...refused]), ...invalid, ...common } };
}

/** An example of `schema`, from the examples of its properties; `only` selects properties at the top. */
function sampleOf(schema: unknown, components: Json, only?: (name: string) => boolean): unknown {
  const node = (schema ?? {}) as Json & { properties?: Json; items?: Json; $ref?: string };
  if (node.$ref) return sampleOf(components[node.$ref.split('/').at(-1) ?? ''], components, only);
  if ('const' in node) return node['const'];
  if ('example' in node) return node['example'];
  const values = (node['examples'] ?? node['enum']) as unknown[] | undefined;
  if (values) return values[0];
  if (node.properties) {
    const shown = Object.entries(node.properties).filter(([name]) => only?.(name) ?? true);
    return Object.fromEntries(shown.map(([name, property]) => [name, sampleOf(property, components)]));
  }
  const options = (node['oneOf'] ?? node['anyOf'] ?? node['allOf']) as unknown[] | undefined;
  if (options) return sampleOf(options[0], components);
  if (node['type'] === 'array') return node.items && !('not' in node.items) ? [sampleOf(node.items, components)] : [];
  return node['type'] === 'object' ? {} : undefined;
}

/** An example of a request body without one of its own: the required fields; all fields where none is required. */
function requestSample(schema: unknown, components: Json): unknown {
  const { required, example } = schema as { required?: string[]; example?: unknown };
  if (example !== undefined) return example;
  return sampleOf(schema, components, required && ((name) => required.includes(name)));
}

/** The operation with one whole request and one whole success, built from the examples of their properties. */
function withSamples(operation: Operation, components: Json): Operation {
  const { requestBody, responses: answers } = operation;
  for (const body of Object.values(requestBody?.content ?? {})) body.example = requestSample(body.schema, components);
  for (const [status, { content }] of Object.entries(answers)) {
    const answer = content?.['application/json'];
    if (answer && Number(status) < 300) answer.example = sampleOf(answer.schema, components);
  }
  return operation;
}

/** Changes every operation, in its place. */
function changeEach(items: Paths, change: (operation: Operation, path: string) => Operation): void {
  for (const [path, item] of Object.entries(items))
    for (const [method, operation] of Object.entries(item)) item[method] = change(operation, path);
}

/** The public document, of what the services' documents have together. */
export function inEnvelope(services: { paths: Paths; webhooks: Paths; schemas: Json }, publicUrl: string) {
  const { webhooks, schemas: known } = services;
  // A path that is not in the table is unreachable: a newer service's, during a roll-out.
  const paths = Object.fromEntries(Object.entries(services.paths).filter(([path]) => placeOf(path)));
  changeEach(paths, (operation, path) => {
    const place = placeOf(path)!;
    const change = place.raw ? raw : wrapped;
    return withSamples({ ...change(path, place, operation, known), tags: [place.chapter] }, known);
  });
  known[secondFactor.name] = secondFactor.schema;
  const refusals = {
    '401': described('No valid bearer', 'Unauthenticated'),
    '403': described('An administrator has to set up two-factor authentication first', secondFactor.name),
    ...common,
  };
  paths['/api/events'] = { get: LIVE_EVENTS(refusals, headerRefs) };
  webhooks['resync'] = { ...RESYNC };
  changeEach(webhooks, (operation) => withSamples({ ...operation, tags: [LIVE] }, known));
  const { Problem: _internal, ...visible } = known;
  return {
    openapi: '3.1.0',
    info: INFO(publicUrl),
    servers: [{ url: publicUrl, description: 'This system' }],
    tags: Object.entries(CHAPTERS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: { ...visible, ...schemas },
      headers,
      responses,
      parameters: { XEnvelope: strict },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'The `token` of a login.' } },
    },
  };
}
