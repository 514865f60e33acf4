import { z } from 'zod';
import { confirmation, email } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import * as codes from '../codes/code-service.ts';
import type { Parts } from '../parts.ts';
import { newBearer } from '../tokens/token.ts';
import { userView } from '../users/user.ts';
import * as registration from './registration-service.ts';
import { registerBody, registerRules, verifyBody } from './registration.ts';

export const registrationRoutes = (parts: Parts): Route[] => [
  route('post /api/auth/register', {
    summary: 'Register a student or a teacher',
    description:
      'Public. Stores the submission and sends a six-digit code that is valid for ten minutes: by e-mail, or with ' +
      '`gauth_type` `phone_number` by SMS only. The e-mail is then unproven: it is not shown to other users and gets ' +
      'no reset code until `PUT me` proves it; the number must be valid and able to receive SMS (422). A social ' +
      '`gauth_type` needs a `gauth_token` for the same e-mail and creates the account immediately. `password` is ' +
      'required unless the type is social or `phone_number`; 422 for a password that is among the most common or ' +
      'contains the name or the name part of the e-mail. Registering an unverified address again replaces the ' +
      'submission, at most five times in ten minutes (429); if the passwords differ, none is set, and the owner ' +
      'chooses one by a reset. A verified address is a 422.',
    auth: 'public',
    body: registerBody,
    rules: ({ fields }) => registerRules(parts, fields),
    response: confirmation.extend({ user: userView }).meta({ id: 'Registration' }),
    errors: ['rate_limited'],
    handle: ({ body, request }) => registration.register(parts, body, request.clientAddress),
  }),
  route('post /api/auth/register/send-code', {
    summary: 'Send the code of a registration again',
    description:
      'Public. Sends a new code for the newest unverified registration of the e-mail, by the same channel as before; ' +
      'a registration by e-mail takes precedence over one by phone. The previous code is no longer valid. The answer ' +
      'is always the same. At most five codes are sent in ten minutes, including those of `register`, within the ' +
      "budgets of the address and of the client's network.",
    auth: 'public',
    body: z.object({ email: email() }),
    response: confirmation,
    handle: ({ body, request }) => codes.request(parts, 'register', body.email, request.clientAddress),
  }),
  route('post /api/auth/register/verify', {
    summary: 'Verify an account with the code that was sent',
    description:
      'Public. The right code creates the account and returns a token, like a login; `device_name` is the name of ' +
      'the device in the list of sessions. A wrong or expired code is a 404 whose `message` is an object. After five ' +
      'wrong tries from one network every code for the address is refused there for a while.',
    auth: 'public',
    body: verifyBody,
    response: confirmation.extend({ ...newBearer, user: userView }).meta({ id: 'VerifiedRegistration' }),
    errors: ['not_found'],
    handle: ({ body, request }) => registration.verify(parts, body, request),
  }),
];
