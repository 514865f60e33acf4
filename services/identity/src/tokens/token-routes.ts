import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { done, pathId, text } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { command } from '@tutoring/shared/internal/command';
import { unauthenticated } from '../errors.ts';
import { texts } from '../texts.ts';
import { apiToken, newBearer, sessionView } from './token.ts';
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
  route('get /api/auth/sessions', {
    summary: 'Where the caller is logged in',
    description:
      'For students and teachers: at most 20, last used first. `name` is the `device_name` of the login, else what ' +
      'its user agent says, `address` that of the login; `push` says that push goes to it, `current` that it is the ' +
      'one in use. `last_used_at` may be five minutes old, the order one minute. API tokens are not among them.',
    auth: 'user',
    response: z.array(sessionView),
    handle: ({ caller }) => tokens.sessions(caller),
  }),
  route('delete /api/auth/sessions/{id}', {
    summary: 'End a session',
    description:
      'For students and teachers. It ends everywhere within a second, with its streams of live events and its push. ' +
      "Somebody else's is a 404, and so is an API token.",
    auth: 'user',
    params: z.object({ id: pathId() }),
    response: done,
    handle: async ({ params, caller }) => {
      const ended = await tokens.end(caller, { kind: 'login', only: params.id });
      return ended > 0 ? { message: texts.sessionEnded } : undefined;
    },
  }),
  route('delete /api/auth/sessions', {
    summary: 'End all other sessions',
    description:
      'For students and teachers. Every session but the one in use ends, everywhere within a second; `ended` says ' +
      'how many. API tokens go on.',
    auth: 'user',
    response: done.extend({ ended: z.int().meta({ example: 2 }) }),
    handle: async ({ caller }) => {
      const ended = await tokens.end(caller, { kind: 'login', except: caller.tokenId });
      return { message: texts.sessionsEnded, ended };
    },
  }),
  route('put /api/auth/device', {
    summary: 'Set where push goes',
    description:
      'For students and teachers. Sets the key for push of the session in use, and takes it from every other one, ' +
      'whosever that is; `""` removes it. The field must be there. Answers the session; with an API token it is a 404.',
    auth: 'user',
    body: z.object({ device_key: text(1_024).nullable().meta({ example: 'fcm-device-registration-token' }) }),
    response: sessionView,
    errors: ['not_found'],
    handle: ({ body, caller }) => tokens.setDevice(caller, body.device_key),
  }),

  command('token.verify', ({ body }) => tokens.verify(body.token, body.language), unauthenticated),
  command('token.verify-batch', async ({ body }) => ({ holders: await tokens.verifyAll(body.tokens) })),
];
