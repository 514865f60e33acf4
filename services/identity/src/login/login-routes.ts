import { z } from 'zod';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { confirmation, text } from '@tutoring/shared/kit/http/declare/fields';
import * as codes from '../codes/code-service.ts';
import type { Parts } from '../parts.ts';
import * as tokens from '../tokens/token-service.ts';
import { newBearer } from '../tokens/token.ts';
import { userView } from '../users/user.ts';
import * as login from './login-service.ts';
import { getTokenBody, loginBody } from './login.ts';

const entered = z.strictObject({ ...newBearer, user: userView }).meta({ id: 'Login' });

export const loginRoutes = (parts: Parts): Route[] => [
  route('post /api/auth/login', {
    summary: 'Log in by password, phone code or social token',
    description:
      'Public. `email` and `password` (`gauth_type` `email` or none) log in to any account with that proven e-mail ' +
      'and a password, however it was registered. With `gauth_type` `phone_number` the `password` is the code from ' +
      '`auth/login/send-code`; `google`, `apple` and `facebook` need a valid `gauth_token`: an ID token of Google or ' +
      'Apple, an access token of Facebook or its signed token of Limited Login. A token can be used repeatedly until ' +
      "it expires. A `nonce` must equal the token's nonce, which may be the SHA-256 of it in hex. 503 while the " +
      'provider cannot be reached. `device_key` is the address for push, `device_name` the name in the list of ' +
      'sessions. Every refusal is the same 404, so that it does not reveal which accounts exist; many failures lock ' +
      'the account for a while, with the same answer. A user has at most 20 sessions: a new one ends the one unused ' +
      'for longest.',
    auth: 'public',
    body: loginBody,
    response: entered,
    errors: ['not_found'],
    handle: ({ body, request }) => login.login(parts, body, request),
  }),
  route('post /api/auth/login/send-code', {
    summary: 'Send a login code to a phone',
    description:
      'Public. Sends a six-digit code by SMS to an account that logs in by phone; it is valid for ten minutes. The ' +
      'answer is always the same. At most one code a minute is sent, within the budgets of the number and of the ' +
      "client's network, and only to the configured countries.",
    auth: 'public',
    body: z.object({ phone_number: text(50).meta({ example: '+22890112233' }) }),
    response: confirmation,
    handle: ({ body, request }) => codes.request(parts, 'login', body.phone_number, request.clientAddress),
  }),
  route('post /api/auth/getToken', {
    summary: 'Create another token for a device',
    description:
      "For students and teachers. `email` and `password` must be the caller's own, else 404. Returns a new token " +
      "with the device's key for push (`device_key`, or its aliases `device_token` and `fcm_token`). The current " +
      'token stays valid.',
    auth: 'user',
    body: getTokenBody,
    response: entered,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => login.getToken(parts, caller, body, request),
  }),
  route('post /api/auth/logout', {
    summary: 'End the token in use',
    description:
      'For students and teachers. The token ends everywhere within a second, with its streams of live events and its ' +
      "push messages. The user's other tokens stay valid.",
    auth: 'user',
    response: confirmation,
    handle: ({ caller }) => tokens.logOut(parts, caller),
  }),
];
