import { z } from 'zod';
import { confirmation, text } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import * as codes from '../codes/code-service.ts';
import { commonPassword } from '../credentials/common-password.ts';
import type { Parts } from '../parts.ts';
import { password } from '../registration/registration.ts';
import * as reset from './reset-service.ts';

export const resetRoutes = (parts: Parts): Route[] => [
  route('post /api/auth/reset-password-send-code', {
    summary: 'Send a code to reset the password',
    description:
      'Public. Sends a six-digit code to the proven e-mail of an account, however it logs in; the code is valid for ' +
      'ten minutes. The answer is always the same, so that it does not reveal which accounts exist. At most one code ' +
      "a minute is sent, within the budgets of the address and of the client's network.",
    auth: 'public',
    body: z.object({ email: text().optional().meta({ example: 'awa@example.com' }) }),
    response: confirmation,
    handle: ({ body, request }) => codes.request(parts, 'reset', body.email, request.clientAddress),
  }),
  route('post /api/auth/reset-password-verify-code', {
    summary: 'Exchange the code for a reset token',
    description:
      'Public. Returns a `reset_token` that allows one reset within ten minutes. A wrong or expired code is a 404; ' +
      'after five wrong tries from one network every code of the account is refused there for a while.',
    auth: 'public',
    body: z.object({
      email: text().optional().meta({ example: 'awa@example.com' }),
      code: text(50).optional().meta({ example: '493021' }),
    }),
    response: confirmation
      .extend({ reset_token: z.string().meta({ example: 'kT3vB0xY8mQ2' }) })
      .meta({ id: 'ResetToken' }),
    errors: ['not_found'],
    handle: ({ body, request }) => reset.verifyCode(parts, body, request),
  }),
  route('post /api/auth/reset-password', {
    summary: 'Set a new password',
    description:
      'Public. Needs the `reset_token`. Without it, only the client that entered the code (same address and user ' +
      'agent) may reset the password, for two minutes, unless the setting `reset_needs_token` forbids that; else ' +
      '404. Ends every session of the account and notifies the owner. 422 for a password that is among the most ' +
      'common or contains the name or the name part of the e-mail. The token stays valid after a failed request.',
    auth: 'public',
    body: z.object({
      email: text().meta({ example: 'awa@example.com' }),
      password: password(),
      reset_token: text(200).optional().meta({ example: 'kT3vB0xY8mQ2' }),
    }),
    rules: ({ fields }) => commonPassword(fields),
    response: confirmation,
    errors: ['not_found'],
    handle: ({ body, request }) => reset.reset(parts, body, request),
  }),
];
