import { z } from 'zod';
import type { UserCaller } from '@tutoring/shared/identity/auth';
import type { Database } from '@tutoring/shared/database/open';
import { pathId, text } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { recordNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { setDevice } from './device-service.ts';
import { sessionView } from './session.ts';
import { listSessions } from './session-service.ts';
import type { Tokens } from './token-service.ts';

const message = z.string().meta({ example: 'It is done.' });

export function sessionRoutes({ database, tokens }: { database: Database; tokens: Tokens }): Route[] {
  const list = (caller: UserCaller) => listSessions({ database, tokens }, caller);

  return [
    route({
      method: 'get',
      path: '/api/auth/sessions',
      summary: 'Where the caller is logged in',
      description:
        'For students and teachers: at most 20, last used first. `name` is the `device_name` of the login, else what ' +
        'its user agent says, `address` that of the login; `push` says that push goes to it, `current` that it is the ' +
        'one in use. `last_used_at` may be five minutes old, the order one minute. API tokens are not among them.',
      auth: 'user',
      response: z.array(sessionView),
      handle: ({ caller }) => list(caller),
    }),
    route({
      method: 'delete',
      path: '/api/auth/sessions/{id}',
      summary: 'End a session',
      description:
        'For students and teachers. It ends everywhere within a second, with its streams of live events and its push. ' +
        "Somebody else's is a 404, and so is an API token.",
      auth: 'user',
      params: z.object({ id: pathId() }),
      response: z.strictObject({ message }),
      notFound: recordNotFound,
      handle: async ({ params, caller }) => {
        const revocation = await database.transact((tx) => tokens.revokeSession(tx, caller.id, params.id));
        if (!revocation) throw recordNotFound();
        tokens.announce(revocation);
        return { message: texts.sessionEnded };
      },
    }),
    route({
      method: 'delete',
      path: '/api/auth/sessions',
      summary: 'End all other sessions',
      description:
        'For students and teachers. Every session but the one in use ends, everywhere within a second; `ended` says ' +
        'how many. API tokens go on.',
      auth: 'user',
      response: z.strictObject({ message, ended: z.int().meta({ example: 2 }) }),
      handle: async ({ caller }) => {
        const revocation = await database.transact((tx) => tokens.revokeOtherSessions(tx, caller.id, caller.tokenId));
        tokens.announce(revocation);
        return { message: texts.sessionsEnded, ended: revocation?.token_ids.length ?? 0 };
      },
    }),
    route({
      method: 'put',
      path: '/api/auth/device',
      summary: 'Set where push goes',
      description:
        'For students and teachers. Sets the key for push of the session in use, and takes it from every other one, ' +
        'whosever that is; `""` removes it. The field must be there. Answers the session; with an API token it is a 404.',
      auth: 'user',
      body: z.object({ device_key: text(1_024).nullable().meta({ example: 'fcm-device-registration-token' }) }),
      response: sessionView,
      errors: ['not_found'],
      handle: async ({ body, caller }) => {
        await database.transact((tx) => setDevice(tx, caller.id, caller.tokenId, body.device_key));
        const current = (await list(caller)).find((session) => session.current);
        if (!current) throw recordNotFound();
        return current;
      },
    }),
  ];
}
