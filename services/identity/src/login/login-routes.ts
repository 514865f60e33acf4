import { z } from 'zod';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { done, text } from '@tutoring/shared/http/declare/fields';
import type { Parts } from '../parts.ts';
import { newBearer } from '../tokens/token.ts';
import { userView } from '../users/user.ts';
import { getTokenBody, loginBody } from './login.ts';
import type { LoginService } from './login-service.ts';

const entered = z.strictObject({ ...newBearer, user: userView });

export const loginRoutes = ({ tokens, codes }: Parts, login: LoginService): Route[] => [
  route('post /api/auth/login', {
    summary: 'Log in by password, phone code or social token',
    description:
      'Public. `email` and `password` log in to any account with that proven e-mail and a password, however it was ' +
      'made (`gauth_type` `email` or none). With `gauth_type` `phone_number` the code from `auth/login/send-code` is the `password`; ' +
      '`google`, `apple` and `facebook` need a valid `gauth_token`: of Google or Apple an ID token, of Facebook an ' +
      'access token or the signed token of Limited Login. It is accepted until it expires, as often as it is sent. ' +
      'A `nonce` that is sent must be the one of the ID token, raw or as its SHA-256 in hex. While the provider gives ' +
      'no verdict the answer is a 503. `device_key` is where push ' +
      'goes, `device_name` what the list of sessions calls the device. Every refusal is the same 404, so that nobody learns which accounts exist; many failures lock the account for ' +
      'a while, with that same answer. A user has at most 20 sessions: the one unused for longest ends.',
    auth: 'public',
    body: loginBody,
    response: entered,
    errors: ['not_found'],
    handle: ({ body, request }) => login.login(body, request),
  }),
  route('post /api/auth/login/send-code', {
    summary: 'Send a login code to a phone',
    description:
      'Public. Sends a six-digit code by SMS to an account that logs in by phone; it lives ten minutes. The ' +
      'answer is always the same. Within a minute of a code no other is sent, nor beyond the budgets of the ' +
      'number and of the network that asks, nor abroad.',
    auth: 'public',
    body: z.object({ phone_number: text(50).meta({ example: '+22890112233' }) }),
    response: done,
    handle: ({ body, request }) => codes.request('login', body.phone_number, request.clientAddress),
  }),
  route('post /api/auth/getToken', {
    summary: 'A further token for a device',
    description:
      "For students and teachers. `email` and `password` must be the caller's own, else 404. Answers a new " +
      "token that carries the device's key for push (`device_key`, or its other names `device_token` and " +
      "`fcm_token`). The caller's present token stays valid.",
    auth: 'user',
    body: getTokenBody,
    response: entered,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => login.getToken(caller, body, request),
  }),
  route('post /api/auth/logout', {
    summary: 'End the token in use',
    description:
      'For students and teachers. The token ends everywhere within a second, with its streams of live events ' +
      'and its push. Other tokens of the user go on.',
    auth: 'user',
    response: done,
    handle: ({ caller }) => tokens.logOut(caller),
  }),
];
