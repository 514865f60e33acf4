import { REAL_STATUSES, success as envelopeOf } from '../exchange/respond.ts';
import { CHAPTERS, isOwnAdminAccount, routeOf, type Route } from '../exchange/routes.ts';
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

interface Parameter {
  $ref?: string;
  required?: boolean;
  schema?: Json;
}

interface Operation extends Json {
  responses: Record<string, Response>;
  parameters?: Parameter[];
  requestBody?: { content: Content };
}

/** Operations by path (or the name of a webhook) and method. */
export type Paths = Record<string, Record<string, Operation>>;

/** The parts that are used of a service's OpenAPI document. */
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
  'X-Request-Id': header('Identifies this request in all logs'),
  'X-Status-Code': header('The status in the body', 'integer'),
  'X-RateLimit-Limit': header('Requests allowed per minute', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in this minute', 'integer'),
};
const headerRefs = Object.fromEntries(Object.keys(headers).map((name) => [name, ref('headers', name)]));

const schemas = {
  Failure: object({
    success: { const: false },
    statusCode: { type: 'integer', enum: REAL_STATUSES.filter((status) => status !== 422 && status !== 429) },
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
  Invalid: described('The input is not valid: `errors` explains what is wrong with each field', 'ValidationRefusal'),
  RateLimited: described('Too many requests', 'RateLimitRefusal', {
    'Retry-After': retryAfter,
    'X-RateLimit-Reset': header(
      'When the full number of requests is available again, in seconds since 1970',
      'integer',
    ),
  }),
  Failed: described(
    'The request was not accepted (400, 405, 408, 413, 415, 417, 431) or the server failed (500, 502, 503, 504). ' +
      'Retry after a 502, 503 or 504; if there is a `Retry-After`, wait that long first.',
    'Failure',
    { 'Retry-After': retryAfter },
  ),
};

/** Refusals with these statuses are the same for every operation. */
const COMMON_STATUSES = ['422', '429', '500', '503'];
const commonResponses = { '429': ref('responses', 'RateLimited'), default: ref('responses', 'Failed') };

const strict = {
  name: 'X-Envelope',
  in: 'header',
  description: 'With `strict`, the HTTP status of a refusal is its real status; the body stays the same.',
  schema: { type: 'string', enum: ['strict'] },
};

/**
 * The documented refusals of an operation as a client of `path` receives them; adds their schemas to `schemasByName`.
 */
function refusalsOf(path: string, route: Route, operation: Operation, schemasByName: Json) {
  const codes = Object.entries(operation.responses).map(
    ([status, { description }]) => [status, description ?? ''] as const,
  );
  const isForAdmins = route.chapter === 'Administration' || operation['x-auth'] === 'member';
  const mayNeedTotp = isForAdmins && !isOwnAdminAccount(route);
  if (mayNeedTotp) codes.push(['403', 'second_factor']);
  return codes.flatMap(([status, code]) => {
    if (Number(status) < 400 || COMMON_STATUSES.includes(status)) return [];
    const refusal = refusalSchema(path, route, Number(status), code);
    if (refusal.httpStatus !== 200 && !route.raw) return [];
    schemasByName[refusal.name] = refusal.schema;
    return [{ status, ...refusal }];
  });
}

/** The operation as clients see it: with the payload in the envelope, and refusals by `statusCode`. */
function wrapped(path: string, route: Route, operation: Operation, schemasByName: Json): Operation {
  const created = operation.responses['201'];
  const success = created ?? operation.responses['200'];
  const { status } = envelopeOf({ path, route }, created ? 201 : 200);
  const envelope = object({
    success: { const: true },
    statusCode: { const: status },
    data: success?.content?.['application/json']?.schema ?? {},
  });
  const refusals = refusalsOf(path, route, operation, schemasByName);
  const byName = [...new Map(refusals.map(({ name, bodyStatus }) => [name, bodyStatus]))].sort(([, a], [, b]) => a - b);
  const refs = byName.map(([name]) => ref('schemas', name));
  const statuses = [...new Set(byName.map(([, bodyStatus]) => bodyStatus))].join(', ');
  const successHeaders = { ...headerRefs, ...success?.headers };
  const strictResponse = (...schemas: unknown[]): Response => ({
    description: 'Only with `X-Envelope: strict`; otherwise 200 with this body',
    headers: headerRefs,
    content: json(oneOf(schemas)),
  });
  const byStatus = Map.groupBy(refusals, ({ status }) => status);
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ref('parameters', 'XEnvelope')],
    responses: {
      '200': {
        description: statuses ? `Success, or a refusal with \`statusCode\` ${statuses}` : 'Success',
        headers: successHeaders,
        content: json(oneOf([envelope, ...refs])),
      },
      ...(created && { '201': strictResponse(envelope) }),
      ...Object.fromEntries(
        [...byStatus].map(([code, each]) => [code, strictResponse(...each.map(({ name }) => ref('schemas', name)))]),
      ),
      ...(operation.responses['422'] && { '422': ref('responses', 'Invalid') }),
      ...commonResponses,
    },
  };
}

