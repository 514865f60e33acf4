import { z } from 'zod';
import { confirmation, pathId, text } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { ROLE_NAMES, ROLES } from '@tutoring/shared/contract/rights';
import * as codes from '../codes/code-service.ts';
import { commonPassword } from '../credentials/common-password.ts';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import * as tokens from '../tokens/token-service.ts';
import { newBearer } from '../tokens/token.ts';
import * as totp from '../totp/totp-service.ts';
import * as admins from './admin-service.ts';
import {
  accountChange,
  adminAccess,
  adminCredentials,
  adminView,
  adminViewOf,
  currentPassword,
  newAdmin,
  ownRights,
  resetInput,
  roleList,
  roleView,
} from './admin.ts';
import { findAdmin, listAccess, listAdmins } from './admin-store.ts';
import * as ownAccount from './own-account-service.ts';

const params = z.object({ id: pathId() });
const forAnyAdmin = { auth: 'admin', right: 'any' } as const;

/** Every role with its rights. */
const allRoles = ROLE_NAMES.map((name) => ({ name, rights: [...ROLES[name]] }));

export const adminRoutes = (parts: Parts): Route[] => [
  route('get /api/admin/admins', {
    summary: 'Administrators',
    description: 'For administrators. All administrators, including inactive ones.',
    ...forAnyAdmin,
    response: z.array(adminView),
    handle: async () => (await listAdmins(parts.database.manager)).map(adminViewOf),
  }),
  route('get /api/admin/admins/access', {
    summary: 'Access of administrators',
    description:
      'For super administrators. Per administrator, in the order of the ids: the time of the last recorded login or ' +
      'null, whether two-factor authentication is on, the number of live sessions, and the roles; a super ' +
      'administrator has every right and is shown with `all`.',
    auth: 'su',
    response: z.array(adminAccess),
    handle: () => listAccess(parts.database.manager, parts.idle.admin),
  }),
  route('get /api/admin/admins/{id}', {
    summary: 'An administrator',
    description: 'For administrators. One administrator, by id.',
    ...forAnyAdmin,
    params,
    response: adminView,
    handle: async ({ params: { id } }) => adminViewOf(found(await findAdmin(parts.database.manager, id))),
  }),
  route('post /api/admin/admins', {
    summary: 'Create an administrator',
    description:
      'For super administrators. The new administrator has the level `default` and can log in immediately. Without ' +
      '`roles` the role is `all`. ' +
      '`statusCode` is 201 and `data` a sentence. 422 for an e-mail in use, and for a password that is among the ' +
      'most common or contains the name or the name part of the e-mail.',
    auth: 'su',
    body: newAdmin,
    rules: ({ fields }) => admins.rules(parts, fields),
    response: z.string().meta({ example: 'The administrator has been created.' }),
    status: 201,
    handle: ({ body, caller, request }) => admins.create(parts, caller, body, request.clientAddress),
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
    handle: ({ params: { id }, body, caller }) => admins.setStatus(parts, caller, id, body.status),
  }),
  route('put /api/admin/admins/{id}/roles', {
    summary: "Replace an administrator's roles",
    description:
      'For super administrators. The rights of an administrator are the union of the rights of the roles. The change ' +
      'takes effect within a second, in open streams and running downloads and uploads too; sessions stay. A repeated ' +
      "role counts once. 409 for the caller's own account and for a super administrator, who has every right.",
    auth: 'su',
    params,
    body: z.object({ roles: roleList() }),
    response: confirmation,
    errors: ['conflict'],
    handle: ({ params: { id }, body, caller }) => admins.setRoles(parts, caller, id, body.roles),
  }),
  route('get /api/admin/roles', {
    summary: 'Roles and their rights',
    description: 'For administrators. Every role, with the rights that it gives.',
    ...forAnyAdmin,
    response: z.array(roleView),
    handle: () => allRoles,
  }),
];

