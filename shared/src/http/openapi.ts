import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { HTTP_STATUS, type ErrorCode } from '../errors.ts';
import type { Route } from './route.ts';

const problem = z
  .object({ code: z.string(), message: z.string(), errors: z.record(z.string(), z.array(z.string())).optional() })
  .meta({ id: 'Problem' });

/** The refusals a route can give, from its declaration. */
function errorCodes(spec: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(spec.errors ?? []);
  if (spec.auth !== 'public') codes.add('unauthenticated').add('forbidden');
  if (spec.body || spec.query) codes.add('invalid');
  if (spec.params) codes.add('not_found');
  return [...codes];
}

function operation(spec: Route, tag: string): ZodOpenApiOperationObject {
  const name = spec.path
    .replace(/^\/api\//, '')
    .split(/[/{}_-]+/)
    .filter(Boolean);
  const media = spec.produces ?? 'application/json';
  const responses: ZodOpenApiOperationObject['responses'] = {
    [`${spec.status ?? 200}` as '200']: { description: 'Success', content: { [media]: { schema: spec.response } } },
  };
  for (const code of errorCodes(spec)) {
    responses[`${HTTP_STATUS[code]}` as '400'] = {
      description: code,
      content: { 'application/json': { schema: problem } },
    };
  }
  return {
    operationId: [spec.method, ...name].join('-').replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    tags: [tag],
    security: spec.auth === 'public' ? [] : [{ bearer: [] }],
    ...((spec.params || spec.query) && {
      requestParams: { ...(spec.params && { path: spec.params }), ...(spec.query && { query: spec.query }) },
    }),
    ...(spec.body && { requestBody: { content: { 'application/json': { schema: spec.body } } } }),
    responses,
    'x-auth': spec.auth,
  };
}

/** OpenAPI 3.1 of a service's public routes, in the service's own terms: plain payloads, no envelope. */
export function openApi(name: string, routes: Route[]) {
  const paths: ZodOpenApiPathsObject = {};
  for (const spec of routes.filter((candidate) => candidate.path.startsWith('/api/'))) {
    paths[spec.path] = { ...paths[spec.path], [spec.method]: operation(spec, name) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: name, version: '0.1.0' },
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
}