/** An operation of a raw route: only its refusals are changed; operations that answer with pages refuse with pages. */
function raw(path: string, route: Route, operation: Operation, schemasByName: Json): Operation {
  const page = operation.responses['200']?.content?.['text/html'];
  const refused = refusalsOf(path, route, operation, schemasByName).map(({ status, name }): [string, Response] => [
    status,
    page ? { description: 'A page with the refusal', content: { 'text/html': page } } : described('Refused', name),
  ]);
  const own = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  const invalid = operation.responses['422'] && { '422': ref('responses', 'Invalid') };
  return { ...operation, responses: { ...Object.fromEntries([...own, ...refused]), ...invalid, ...commonResponses } };
}

/** An example of `schema`, from the examples of its properties; `only` selects properties at the top level. */
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

/** An example of a request body: the schema's own, or its required fields, or all fields when none is required. */
function requestSample(schema: unknown, components: Json): unknown {
  const { $ref, required, example } = schema as { $ref?: string; required?: string[]; example?: unknown };
  if ($ref && example === undefined) return requestSample(components[$ref.split('/').at(-1)!], components);
  if (example !== undefined) return example;
  return sampleOf(schema, components, required && ((name) => required.includes(name)));
}

/** Adds examples of a complete request and a complete success, built from the examples of their properties. */
function withSamples(operation: Operation, components: Json): Operation {
  const { requestBody, responses: answers } = operation;
  for (const body of Object.values(requestBody?.content ?? {})) body.example = requestSample(body.schema, components);
  for (const [status, { content }] of Object.entries(answers)) {
    const answer = content?.['application/json'];
    if (answer && Number(status) < 300) answer.example = sampleOf(answer.schema, components);
  }
  return operation;
}

/**
 * The parameter with its example as a list. The page of the reference fills in an `example`, and a request fails with an
 * optional value that is an example: the id of an unknown record, or a key that was used before.
 */
function withoutPrefill(parameter: Parameter): Parameter {
  const { example, ...schema }: Json = parameter.schema ?? {};
  return parameter.required || example === undefined
    ? parameter
    : { ...parameter, schema: { ...schema, examples: [example] } };
}

/** Replaces every operation in place. */
function changeEach(items: Paths, change: (operation: Operation, path: string) => Operation): void {
  for (const [path, item] of Object.entries(items))
    for (const [method, operation] of Object.entries(item)) item[method] = change(operation, path);
}

/** The public document, made from the merged documents of the services. */
export function inEnvelope(services: { paths: Paths; webhooks: Paths; schemas: Json }, publicUrl: string) {
  const { webhooks, schemas: schemasByName } = services;
  // Paths without a route are unreachable: for example those of a newer service during a rollout.
  const paths = Object.fromEntries(Object.entries(services.paths).filter(([path]) => routeOf(path)));
  changeEach(paths, (operation, path) => {
    const route = routeOf(path)!;
    const change = route.raw ? raw : wrapped;
    if (operation.parameters) operation.parameters = operation.parameters.map(withoutPrefill);
    return withSamples({ ...change(path, route, operation, schemasByName), tags: [route.chapter] }, schemasByName);
  });
  schemasByName[secondFactor.name] = secondFactor.schema;
  const refusals = {
    '401': described('No valid bearer', 'Unauthenticated'),
    '403': described('An administrator must set up two-factor authentication first', secondFactor.name),
    ...commonResponses,
  };
  paths['/api/events'] = { get: LIVE_EVENTS(refusals, headerRefs) };
  webhooks['resync'] = { ...RESYNC };
  changeEach(webhooks, (operation) => withSamples({ ...operation, tags: [LIVE] }, schemasByName));
  const { Problem: _internal, ...visible } = schemasByName;
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
