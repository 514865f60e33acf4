import { z } from 'zod';
import { done, text } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { commonPassword } from '../credentials/common-password.ts';
import type { Parts } from '../parts.ts';
import { password } from '../registration/registration.ts';
import type { Reset } from './reset-service.ts';

export const resetRoutes = ({ codes }: Parts, reset: Reset): Route[] => [
  route('post /api/auth/reset-password-send-code', {
    summary: 'Send a code to reset the password',
    description:
      'Public. Sends a six-digit code to the e-mail of an account that has proven it, however it logs in; it lives ' +
      'ten minutes. The answer is always the same, so that nobody learns which accounts exist. Within a minute of a ' +
      'code no other is sent, nor beyond the budgets of the address and of the network that asks.',
    auth: 'public',
    body: z.object({ email: text().optional().meta({ example: 'awa@example.com' }) }),
    response: done,
    handle: ({ body, request }) => codes.request('reset', body.email, request.clientAddress),
  }),
  route('post /api/auth/reset-password-verify-code', {
    summary: 'Turn the code into permission for one reset',
    description:
      'Public. Answers a `reset_token` that allows one reset within ten minutes. A wrong or old code is a 404; ' +
      'five wrong tries from one network refuse it every code of the account for a while.',
    auth: 'public',
    body: z.object({
      email: text().optional().meta({ example: 'awa@example.com' }),
      code: text(50).optional().meta({ example: '493021' }),
    }),
    response: done.extend({ reset_token: z.string().meta({ example: 'kT3vB0xY8mQ2' }) }),
    errors: ['not_found'],
    handle: ({ body, request }) => reset.verifyCode(body, request),
  }),
  route('post /api/auth/reset-password', {
    summary: 'Set a new password',
    description:
      'Public. Needs the `reset_token`; without it, it works only for the client that entered the code within the ' +
      'last two minutes, by address and user agent, else 404 (the setting `reset_needs_token`: never). Ends every session of the ' +
      'account and notifies the owner. A password that is among the most common, or has the name or e-mail name in ' +
      'it, is a 422. A failed try does not use up the permission.',
    auth: 'public',
    body: z.object({
      email: text().meta({ example: 'awa@example.com' }),
      password: password(),
      reset_token: text(200).optional().meta({ example: 'kT3vB0xY8mQ2' }),
    }),
    rules: ({ fields }) => commonPassword(fields),
    response: done,
    errors: ['not_found'],
    handle: ({ body, request }) => reset.reset(body, request),
  }),
];
