import { z } from 'zod';
import { confirmation, pathId, text } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
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
    description: 'For administrators. All administrators, including inactive ones.',
    auth: 'admin',
    response: z.array(adminView),
    handle: async () => (await listAdmins(manager)).map(adminViewOf),
  }),
  route('get /api/admin/admins/access', {
    summary: 'Access of administrators',
    description:
      'For super administrators. Per administrator, in the order of the ids: the time of the last recorded login or ' +
      'null, whether two-factor authentication is on, and the number of live sessions.',
    auth: 'su',
    response: z.array(adminAccess),
    handle: () => listAccess(manager, tokens.idle.admin),
  }),
  route('get /api/admin/admins/{id}', {
    summary: 'An administrator',
    description: 'For administrators. One administrator, by id.',
    auth: 'admin',
    params,
    response: adminView,
    handle: async ({ params: { id } }) => adminViewOf(found(await findAdmin(manager, id))),
  }),
  route('post /api/admin/admins', {
    summary: 'Create an administrator',
    description:
      'For super administrators. The new administrator has the level `default` and can log in immediately. ' +
      '`statusCode` is 201 and `data` a sentence. 422 for an e-mail in use, and for a password that is among the ' +
      'most common or contains the name or the name part of the e-mail.',
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
      "For super administrators. Deactivation ends the administrator's sessions within a second. 409 for the " +
      "caller's own account and for the last active super administrator.",
    auth: 'su',
    params,
    body: z.object({ status: z.enum(['active', 'inactive']) }),
    response: confirmation,
    errors: ['conflict'],
    handle: ({ params: { id }, body, caller }) => admins.setStatus(caller, id, body.status),
  }),
];

/** `admin/auth/*`: an administrator's own sessions and account. */
export const ownAccountRoutes = ({ codes, tokens, totp }: Parts, ownAccount: OwnAccount): Route[] => [
  route('post /api/admin/auth/login', {
    summary: 'Log in as an administrator',
    description:
      'Public. Returns a token that expires after 12 hours without use. Every refusal is the same 404; many failures ' +
      'lock the account for a while, with the same answer. With two-factor authentication the right password also ' +
      'needs a `code`: six digits of the app, of the current or an adjacent step of 30 seconds, or a recovery code. ' +
      'A missing code is a 403 "A code is required."; a wrong or used code is a 403 "The code is invalid.", which ' +
      'counts as a failure.',
    auth: 'public',
    body: adminCredentials,
    response: z.strictObject({ ...newBearer, admin: adminView }).meta({ id: 'AdminLogin' }),
    errors: ['not_found', 'second_factor'],
    handle: ({ body, request }) => ownAccount.login(body, request.clientAddress),
  }),
  route('post /api/admin/auth/logout', {
    summary: 'End the token in use',
    description: 'For administrators. The token ends everywhere within a second.',
    auth: 'admin',
    response: confirmation,
    handle: ({ caller }) => tokens.logOut(caller),
  }),
  route('post /api/admin/auth/reset-password-send-code', {
    summary: 'Send an administrator a code to reset the password',
    description:
      'Public. Sends a six-digit code to the e-mail address of an active administrator; it is valid for ten minutes. ' +
      'The answer is always the same. At most one code a minute is sent, within the budgets of the address and of ' +
      "the client's network.",
    auth: 'public',
    body: z.object({ email: text().optional().meta({ example: 'awa@example.com' }) }),
    response: confirmation,
    handle: ({ body, request }) => codes.request('admin_reset', body.email, request.clientAddress),
  }),
  route('post /api/admin/auth/reset-password', {
    summary: "Set an administrator's new password",
    description:
      'Public. Needs the code that was sent; a wrong, expired or unknown code is a 404, and after five wrong tries ' +
      'from one network every code for the address is refused there for a while. Ends all tokens of the ' +
      'administrator, who is notified; two-factor authentication stays on. 422 for a password that is among the most ' +
      'common or contains the name or the name part of the e-mail.',
    auth: 'public',
    body: resetInput,
    rules: ({ fields }) => commonPassword(fields),
    response: confirmation,
    errors: ['not_found'],
    handle: ({ body, request }) => ownAccount.resetPassword(body, request.clientAddress),
  }),
  route('get /api/admin/auth/me', {
    summary: 'Own account of an administrator',
    description: "For administrators. The caller's name, e-mail, level and status.",
    auth: 'admin',
    response: adminView,
    errors: ['not_found'],
    handle: ({ caller }) => ownAccount.read(caller),
  }),
  route('put /api/admin/auth/me', {
    summary: 'Change the own account',
    description:
      'For administrators. Only the fields that are sent change. A new `email` or `password` needs ' +
      "`current_password` (wrong or missing: 422), ends the caller's other tokens and is reported to the old " +
      'address. 422 for an e-mail in use, and for a password that is among the most common or contains the name or ' +
      'the name part of the e-mail.',
    auth: 'admin',
    body: accountChange,
    rules: ({ fields, caller }) => ownAccount.rules(caller, fields),
    response: adminView,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => ownAccount.update(caller, body, request.clientAddress),
  }),
  route('get /api/admin/auth/totp', {
    summary: 'Whether two-factor authentication is on',
    description: "For administrators. The caller's two-factor authentication; it is off until it has been confirmed.",
    auth: 'admin',
    response: z.strictObject({ totp: z.boolean().meta({ example: true }) }).meta({ id: 'Totp' }),
    handle: async ({ caller }) => ({ totp: await totp.isOn(caller.id) }),
  }),
  route('post /api/admin/auth/totp', {
    summary: 'Begin two-factor authentication',
    description:
      'For administrators. Returns a shared secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 ' +
      'seconds) and its link, to be shown as a QR code. It has no effect until `PUT` confirms it; each request ' +
      'returns a new secret. Needs the `current_password`; a wrong password is a 422. 409 while two-factor ' +
      'authentication is on.',
    auth: 'admin',
    body: z.object({ current_password: currentPassword() }),
    response: z
      .strictObject({
        secret: z.string().meta({ example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
        uri: z.string().meta({
          example: 'otpauth://totp/Tutoring:awa%40example.com?issuer=Tutoring&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        }),
      })
      .meta({ id: 'TotpSecret' }),
    errors: ['not_found', 'conflict'],
    handle: ({ body, caller, request }) => ownAccount.openTotp(caller, body.current_password, request.clientAddress),
  }),
  route('put /api/admin/auth/totp', {
    summary: 'Switch two-factor authentication on',
    description:
      'For administrators. A code of the app confirms that the app has the secret, and cannot be used again; a wrong ' +
      'code is a 422. The ten recovery codes are in this answer only: each replaces a code once.',
    auth: 'admin',
    body: z.object({ code: z.string().meta({ example: '493021' }) }),
    response: z
      .strictObject({
        message: z.string().meta({ example: 'It is done.' }),
        recovery_codes: z.array(z.string()).meta({ example: ['K7QM-2XAB-D5TZ-VN3C'] }),
      })
      .meta({ id: 'RecoveryCodes' }),
    handle: ({ body, caller }) => ownAccount.confirmTotp(caller, body.code),
  }),
  route('delete /api/admin/auth/totp', {
    summary: 'Switch two-factor authentication off',
    description:
      'For administrators. Needs the `current_password`; a wrong password is a 422. Deletes the recovery codes too.',
    auth: 'admin',
    body: z.object({ current_password: currentPassword() }),
    response: confirmation,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => ownAccount.removeTotp(caller, body.current_password, request.clientAddress),
  }),
];
