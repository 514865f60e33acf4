import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { done, pathId, text } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { unauthenticated } from '../errors.ts';
import { texts } from '../texts.ts';
import { apiToken, newBearer } from './session.ts';
import type { Tokens } from './token-service.ts';
import { apiTokens } from './token-store.ts';

export const tokenRoutes = ({ database, tokens }: { database: Database; tokens: Tokens }): Route[] => [
  route('get /api/auth/tokens', {
    summary: 'API tokens of the caller',
    description:
      'For students and teachers: the tokens that they made for scripts and integrations, without their ' +
      'secrets. Tokens of logins are not among them.',
    auth: 'user',
    response: z.array(apiToken),
    handle: ({ caller }) => apiTokens(database.manager, caller.id),
  }),
  route('post /api/auth/tokens', {
    summary: 'Create an API token',
    description:
      'For students and teachers. `token` is in this answer only: keep it. It may do what its owner may, until ' +
      'it is deleted or unused for 180 days. At most 100 tokens (409).',
    auth: 'user',
    body: z.object({ name: text().meta({ example: 'Reporting script' }) }),
    response: apiToken.extend({ token: newBearer.token }),
    errors: ['conflict'],
    handle: ({ body, caller }) => tokens.createApiToken(caller, body.name),
  }),
  route('delete /api/auth/tokens/{id}', {
    summary: 'Delete an API token',
    description: "For students and teachers. The token ends everywhere within a second. Somebody else's is a 404.",
    auth: 'user',
    params: z.object({ id: pathId() }),
    response: done,
    handle: async ({ params, caller }) => {
      const ended = await tokens.end(caller, { kind: 'api', only: params.id });
      return ended > 0 ? { message: texts.tokenDeleted } : undefined;
    },
  }),
  command('token.verify', ({ body }) => tokens.verify(body.token, body.language), unauthenticated),
  command('token.verify-batch', async ({ body }) => ({ holders: await tokens.verifyAll(body.tokens) })),
];