/** `admin/auth/*`: an administrator's own sessions and account. */
export const ownAccountRoutes = (parts: Parts): Route[] => [
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
    handle: ({ body, request }) => ownAccount.login(parts, body, request.clientAddress),
  }),
  route('post /api/admin/auth/logout', {
    summary: 'End the token in use',
    description: 'For administrators. The token ends everywhere within a second.',
    ...forAnyAdmin,
    response: confirmation,
    handle: ({ caller }) => tokens.logOut(parts, caller),
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
    handle: ({ body, request }) => codes.request(parts, 'admin_reset', body.email, request.clientAddress),
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
    handle: ({ body, request }) => ownAccount.resetPassword(parts, body, request.clientAddress),
  }),
  route('get /api/admin/auth/me', {
    summary: 'Own account of an administrator',
    description: "For administrators. The caller's name, e-mail, level and status.",
    ...forAnyAdmin,
    response: adminView,
    errors: ['not_found'],
    handle: ({ caller }) => ownAccount.read(parts, caller),
  }),
  route('get /api/admin/auth/rights', {
    summary: 'Own rights of an administrator',
    description:
      "For administrators. The caller's level, roles and rights. A super administrator has every right, and is shown " +
      'with the role `all`.',
    ...forAnyAdmin,
    response: ownRights,
    errors: ['not_found'],
    handle: ({ caller }) => ownAccount.rights(parts, caller),
  }),
  route('put /api/admin/auth/me', {
    summary: 'Change the own account',
    description:
      'For administrators. Only the fields that are sent change. A new `email` or `password` needs ' +
      "`current_password` (wrong or missing: 422), ends the caller's other tokens and is reported to the old " +
      'address. 422 for an e-mail in use, and for a password that is among the most common or contains the name or ' +
      'the name part of the e-mail.',
    ...forAnyAdmin,
    body: accountChange,
    rules: ({ fields, caller }) => ownAccount.rules(parts, caller, fields),
    response: adminView,
    errors: ['not_found'],
    handle: ({ body, caller, request }) => ownAccount.update(parts, caller, body, request.clientAddress),
  }),
  route('get /api/admin/auth/totp', {
    summary: 'Whether two-factor authentication is on',
    description: "For administrators. The caller's two-factor authentication; it is off until it has been confirmed.",
    ...forAnyAdmin,
    response: z.strictObject({ totp: z.boolean().meta({ example: true }) }).meta({ id: 'Totp' }),
    handle: async ({ caller }) => ({ totp: await totp.isOn(parts, caller.id) }),
  }),
  route('post /api/admin/auth/totp', {
    summary: 'Begin two-factor authentication',
    description:
      'For administrators. Returns a shared secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 ' +
      'seconds) and its link, to be shown as a QR code. It has no effect until `PUT` confirms it; each request ' +
      'returns a new secret. Needs the `current_password`; a wrong password is a 422. 409 while two-factor ' +
      'authentication is on.',
    ...forAnyAdmin,
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
    handle: ({ body, caller, request }) =>
      ownAccount.openTotp(parts, caller, body.current_password, request.clientAddress),
  }),
  route('put /api/admin/auth/totp', {
    summary: 'Switch two-factor authentication on',
    description:
      'For administrators. A code of the app confirms that the app has the secret, and cannot be used again; a wrong ' +
      'code is a 422. The ten recovery codes are in this answer only: each replaces a code once.',
    ...forAnyAdmin,
    body: z.object({ code: z.string().meta({ example: '493021' }) }),
    response: confirmation
      .extend({ recovery_codes: z.array(z.string()).meta({ example: ['K7QM-2XAB-D5TZ-VN3C'] }) })
      .meta({ id: 'RecoveryCodes' }),
    handle: ({ body, caller }) => ownAccount.confirmTotp(parts, caller, body.code),
  }),
  route('delete /api/admin/auth/totp', {
    summary: 'Switch two-factor authentication off',
    description:
      'For administrators. Needs the `current_password`; a wrong password is a 422. Deletes the recovery codes too.',
    ...forAnyAdmin,
    body: z.object({ current_password: currentPassword() }),
    response: confirmation,
    errors: ['not_found'],
    handle: ({ body, caller, request }) =>
      ownAccount.removeTotp(parts, caller, body.current_password, request.clientAddress),
  }),
];
