import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import self from '../../../package.json' with { type: 'json' };
import { HTTP_STATUS } from '../../errors.ts';
import { ANY_RIGHT } from '../../identity/rights.ts';
import { maskOf } from './contacts.ts';
import { problem } from './fields.ts';
import { isPublic, refusalsOf, type Route } from './route.ts';

const idempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'A key of your own for this one intention, at most 255 characters. For 24 hours a repeat with the same key and ' +
        'body gets the first answer, with the header `Idempotent-Replayed: true`, and nothing happens twice. With another ' +
        'body it is a 422; while the first request still runs it is a 409.',
      example: '5d2c7c1e-6a0f-4a38-9a53-2f1b8f0f6c11',
    }),
});

const replayed = z.object({
  'Idempotent-Replayed': z.literal('true').optional().meta({
    description: 'This is the stored answer of an earlier request with the same `Idempotency-Key`.',
  }),
});

/** Whether an empty body is always invalid: a field is required, or one of several fields (`allOf` in its `meta`). */
function isBodyRequired(body: z.ZodObject): boolean {
  const { required, allOf } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return required !== undefined || allOf !== undefined;
}

/** `POST /api/rooms/{uuid}/read` is `postRoomsUuidRead`. Generated clients depend on these names. */
function operationId({ method, path }: Route): string {
  const words = path
    .replace(/^\/api\//, '')
    .split(/[/{}_.-]+/)
    .filter(Boolean);
  return [method, ...words].join('-').replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

const bytes = z.string().meta({ override: { type: 'string', format: 'binary' }, example: 'the bytes of the file' });
const form = z.object({ file: bytes });

/** Additional answers of a download: ranges and conditional requests. */
const partialAnswers = (content: { [type: string]: { schema: z.ZodType } }) => ({
  '206': { description: 'The range that was asked for', content },
  '304': { description: 'What `If-None-Match` names is still right' },
});

function requestBodyOf(spec: Route): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (spec.upload) {
    const schema = spec.form ? form.extend(spec.form.shape) : form;
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!spec.body) return {};
  const content = { 'application/json': { schema: spec.body } };
  return { requestBody: { required: isBodyRequired(spec.body), content } };
}

function responsesOf(spec: Route): ZodOpenApiOperationObject['responses'] {
  const success = {
    description: 'Success',
    ...(spec.idempotent && { headers: replayed }),
    content: { [spec.produces ?? 'application/json']: { schema: spec.response } },
  };
  const refusals = refusalsOf(spec).map((code) => [
    String(HTTP_STATUS[code]),
    { description: code, content: { 'application/json': { schema: problem } } },
  ]);
  return Object.fromEntries([
    [String(spec.status ?? 200), success],
    ...(spec.download ? Object.entries(partialAnswers(success.content)) : []),
    ...refusals,
  ]) as ZodOpenApiOperationObject['responses'];
}

const MASKED = {
  description: 'Contact data is masked for administrators without the right `contacts`, and not searched for them.',
};

/** What administrators need besides their level, for readers of the reference. */
function rightNote({ auth, right, orRight, response }: Route): string {
  if (right === undefined) return '';
  const who = auth === 'member' ? 'Administrators need' : 'Needs';
  const needed = right === ANY_RIGHT ? [] : [`${who} the right \`${right}\`${orRight ? `, or \`${orRight}\`` : ''}.`];
  return [...needed, ...(maskOf(response) ? [MASKED.description] : [])].join(' ');
}

function operation(spec: Route, tag: string): ZodOpenApiOperationObject {
  const parameters = {
    ...(spec.params && { path: spec.params }),
    ...(spec.query && { query: spec.query }),
    ...(spec.idempotent && { header: idempotencyKey }),
  };
  const description = [spec.description, rightNote(spec)].filter(Boolean).join('\n\n');
  return {
    operationId: operationId(spec),
    summary: spec.summary,
    ...(description && { description }),
    tags: [tag],
    security: spec.auth === 'public' ? [] : [{ bearer: [] }],
    requestParams: parameters,
    ...requestBodyOf(spec),
    responses: responsesOf(spec),
    'x-auth': spec.auth,
    ...(spec.right && { 'x-right': spec.right }),
    ...(spec.orRight && { 'x-or-right': spec.orRight }),
  };
}

/** Live events of a service by name, as clients get them from `GET api/events`. */
export type LiveEvents = Record<
  string,
  { summary: string; description: string; schema: z.ZodType; right?: string | undefined }
>;

/** The live events as OpenAPI webhooks. */
function webhooks(liveEvents: LiveEvents): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(liveEvents).map(([name, { summary, description, schema, right }]) => [
      name,
      {
        post: {
          operationId: `on-${name}`.replace(/[-._](\w)/g, (_all, letter: string) => letter.toUpperCase()),
          summary,
          description: right ? `${description}\n\nAdministrators need the right \`${right}\`.` : description,
          security: [{ bearer: [] }],
          ...(right && { 'x-right': right }),
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { '200': { description: 'Nothing is answered: events come down the stream.' } },
        },
      },
    ]),
  );
}

/** OpenAPI 3.1 document of a service's public routes, with plain payloads: the gateway adds the envelope. */
export function openApi(name: string, routes: Route[], liveEvents: LiveEvents) {
  const paths: ZodOpenApiPathsObject = {};
  for (const spec of routes.filter(isPublic)) {
    paths[spec.path] = { ...paths[spec.path], [spec.method]: operation(spec, name) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: name, version: self.version },
    paths,
    webhooks: webhooks(liveEvents),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
}
