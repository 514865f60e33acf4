import { addExamples } from './reference-examples.ts';
import { tagOf, tags } from './reference-tags.ts';
import { texts } from './texts.ts';
import { placeOf } from './upstreams.ts';

type Json = Record<string, unknown>;
/** An OpenAPI document, as far as this looks into it. */
export interface Document {
  openapi: string;
  info: Json;
  servers?: Json[];
  paths: Record<string, Json>;
  components: { schemas?: Record<string, unknown>; [kind: string]: unknown };
  [key: string]: unknown;
}

interface Operation extends Json {
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema?: unknown }> }>;
  parameters?: unknown[];
}

const METHODS = ['get', 'post', 'put', 'delete'];
const json = (schema: unknown) => ({ 'application/json': { schema } });
const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const header = (description: string, type = 'string') => ({ description, schema: { type } });

const headers = {
  'X-Request-Id': header('Names this request in every log'),
  'X-Status-Code': header('The status that the body tells', 'integer'),
  'X-RateLimit-Limit': header('Requests allowed in a minute', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in this minute', 'integer'),
};
const headerRefs = Object.fromEntries(Object.keys(headers).map((name) => [name, ref('headers', name)]));

const object = (properties: Json, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const failure = (message: unknown) => object({ success: { const: false }, statusCode: { type: 'integer' }, message });

const schemas = {
  Refusal: failure({ type: 'string' }),
  NestedRefusal: failure(object({ message: { type: 'string' } })),
  PaymentsRefusal: object({ data: failure({ const: texts.unauthenticatedPayments }) }),
  ValidationRefusal: object({
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  }),
  RateLimitRefusal: object({ message: { const: texts.tooManyAttempts } }),
};

const described = (description: string, schema: string, more: Json = {}) => ({
  description,
  headers: { ...headerRefs, ...more },
  content: json(ref('schemas', schema)),
});

const responses = {
  Invalid: described('The input does not fit', 'ValidationRefusal'),
  RateLimited: described('Too many requests', 'RateLimitRefusal', {
    'Retry-After': header('Seconds to wait', 'integer'),
    'X-RateLimit-Reset': header('When the budget is whole again, in seconds since 1970', 'integer'),
  }),
  Failed: described(
    'Malformed or too large input (400, 405, 413, 415), or a fault here (500, 502, 503, 504)',
    'Refusal',
  ),
};

const strict = {
  name: 'X-Envelope',
  in: 'header',
  description: 'With `strict` a refusal has its own status on the HTTP line',
  schema: { type: 'string', enum: ['strict'] },
};

/** Refusals of a shape of their own, beside the usual one. */
const ODD_REFUSALS: Record<string, string> = {
  '/api/auth/register/verify': 'NestedRefusal',
  '/api/paymentsall': 'PaymentsRefusal',
};

/** Refusals that come with 200 on the HTTP line, by what a service can answer. */
const BUSINESS = ['401', '402', '403', '404', '409'];

function payloadOf(operation: Operation): { status: string; schema: unknown } {
  const status = operation.responses['201'] ? '201' : '200';
  return { status, schema: operation.responses[status]?.content?.['application/json']?.schema ?? {} };
}

/** The operation as clients see it: payload in the envelope, refusals told in `statusCode`. */
function wrapped(path: string, method: string, operation: Operation): Operation {
  const { status, schema } = payloadOf(operation);
  const isCreation = path === '/api/admin/admins' && method === 'post';
  const told = BUSINESS.filter((code) => operation.responses[code]);
  const success = object({
    success: { const: true },
    statusCode: { const: isCreation ? 201 : 200 },
    data: schema,
  });
  const odd = ODD_REFUSALS[path];
  const refusals = told.length > 0 ? ['Refusal', ...(odd ? [odd] : [])].map((name) => ref('schemas', name)) : [];
  const ok = {
    description: told.length > 0 ? `Success, or a refusal with \`statusCode\` ${told.join(', ')}` : 'Success',
    headers: headerRefs,
    content: json(refusals.length > 0 ? { anyOf: [success, ...refusals] } : success),
  };
  const more = operation.responses['422'] ? { '422': ref('responses', 'Invalid') } : {};
  const strictly = [...told, ...(status === '201' ? ['201'] : [])];
  const stricter = strictly.map((code): [string, unknown] => [
    code,
    {
      description: `With \`X-Envelope: strict\``,
      headers: headerRefs,
      content: json(code === '201' ? success : ref('schemas', 'Refusal')),
    },
  ]);
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), ref('parameters', 'XEnvelope')],
    responses: {
      '200': ok,
      ...Object.fromEntries(stricter),
      ...more,
      '429': ref('responses', 'RateLimited'),
      default: ref('responses', 'Failed'),
    },
  };
}

const own: Document['paths'] = {
  '/api/events': {
    get: {
      operationId: 'getEvents',
      summary: 'Live events',
      description:
        'Server-Sent Events: messages, calls, balance. `Last-Event-ID` resumes for 48 hours; the event `resync` means ' +
        'that what was missed is not known any more: fetch again. A comment line comes every 20 seconds.',
      tags: [tagOf('/api/events')],
      security: [{ bearer: [] }],
      parameters: [{ name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } }],
      responses: {
        '200': {
          description: 'Events',
          headers: headerRefs,
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
        '401': described('No valid bearer', 'Refusal'),
        '429': ref('responses', 'RateLimited'),
        default: ref('responses', 'Failed'),
      },
    },
  },
};

interface Media {
  content?: Record<string, { schema?: unknown }>;
}

/** Examples for what goes in and what comes out. */
function illustrate(path: string, operation: Operation): void {
  const media = [operation['requestBody'], ...Object.values(operation.responses)] as (Media | undefined)[];
  for (const part of media) for (const { schema } of Object.values(part?.content ?? {})) addExamples(schema, path);
  for (const parameter of (operation.parameters ?? []) as { name?: string; schema?: unknown }[]) {
    addExamples(parameter.schema, path, parameter.name);
  }
}

/** Services' documents, merged, turned into the public one. */
export function inEnvelope(document: Document, publicUrl: string): Document {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([key, value]) => {
      const isWrapped = METHODS.includes(key) && !placeOf(path)?.raw;
      const operation = { ...(value as Operation), tags: [tagOf(path)] };
      const known = isWrapped ? wrapped(path, key, operation) : operation;
      illustrate(path, known);
      return [key, known];
    });
    return [path, Object.fromEntries(operations) as Json] as const;
  });
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) addExamples(schema, name);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tutoring marketplace',
      version: '1',
      description:
        'Answers come in an envelope. A refusal is told in `statusCode` of the body, with 200 on the HTTP line; send ' +
        '`X-Envelope: strict` to have it there too.',
    },
    servers: [{ url: publicUrl }],
    tags,
    paths: { ...Object.fromEntries(paths), ...own },
    components: {
      schemas: { ...document.components.schemas, ...schemas },
      headers,
      responses,
      parameters: { XEnvelope: strict },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
