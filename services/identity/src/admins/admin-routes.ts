import { z } from 'zod';
import { done, pathId, text } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { commonPassword } from '../credentials/common-password.ts';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { newBearer } from '../tokens/token.ts';
import {
  accountChange,
  adminAccess,
  adminCredentials,
  adminView,
  adminViewOf,
  currentPassword,
  newAdmin,
  resetInput,
} from './admin.ts';
import type { Admins } from './admin-service.ts';
import { findAdmin, listAccess, listAdmins } from './admin-store.ts';
import type { OwnAccount } from './own-account-service.ts';

const params = z.object({ id: pathId() });

export const adminRoutes = ({ database: { manager }, tokens }: Parts, admins: Admins): Route[] => [
  route('get /api/admin/admins', {
    summary: 'Administrators',
    description: 'For administrators. All of them, inactive ones too.',
    auth: 'admin',
    response: z.array(adminView),
    handle: async () => (await listAdmins(manager)).map(adminViewOf),
  }),
  route('get /api/admin/admins/access', {
    summary: 'How administrators get in',
    description:
      'For super administrators. All of them by id: when they logged in last (null: not since this was recorded), ' +
      'whether their two-factor authentication is on, and how many live sessions they have.',
    auth: 'su',
    response: z.array(adminAccess),
    handle: () => listAccess(manager, tokens.idle.admin),
  }),
  route('get /api/admin/admins/{id}', {
    summary: 'An administrator',
    description: 'For administrators. One of them, by id.',
    auth: 'admin',
    params,
    response: adminView,
    handle: async ({ params: { id } }) => adminViewOf(found(await findAdmin(manager, id))),
  }),
  route('post /api/admin/admins', {
    summary: 'Create an administrator',
    description:
      'For super administrators. The new one has the level `default` and can log in at once. `statusCode` is ' +
      '201 and `data` a sentence. An e-mail in use is a 422, and so is a password that is among the most common, or ' +
      'has the name or e-mail name in it.',
    auth: 'su',
    body: newAdmin,
    rules: ({ fields }) => admins.rules(fields),
    response: z.string().meta({ example: 'The administrator has been created.' }),
    status: 201,
    handle: ({ body, caller, request }) => admins.create(caller, body, request.clientAddress),
  }),
  route('put /api/admin/admins/{id}', {
    summary: 'Activate or deactivate an administrator',
    description:
      "For super administrators. Deactivating ends the other's sessions within a second. 409 for oneself and " +
      'for the last active super administrator.',
    auth: 'su',
    params,
    body: z.object({ status: z.enum(['active', 'inactive']) }),
    response: done,
    errors: ['conflict'],
    handle: ({ params: { id }, body, caller }) => admins.setStatus(caller, id, body.status),
  }),
];

