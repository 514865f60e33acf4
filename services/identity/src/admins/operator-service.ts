import { fill } from '@tutoring/shared/kit/language/localized';
import { trimInvisible } from '@tutoring/shared/kit/language/typed-text';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Actor } from '@tutoring/shared/contract/admin-action';
import { emailKey, isEmail } from '@tutoring/shared/kit/http/declare/email';
import { newSecret } from '@tutoring/shared/kit/identity/bearer';
import { DEFAULT_ROLES, ROLE_NAMES, type Role } from '@tutoring/shared/contract/rights';
import { SUPER } from '@tutoring/shared/kit/identity/rights';
import { conflict, found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as tokens from '../tokens/token-service.ts';
import * as admins from './admin-service.ts';
import * as store from './admin-store.ts';
import { DEFAULT_LEVEL, isLastSuper, rolesOf, type Admin } from './admin.ts';
import * as invitations from './invitation-service.ts';

/** How the audit log names an operator at the command line. */
const OPERATOR: Actor = { id: 0, name: 'operator' };

/*
 * The command `admin`: changes administrators from the command line. Every action returns the lines to print; throws
 * not_found or conflict.
 */

const newPassword = () => newSecret().slice(0, 20);

/** The administrator with this e-mail, locked. */
async function locked(tx: Tx, email: string): Promise<Admin> {
  const { id } = found(await store.adminByEmail(tx, emailKey(email)));
  return found(await store.lockAdmin(tx, id));
}

async function list({ database }: Parts): Promise<string[]> {
  const all = await store.listAdmins(database.manager);
  return all.map(({ id, email, level, status, totp: isOn, name }) =>
    [id, email, level, status, isOn ? 'totp on' : 'totp off', name].join('\t'),
  );
}

/** The name part of an e-mail address. Throws conflict for a text that is no address. */
function nameIn(email: string): string {
  if (!isEmail(email) || email.length > 255) throw conflict(fill(texts.noEmail, { text: email }));
  return email.slice(0, email.lastIndexOf('@'));
}

/** Throws conflict for an unknown role. */
function knownRoles(given: string[]): Role[] {
  return given.map((name) => {
    const role = ROLE_NAMES.find((known) => known === name);
    if (role === undefined) throw conflict(fill(texts.unknownRole, { role: name, roles: ROLE_NAMES.join(', ') }));
    return role;
  });
}

async function create(parts: Parts, email: string): Promise<string[]> {
  const password = newPassword();
  const own = { name: nameIn(email), email, phone_number: null, roles: DEFAULT_ROLES };
  const columns = { ...own, password_hash: await admins.hashOf(parts, email, password, '') };
  await parts.database.transact(async (tx) => {
    if (!(await admins.add(tx, OPERATOR, columns))) throw conflict(fill(texts.adminExists, { email }));
  });
  return [`created: ${email}`, `password: ${password}`];
}

async function reset(parts: Parts, email: string): Promise<string[]> {
  const password = newPassword();
  const hash = await admins.hashOf(parts, email, password, '');
  await parts.database.transact(async (tx) => admins.resetPassword(parts, tx, OPERATOR, await locked(tx, email), hash));
  return [`reset: ${email}`, `password: ${password}`];
}

async function setLevel(parts: Parts, email: string, level: string): Promise<string[]> {
  await parts.database.transact(async (tx) => {
    const { id } = found(await store.adminByEmail(tx, emailKey(email)));
    const all = await store.lockAdmins(tx, id);
    const before = found(all.find((admin) => admin.id === id));
    if (level !== SUPER && isLastSuper(before, all)) throw conflict(texts.noActiveSuper);
    if (before.level === level) return;
    const facts = { before: { level: before.level }, after: { level } };
    await admins.change(tx, OPERATOR, before.id, facts, { level });
    await tokens.recheckAdmins(parts, tx, before.id);
  });
  return [`${email}: level ${level}`];
}

async function switchTotpOff(parts: Parts, email: string): Promise<string[]> {
  await parts.database.transact(async (tx) => {
    const admin = await locked(tx, email);
    if (await admins.removeTotp(parts, tx, OPERATOR, admin, admin.language))
      await tokens.recheckAdmins(parts, tx, admin.id);
  });
  return [`${email}: totp off`];
}

/** Replaces the roles, if any are given. Returns the roles. */
async function setRoles(parts: Parts, email: string, ...given: string[]): Promise<string[]> {
  const roles = knownRoles(given);
  const admin = await parts.database.transact(async (tx) => {
    const before = await locked(tx, email);
    if (roles.length > 0) await admins.giveRoles(parts, tx, OPERATOR, before, roles);
    return found(await store.findAdmin(tx, before.id));
  });
  return [`${email}: roles ${rolesOf(admin).join(', ')}`];
}

async function invite(parts: Parts, email: string, ...given: string[]): Promise<string[]> {
  const invited = { email, name: nameIn(email), roles: knownRoles(given) };
  const { link } = await parts.database.transact((tx) => invitations.invite(parts, tx, OPERATOR, invited));
  return [`invited: ${email}`, `link: ${link}`];
}

const actions: Record<string, (parts: Parts, email: string) => Promise<string[]>> = {
  create,
  reset,
  promote: (parts, email) => setLevel(parts, email, SUPER),
  demote: (parts, email) => setLevel(parts, email, DEFAULT_LEVEL),
  'totp-off': switchTotpOff,
};

/** Runs `list`, or an action on one administrator. Returns the lines to print; undefined for an unknown command. */
export function runOperator(parts: Parts, [action = '', email, ...more]: string[]): Promise<string[]> | undefined {
  if (action === 'list' && email === undefined) return list(parts);
  if (action === 'roles' && email !== undefined) return setRoles(parts, trimInvisible(email), ...more);
  if (action === 'invite' && email !== undefined && more.length > 0)
    return invite(parts, trimInvisible(email), ...more);
  if (email === undefined || more.length > 0 || !Object.hasOwn(actions, action)) return undefined;
  return actions[action]?.(parts, trimInvisible(email));
}

export const ADMIN_USAGE =
  'admin list | admin create|reset|promote|demote|totp-off <email> | admin roles|invite <email> <role>...';
