import { z } from 'zod';
import { timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { identifier } from '../call/call.ts';
import type { Parts } from '../parts.ts';
import { joinToken } from './join-service.ts';

export const joinRoutes = (parts: Parts) => [
  route('post /api/call/token', {
    summary: 'Get a token to join a live call',
    description:
      'For both people of the call: a provider token, valid for the time that the balance still pays (at most 4 hours) ' +
      'and a minute, and before the acceptance also for the rest of the ring. A new token is made only when its ' +
      "expiry differs from that of the last one. 404 when the call is not the caller's, 409 when it is over.",
    auth: 'user',
    body: z.object({ identifier }),
    response: z
      .strictObject({
        channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
        token: z.string().meta({ example: '007eJxTYNi5' }),
        expires_at: timestamp(),
      })
      .meta({ id: 'CallToken' }),
    errors: ['not_found', 'conflict'],
    handle: ({ caller, body }) => joinToken(parts, caller.id, body.identifier),
  }),
];