/** `admin/auth/*`: what administrators do with their own sessions and accounts. */
export const ownAccountRoutes = ({ codes, tokens, totp }: Parts, ownAccount: OwnAccount): Route[] => [
  route('post /api/admin/auth/login', {
    summary: 'Log in as an administrator',
    description:
      'Public. Answers a token that ends after 12 hours without use. Every refusal is the same 404; many ' +
      'failures lock the account for a while, with that same answer. With two-factor authentication the right password ' +
      'needs a `code` too: six digits of the app, of the present or a neighbouring step of 30 seconds, or a recovery ' +
      'code. Without it: 403 "A code is required."; with a wrong one, or one that was used: 403 "The code is ' +
      'invalid.", which counts as a failure.',
    auth: 'public',
    body: adminCredentials,
    response: z.strictObject({ ...newBearer, admin: adminView }),
    errors: ['not_found', 'second_factor'],
    handle: ({ body, request }) => ownAccount.login(body, request.clientAddress),
  }),
  route('post /api/admin/auth/logout', {
    summary: 'End the token in use',
    description: 'For administrators. The token ends everywhere within a second.',
    auth: 'admin',
    response: done,
    handle: ({ caller }) => tokens.logOut(caller),
  }),
  route('post /api/admin/auth/reset-password-send-code', {
    summary: 'Send an administrator a code to reset the password',
    description:
      'Public. Sends a six-digit code to the e-mail address of an active administrator; it lives ten minutes. The ' +
      'answer is always the same. Within a minute of a code no other is sent, nor beyond the budgets of the address ' +
      'and of the network that asks.',
    auth: 'public',
    body: z.object({ email: text().optional().meta({ example: 'awa@example.com' }) }),
    response: done,
    handle: ({ body, request }) => codes.request('admin_reset', body.email, request.clientAddress),
  }),
  route('post /api/admin/auth/reset-password', {
    summary: "Set an administrator's new password",
    description:
      'Public. Needs the code that was sent; a wrong, old or unknown one is a 404, and five wrong tries from one network ' +
      'refuse it every code of the address for a while. Ends all their tokens and notifies them; two-factor ' +
      'authentication stays. A password that is among the most common, or has the name or e-mail name in it, is a 422.',
    auth: 'public',
    body: resetInput,
    rules: ({ fields }) => commonPassword(fields),
    response: done,
    errors: ['not_found'],
    handle: ({ body, request }) => ownAccount.resetPassword(body, request.clientAddress),
  }),
  route('get /api/admin/auth/me', {
    summary: 'The administrator who asks',
    description: 'For administrators. Name, e-mail, level and status of the one whose token it is.',
    auth: 'admin',
    response: adminView,
    errors: ['not_found'],
    handle: ({ caller }) => ownAccount.read(caller),
  }),
  route('put /api/admin/auth/me', {
    summary: 'Change the own account',
    description:
      'For administrators. Only the fields that are sent change. A new `email` or `password` needs `current_password` ' +
      '(wrong or missing: 422), ends their other tokens and is reported to the old address. An e-mail in use is a 422, and so ' +
      'is a password that is among the most common, or has the name or e-mail name in it.',
    auth: 'admin',
    body: accountChange,
    rules: ({ fields, caller }) => ownAccount.rules(caller, fields),
    response: adminView,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => ownAccount.update(caller, body, request.clientAddress),
  }),
  route('get /api/admin/auth/totp', {
    summary: 'Whether two-factor authentication is on',
    description: 'For administrators. About the one whose token it is; one that was begun and not confirmed is off.',
    auth: 'admin',
    response: z.strictObject({ totp: z.boolean().meta({ example: true }) }),
    handle: async ({ caller }) => ({ totp: await totp.isOn(caller.id) }),
  }),
  route('post /api/admin/auth/totp', {
    summary: 'Begin two-factor authentication',
    description:
      'For administrators. Answers a shared secret for an app that makes codes (RFC 6238: SHA-1, six digits, 30 ' +
      'seconds) and the link to show it as a QR code. It does not count until `PUT` confirms it; asked again, it is ' +
      'another one. Needs the `current_password`; a wrong one is a 422. 409 while one is on.',
    auth: 'admin',
    body: z.object({ current_password: currentPassword() }),
    response: z.strictObject({
      secret: z.string().meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
      uri: z.string().meta({
        example: 'otpauth://totp/Tutoring:awa%40example.com?issuer=Tutoring&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      }),
    }),
    errors: ['not_found', 'conflict'],
    handle: ({ body, caller, request }) => ownAccount.openTotp(caller, body.current_password, request.clientAddress),
  }),
  route('put /api/admin/auth/totp', {
    summary: 'Switch two-factor authentication on',
    description:
      'For administrators. A code of the app confirms that it has the secret, and is used up by it; a wrong one is a ' +
      '422. The ten recovery codes are in this answer only: each is good once, in place of a code.',
    auth: 'admin',
    body: z.object({ code: z.string().meta({ example: '493021' }) }),
    response: z.strictObject({
      message: z.string().meta({ example: 'It is done.' }),
      recovery_codes: z.array(z.string()).meta({ example: ['K7QM-2XAB-D5TZ-VN3C'] }),
    }),
    handle: ({ body, caller }) => ownAccount.confirmTotp(caller, body.code),
  }),
  route('delete /api/admin/auth/totp', {
    summary: 'Switch two-factor authentication off',
    description:
      'For administrators. Needs the `current_password`; a wrong one is a 422. The recovery codes go with it.',
    auth: 'admin',
    body: z.object({ current_password: currentPassword() }),
    response: done,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => ownAccount.removeTotp(caller, body.current_password, request.clientAddress),
  }),
];
