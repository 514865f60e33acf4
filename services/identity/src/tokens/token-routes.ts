import { z } from 'zod';
import { confirmation, pathId, text } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { command } from '@tutoring/shared/contract/command';
import { LANGUAGES } from '@tutoring/shared/kit/process/language';
import { unauthenticated } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as tokens from './token-service.ts';
import { verifyAll } from './verification-service.ts';
import { apiToken, newBearer, sessionView } from './token.ts';
import { apiTokens } from './token-store.ts';

export const tokenRoutes = (parts: Parts): Route[] => [
  route('get /api/auth/tokens', {
    summary: "The caller's API tokens",
    description:
      'For students and teachers. The tokens created for scripts and integrations, without their secrets; tokens of ' +
      'logins are not included.',
    auth: 'user',
    response: z.array(apiToken),
    handle: ({ caller }) => apiTokens(parts.database.manager, caller.id),
  }),
  route('post /api/auth/tokens', {
    summary: 'Create an API token',
    description:
      "For students and teachers. `token` is only in this answer: store it. It has its owner's rights until it is " +
      'deleted or unused for 180 days. At most 100 tokens (409).',
    auth: 'user',
    body: z.object({ name: text().meta({ example: 'Reporting script' }) }),
    response: apiToken.extend({ token: newBearer.token }).meta({ id: 'NewApiToken' }),
    errors: ['conflict'],
    handle: ({ body, caller }) => tokens.createApiToken(parts, caller, body.name),
  }),
  route('delete /api/auth/tokens/{id}', {
    summary: 'Delete an API token',
    description: "For students and teachers. The token ends everywhere within a second. Another user's token is a 404.",
    auth: 'user',
    params: z.object({ id: pathId() }),
    response: confirmation,
    handle: async ({ params, caller }) => {
      const ended = await tokens.end(parts, caller, { kind: 'api', only: params.id });
      return ended > 0 ? { message: texts.tokenDeleted } : undefined;
    },
  }),
  route('get /api/auth/sessions', {
    summary: "The caller's sessions",
    description:
      'For students and teachers. At most 20, last used first. `name` is the `device_name` of the login, by default ' +
      'a name derived from its user agent; `address` is the address of the login; `push` says whether the session ' +
      'gets push messages, `current` whether it is the one in use. `last_used_at` may be five minutes old, the order ' +
      'one minute. API tokens are not included.',
    auth: 'user',
    response: z.array(sessionView),
    handle: ({ caller }) => tokens.sessions(parts, caller),
  }),
  route('delete /api/auth/sessions/{id}', {
    summary: 'End a session',
    description:
      'For students and teachers. The session ends everywhere within a second, with its streams of live events and ' +
      "its push messages. 404 for another user's session and for an API token.",
    auth: 'user',
    params: z.object({ id: pathId() }),
    response: confirmation,
    handle: async ({ params, caller }) => {
      const ended = await tokens.end(parts, caller, { kind: 'login', only: params.id });
      return ended > 0 ? { message: texts.sessionEnded } : undefined;
    },
  }),
  route('delete /api/auth/sessions', {
    summary: 'End all other sessions',
    description:
      'For students and teachers. Every session except the one in use ends everywhere within a second; `ended` is ' +
      'their number. API tokens stay valid.',
    auth: 'user',
    response: confirmation.extend({ ended: z.int().meta({ example: 2 }) }).meta({ id: 'EndedSessions' }),
    handle: async ({ caller }) => {
      const ended = await tokens.end(parts, caller, { kind: 'login', except: caller.tokenId });
      return { message: texts.sessionsEnded, ended };
    },
  }),
  route('put /api/auth/device', {
    summary: 'Set the device key for push',
    description:
      'For students and teachers. Sets the device key of the session in use and removes it from every other session ' +
      'of any user; `""` removes it. The field is required. Returns the session; 404 with an API token.',
    auth: 'user',
    body: z.object({ device_key: text(1_024).nullable().meta({ example: 'fcm-device-registration-token' }) }),
    response: sessionView,
    errors: ['not_found'],
    handle: ({ body, caller }) => tokens.setDevice(parts, caller, body.device_key),
  }),

  command(
    'token.verify',
    ({ body }) =>
      tokens.verify(
        parts,
        body.token,
        LANGUAGES.find((known) => known === body.language),
      ),
    unauthenticated,
  ),
  command('token.verify-batch', async ({ body }) => ({ holders: await verifyAll(parts, body.tokens) })),
];
