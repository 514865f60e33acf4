import { z } from 'zod';
import { done, email } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import type { Parts } from '../parts.ts';
import { newBearer } from '../tokens/token.ts';
import { userView } from '../users/user.ts';
import { registerBody, registerRules, verifyBody } from './registration.ts';
import type { Registration } from './registration-service.ts';

export const registrationRoutes = (
  { database, codes, country, delivery }: Parts,
  registration: Registration,
): Route[] => [
  route('post /api/auth/register', {
    summary: 'Register a student or a teacher',
    description:
      'Public. Keeps the submission and sends a six-digit code that lives ten minutes: by e-mail, with ' +
      '`gauth_type` `phone_number` by SMS alone, which leaves the e-mail unproven: it is shown to nobody else and ' +
      'gets no reset code until `PUT me` proves it; the number must be valid and able to receive SMS (422). A social `gauth_type` needs a `gauth_token` for the same e-mail and ' +
      'is verified at once. `password` is required unless the type is social or `phone_number`; one that is among ' +
      'the most common, or has the name or e-mail name in it, is a 422. Registering an ' +
      'unverified address again starts anew, at most five times in ten minutes (429), and when the passwords ' +
      'differ none is set: it is chosen by a reset. A verified address is a 422.',
    auth: 'public',
    body: registerBody,
    rules: registerRules({ reader: database.manager, country, isLoginNumber: delivery.isLoginNumber }),
    response: done.extend({ user: userView }),
    errors: ['rate_limited'],
    handle: ({ body, request }) => registration.register(body, request.clientAddress),
  }),
  route('post /api/auth/register/send-code', {
    summary: 'Send the code of a registration again',
    description:
      'Public. The newest registration of the address that is not verified gets a new code, where the first one ' +
      'went, but one by e-mail before one by phone; the code before is void. The answer is always the same. Beyond five codes in ten minutes, those of ' +
      '`register` included, and beyond the budgets of the address and of the network that asks, nothing is sent.',
    auth: 'public',
    body: z.object({ email: email() }),
    response: done,
    handle: ({ body, request }) => codes.request('register', body.email, request.clientAddress),
  }),
  route('post /api/auth/register/verify', {
    summary: 'Verify an account with the code that was sent',
    description:
      'Public. The right code creates the account and answers a token, as a login does; `device_name` is ' +
      'what the list of sessions calls the device. A wrong or old code is ' +
      'a 404 whose `message` is an object. Five wrong tries from one network refuse it every code of the address ' +
      'for a while.',
    auth: 'public',
    body: verifyBody,
    response: done.extend({ ...newBearer, user: userView }),
    errors: ['not_found'],
    handle: ({ body, request }) => registration.verify(body, request),
  }),
];
