import { isDeepStrictEqual } from 'node:util';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Actor } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { invalidField, sentences, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { DEFAULT_ROLES, distinctRoles, type Role } from '@tutoring/shared/contract/rights';
import { SUPER } from '@tutoring/shared/kit/identity/rights';
import type { Language } from '@tutoring/shared/kit/process/language';
import { LOCKOUT_ENDED, recordAction, type Facts } from '../audit/audit-service.ts';
import { commonPassword } from '../credentials/common-password.ts';
import { adminKey } from '../credentials/credential-service.ts';
import * as credentials from '../credentials/credential-service.ts';
import { clearFailures } from '../credentials/lockout-store.ts';
import * as delivery from '../delivery/delivery-service.ts';
import { conflict, found, violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import * as totp from '../totp/totp-service.ts';
import * as store from './admin-store.ts';
import { adminViewOf, DEFAULT_LEVEL, isLastSuper, type Admin, type NewAdmin } from './admin.ts';
import { withdrawInvitations } from './invitation-store.ts';

/** Throws conflict for the caller's own account and for the last active super administrator. */
function assertMayDeactivate(admin: Admin, caller: AdminCaller, supers: Admin[]): void {
  if (admin.id === caller.id) throw conflict(texts.notYourself);
  if (isLastSuper(admin, supers)) throw conflict(texts.lastSuper);
}

export const hashOf = (parts: Parts, email: string, password: string, address: string) =>
  credentials.hash(parts, password, { account: adminKey(emailKey(email)), address });

/** Undefined when the e-mail is taken. */
async function insert(tx: Tx, admin: store.NewColumns) {
  const created = await store.insertAdmin(tx, { ...admin, email_key: emailKey(admin.email) });
  if (created) publish(tx, [{ name: 'admin.changed', data: created }]);
  return created;
}

/**
 * Creates an administrator of the default level, who then needs no invitation; undefined when the e-mail is taken.
 * Without `actor` the new administrator acts.
 */
export async function add(tx: Tx, actor: Actor | undefined, given: Omit<store.NewColumns, 'level'>) {
  const admin = await insert(tx, { ...given, level: DEFAULT_LEVEL });
  if (!admin) return undefined;
  const after = { ...adminViewOf(admin), roles: admin.roles };
  await recordAction(tx, actor ?? admin, 'admin.created', `admin:${admin.id}`, { after });
  await withdrawInvitations(tx, admin.email_key);
  return admin;
}

/** Changes columns of an administrator and records `facts` in the audit log. */
export async function change(tx: Tx, actor: Actor, id: number, facts: Facts, columns: store.AdminColumns) {
  const after = await store.updateAdmin(tx, id, columns);
  publish(tx, [{ name: 'admin.changed', data: after }]);
  await recordAction(tx, actor, 'admin.updated', `admin:${id}`, facts);
  return after;
}

/** Replaces the roles of a locked administrator. In effect everywhere within a second; sessions stay. */
export async function giveRoles(parts: Parts, tx: Tx, actor: Actor, admin: Admin, given: Role[]): Promise<void> {
  assertThat(admin.level !== SUPER, () => conflict(texts.superHasAll));
  const roles = distinctRoles(given);
  if (isDeepStrictEqual(admin.roles, roles)) return;
  await change(tx, actor, admin.id, { before: { roles: admin.roles }, after: { roles } }, { roles });
  await tokens.recheckAdmins(parts, tx, admin.id);
}

/** Sets a new password, ends every session and the lock-out, and notifies the owner. `admin` must be locked. */
export async function resetPassword(parts: Parts, tx: Tx, actor: Actor, admin: Admin, hash: string): Promise<void> {
  await change(tx, actor, admin.id, { after: { password: 'reset' } }, { password_hash: hash });
  await clearFailures(tx, [adminKey(admin.email_key)]);
  await delivery.notify(parts, tx, admin, 'passwordChanged', admin.language);
  await tokens.revokeAll(parts, tx, { kind: 'admin', id: admin.id });
}

/** Switches the second factor off and notifies the owner. `admin` must be locked. Returns whether it was on. */
export async function removeTotp(parts: Parts, tx: Tx, actor: Actor, { id, email }: Admin, language: Language) {
  if (!(await totp.remove(tx, id))) return false;
  await recordAction(tx, actor, 'totp.deleted', `admin:${id}`, { before: { totp: 'on' }, after: { totp: 'off' } });
  await delivery.notify(parts, tx, { email }, 'totpRemoved', language);
  return true;
}

/** The e-mail must not be that of an administrator. */
export async function emailRule({ database }: Parts, email: string | undefined) {
  const isTaken = email !== undefined && (await store.adminByEmail(database.manager, emailKey(email)));
  return violations([isTaken, 'email', sentences.taken]);
}

/** A new administrator needs an unused e-mail and an uncommon password. */
export const rules = async (parts: Parts, given: ValidFields<NewAdmin>) => [
  ...(await emailRule(parts, given.email)),
  ...(await commonPassword(given)),
];

export async function create(
  parts: Parts,
  caller: AdminCaller,
  { password, roles = DEFAULT_ROLES, ...given }: NewAdmin,
  address: string,
) {
  const columns = {
    ...given,
    roles: distinctRoles(roles),
    password_hash: await hashOf(parts, given.email, password, address),
  };
  await parts.database.transact(async (tx) => {
    assertThat(await add(tx, caller, columns), () => invalidField('email', sentences.taken));
  });
  return texts.adminCreated;
}

/** Throws not_found, and conflict for the own account and for a super administrator, who has every right. */
export async function setRoles(parts: Parts, caller: AdminCaller, id: number, roles: Role[]) {
  await parts.database.transact(async (tx) => {
    const admin = found(await store.lockAdmin(tx, id));
    assertThat(id !== caller.id, () => conflict(texts.notOwnRoles));
    await giveRoles(parts, tx, caller, admin, roles);
  });
  return { message: texts.adminUpdated };
}

/** Deactivation ends every session of the administrator. */
export async function setStatus(parts: Parts, caller: AdminCaller, id: number, status: Admin['status']) {
  await parts.database.transact(async (tx) => {
    const locked = await store.lockAdmins(tx, id);
    const before = found(locked.find((admin) => admin.id === id));
    if (status === 'inactive') assertMayDeactivate(before, caller, locked);
    const isFreed = status === 'active' && (await clearFailures(tx, [adminKey(before.email_key)]));
    const facts = { before: { status: before.status }, after: { status, ...(isFreed && LOCKOUT_ENDED) } };
    if (before.status === status) {
      if (isFreed) await recordAction(tx, caller, 'admin.updated', `admin:${id}`, facts);
      return;
    }
    await change(tx, caller, id, facts, { status });
    if (status === 'inactive') await tokens.revokeAll(parts, tx, { kind: 'admin', id });
  });
  return { message: texts.adminUpdated };
}

/** Creates the first super administrator, unless there is one. */
export async function seedAdmin(parts: Parts, tx: Tx, { email, password }: { email: string; password: string }) {
  if (await store.hasSuper(tx)) return;
  const password_hash = await hashOf(parts, email, password, '');
  const name = 'Administrator';
  await insert(tx, { name, email, phone_number: null, level: SUPER, roles: DEFAULT_ROLES, password_hash });
}
