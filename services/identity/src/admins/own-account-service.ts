import { assertThat, type AppError } from '@tutoring/shared/kit/errors';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { invalidField, sentences, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { recordAction } from '../audit/audit-service.ts';
import * as codes from '../codes/code-service.ts';
import { assertUncommon, commonPassword } from '../credentials/common-password.ts';
import { adminKey } from '../credentials/credential-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import { isSamePassword } from '../credentials/password.ts';
import * as delivery from '../delivery/delivery-service.ts';
import { found, notFound, refuseTaken, secondFactor, violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { settingValue } from '../settings/setting-store.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import * as totp from '../totp/totp-service.ts';
import * as admins from './admin-service.ts';
import * as store from './admin-store.ts';
import {
  adminViewOf,
  ownRightsOf,
  type AccountChange,
  type Admin,
  type AdminCredentials,
  type ResetInput,
} from './admin.ts';

/** The e-mail, unless it is the administrator's own in any spelling. */
const newEmail = ({ email_key: own }: Admin, email: string | undefined) =>
  email === undefined || emailKey(email) === own ? undefined : email;

/**
 * Checks password and code as one attempt of the lock-out. After the right password throws second_factor for a wrong
 * code, which counts as a failure, and for a missing code, which does not.
 */
async function checkCredentials(
  parts: Parts,
  admin: Admin | undefined,
  key: string,
  input: AdminCredentials,
  address: string,
) {
  const attempted = { account: adminKey(key), person: admin?.id, address };
  const hash = admin?.status === 'active' ? admin.password_hash : undefined;
  let refusal: AppError | undefined;
  const right = await credentials.attempt(parts, attempted, async (admitted) => {
    const isPassword = await credentials.compare(parts, hash, input.password ?? '', admitted ? admin?.id : undefined);
    if (!isPassword || !admin || !admitted) return false;
    const verdict = await totp.check(parts, admin.id, input.code);
    if (verdict === 'missing') throw secondFactor(texts.codeRequired);
    if (verdict === 'wrong') refusal = secondFactor(texts.codeInvalid);
    return verdict !== 'wrong';
  });
  if (refusal) throw refusal;
  return right;
}

const own = async (parts: Parts, caller: AdminCaller) =>
  found(await store.findAdmin(parts.database.manager, caller.id));

/** The caller's account. Throws invalid unless `password` is right; a wrong one counts for the lock-out. */
async function confirmedCaller(
  parts: Parts,
  caller: AdminCaller,
  password: string | undefined,
  address: string,
): Promise<Admin> {
  const admin = await own(parts, caller);
  const attempted = { account: adminKey(admin.email_key), person: admin.id, address };
  const right = await credentials.checkPassword(parts, attempted, admin.password_hash, password ?? '');
  assertThat(right, () => invalidField('current_password', texts.passwordIncorrect));
  return admin;
}

/** Locks the caller's row. Throws invalid when the password has changed since `checked` was read. */
async function lock(tx: Tx, caller: AdminCaller, checked?: Admin): Promise<Admin> {
  const locked = found(await store.lockAdmin(tx, caller.id));
  if (checked && !isSamePassword(locked.password_hash, checked.password_hash))
    throw invalidField('current_password', texts.passwordIncorrect);
  return locked;
}

/** While a second factor is required, gateways cache whether an administrator has one: makes them verify again. */
async function recheck(parts: Parts, tx: Tx, adminId: number) {
  if ((await settingValue(tx, 'require_admin_totp')) === 1) await tokens.recheckAdmins(parts, tx, adminId);
}

export const read = async (parts: Parts, caller: AdminCaller) => adminViewOf(await own(parts, caller));

export const rights = async (parts: Parts, caller: AdminCaller) => ownRightsOf(await own(parts, caller));

/** Throws the same not_found for every reason; second_factor when only the code is missing or wrong. */
export async function login(parts: Parts, input: AdminCredentials, address: string) {
  if (input.email === undefined || input.password === undefined) throw notFound(texts.invalidCredentials);
  const key = emailKey(input.email);
  const admin = await store.adminByEmail(parts.database.manager, key);
  const right = await checkCredentials(parts, admin, key, input, address);
  const bearer = right && admin && (await parts.database.transact((tx) => tokens.issueToAdmin(tx, admin)));
  assertThat(bearer && admin, () => notFound(texts.invalidCredentials));
  return { ...bearer, admin: adminViewOf(admin) };
}

/**
 * Throws not_found unless the code of `admin_reset` is right. Throws invalid for a password that contains the name;
 * the code stays valid then. Ends every session and notifies the owner; the second factor stays on.
 */
export async function resetPassword(parts: Parts, input: ResetInput, address: string) {
  const subject = emailKey(input.email);
  const hash = await admins.hashOf(parts, input.email, input.password, address);
  const isReset = await parts.database.transact(async (tx) => {
    const checked = await codes.check(parts, tx, { purpose: 'admin_reset', subject, code: input.code, address }, true);
    // Returns instead of throwing: a rollback would undo the count of the wrong try.
    const admin = checked && (await store.lockAdmin(tx, Number(checked.reference)));
    if (admin?.status !== 'active' || admin.email_key !== subject) return false;
    await assertUncommon(input.password, admin.name);
    await admins.resetPassword(parts, tx, admin, admin, hash);
    return true;
  });
  assertThat(isReset, () => notFound(texts.resetFailed));
  return { message: texts.passwordReset };
}

/** Rules for a new e-mail or password, except that the current password must be right. */
export async function rules(parts: Parts, caller: AdminCaller, given: ValidFields<AccountChange>) {
  const admin = await store.findAdmin(parts.database.manager, caller.id);
  if (!admin) return [];
  const email = newEmail(admin, given.email);
  const needs = given.password !== undefined ? 'password' : email !== undefined ? 'email' : '';
  const isTaken = email !== undefined && (await store.adminByEmail(parts.database.manager, emailKey(email)));
  const own = { name: given.name ?? admin.name, email: given.email, password: given.password };
  return [
    ...violations(
      [isTaken, 'email', sentences.taken],
      [needs && given.current_password === undefined, 'current_password', sentences.requiredWith(needs)],
    ),
    ...(await commonPassword(own, admin.email)),
  ];
}

/** Changes the given fields. A new e-mail or password ends the other sessions; the old address is notified. */
export async function update(parts: Parts, caller: AdminCaller, input: AccountChange, address: string) {
  const before = found(await store.findAdmin(parts.database.manager, caller.id));
  const email = newEmail(before, input.email);
  const isGuarded = email !== undefined || input.password !== undefined;
  if (!isGuarded && (input.name ?? before.name) === before.name) return adminViewOf(before);
  const checked = isGuarded ? await confirmedCaller(parts, caller, input.current_password, address) : undefined;
  const hash =
    input.password === undefined ? undefined : await admins.hashOf(parts, before.email, input.password, address);
  const admin = await parts.database
    .transact(async (tx) => {
      const locked = await lock(tx, caller, checked);
      const { name = locked.name } = input;
      const facts = {
        before: { name: locked.name, email: locked.email },
        after: { name, email: email ?? locked.email, ...(hash !== undefined && { password: 'changed' }) },
      };
      const columns = { name, email, email_key: email && emailKey(email), password_hash: hash };
      const after = await admins.change(tx, caller, caller.id, facts, columns);
      if (email !== undefined) await delivery.notify(parts, tx, locked, 'emailChanged');
      if (hash !== undefined) await delivery.notify(parts, tx, locked, 'ownPasswordChanged');
      if (isGuarded) await tokens.revoke(parts, tx, caller, { except: caller.tokenId });
      return after;
    })
    .catch(refuseTaken);
  return adminViewOf(admin);
}

/** Creates an unconfirmed second factor. Throws invalid for a wrong password, conflict while one is on. */
export async function openTotp(parts: Parts, caller: AdminCaller, password: string, address: string) {
  const checked = await confirmedCaller(parts, caller, password, address);
  return parts.database.transact(async (tx) => {
    const admin = await lock(tx, caller, checked);
    const opened = await totp.open(parts, tx, admin.id, admin.email);
    await recordAction(tx, caller, 'totp.created', `admin:${caller.id}`, {});
    return opened;
  });
}

/** Switches the second factor on. Throws invalid for a wrong code. */
export async function confirmTotp(parts: Parts, caller: AdminCaller, code: string) {
  const recovery = await parts.database.transact(async (tx) => {
    const codes = await totp.confirm(parts, tx, caller.id, code);
    const facts = { before: { totp: 'off' }, after: { totp: 'on' } };
    await recordAction(tx, caller, 'totp.confirmed', `admin:${caller.id}`, facts);
    await recheck(parts, tx, caller.id);
    return codes;
  });
  return { message: texts.totpConfirmed, recovery_codes: recovery };
}

/** Switches the second factor off. Throws invalid for a wrong password. */
export async function removeTotp(parts: Parts, caller: AdminCaller, password: string, address: string) {
  const checked = await confirmedCaller(parts, caller, password, address);
  await parts.database.transact(async (tx) => {
    const admin = await lock(tx, caller, checked);
    if (await admins.removeTotp(parts, tx, caller, admin, currentLanguage())) await recheck(parts, tx, caller.id);
  });
  return { message: texts.totpRemoved };
}
