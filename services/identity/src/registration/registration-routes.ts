import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { route, type Route } from '@tutoring/shared/http/route';
import { userView } from '../users/user.ts';
import { registerBody, verifyBody } from './registration.ts';
import type { Registration } from './registration-service.ts';

export function registrationRoutes(deps: { database: Database; registration: Registration; country: string }): Route[] {
  const { database, registration, country } = deps;
  return [
    route({
      method: 'post',
      path: '/api/auth/register',
      summary: 'Register a student or a teacher',
      description:
        'Sends a code by e-mail, and by SMS when `gauth_type` is `phone_number`. Social accounts are verified at once.',
      auth: 'public',
      body: registerBody(database.manager, country),
      response: z.strictObject({ message: z.string(), user: userView }),
      errors: ['rate_limited', 'unavailable'],
      handle: ({ body }) => registration.register(body),
    }),
    route({
      method: 'post',
      path: '/api/auth/register/verify',
      summary: 'Verify an account with the code that was sent',
      auth: 'public',
      body: verifyBody,
      response: z.strictObject({
        message: z.string(),
        token: z.string(),
        token_type: z.literal('Bearer'),
        user: userView,
      }),
      errors: ['not_found'],
      handle: ({ body }) => registration.verify(body),
    }),
  ];
}
