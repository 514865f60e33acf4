import { fill } from '@tutoring/shared/kit/language/localized';
import { trimInvisible } from '@tutoring/shared/kit/language/typed-text';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { Actor } from '@tutoring/shared/contract/admin-action';
import { emailKey, isEmail } from '@tutoring/shared/kit/http/declare/email';
import { newSecret } from '@tutoring/shared/kit/identity/bearer';
import { conflict, found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { DEFAULT_LEVEL, isLastSuper, SUPER, type Admin } from './admin.ts';
import { createAdmins } from './admin-service.ts';
import * as store from './admin-store.ts';

/** How the audit log names an operator at the command line. */
const OPERATOR: Actor = { id: 0, name: 'operator' };

/**
 * The command `admin`: changes administrators from the command line. Every action returns the lines to print; throws
 * not_found or conflict.
 */
export function createOperator(base: Parts) {
  const { database, tokens } = base;
  const admins = createAdmins(base);

  const newPassword = () => newSecret().slice(0, 20);

  /** The administrator with this e-mail, locked. */
  async function locked(tx: Tx, email: string): Promise<Admin> {
    const { id } = found(await store.adminByEmail(tx, emailKey(email)));
    return found(await store.lockAdmin(tx, id));
  }

  async function list(): Promise<string[]> {
    const all = await store.listAdmins(database.manager);
    return all.map(({ id, email, level, status, totp: isOn, name }) =>
      [id, email, level, status, isOn ? 'totp on' : 'totp off', name].join('\t'),
    );
  }

  async function create(email: string): Promise<string[]> {
    if (!isEmail(email) || email.length > 255) throw conflict(fill(texts.noEmail, { text: email }));
    const password = newPassword();
    const name = email.slice(0, email.lastIndexOf('@'));
    const columns = { name, email, phone_number: null, password_hash: await admins.hashOf(email, password, '') };
    await database.transact(async (tx) => {
      if (!(await admins.add(tx, OPERATOR, columns))) throw conflict(fill(texts.adminExists, { email }));
    });
    return [`created: ${email}`, `password: ${password}`];
  }

  async function reset(email: string): Promise<string[]> {
    const password = newPassword();
    const hash = await admins.hashOf(email, password, '');
    await database.transact(async (tx) => admins.resetPassword(tx, OPERATOR, await locked(tx, email), hash));
    return [`reset: ${email}`, `password: ${password}`];
  }

  async function setLevel(email: string, level: string): Promise<string[]> {
    await database.transact(async (tx) => {
      const { id } = found(await store.adminByEmail(tx, emailKey(email)));
      const all = await store.lockAdmins(tx, id);
      const before = found(all.find((admin) => admin.id === id));
      if (level !== SUPER && isLastSuper(before, all)) throw conflict(texts.noActiveSuper);
      if (before.level === level) return;
      const facts = { before: { level: before.level }, after: { level } };
      await admins.change(tx, OPERATOR, before.id, facts, { level });
      await tokens.recheckAdmins(tx, before.id);
    });
    return [`${email}: level ${level}`];
  }

  async function switchTotpOff(email: string): Promise<string[]> {
    await database.transact(async (tx) => {
      const admin = await locked(tx, email);
      if (await admins.removeTotp(tx, OPERATOR, admin, admin.language)) await tokens.recheckAdmins(tx, admin.id);
    });
    return [`${email}: totp off`];
  }

  const actions: Record<string, (email: string) => Promise<string[]>> = {
    create,
    reset,
    promote: (email) => setLevel(email, SUPER),
    demote: (email) => setLevel(email, DEFAULT_LEVEL),
    'totp-off': switchTotpOff,
  };

  return {
    /** Runs `list`, or an action on one administrator. Returns the lines to print; undefined for an unknown command. */
    run([action = '', email, ...more]: string[]): Promise<string[]> | undefined {
      if (action === 'list' && email === undefined) return list();
      if (email === undefined || more.length > 0 || !Object.hasOwn(actions, action)) return undefined;
      return actions[action]?.(trimInvisible(email));
    },
  };
}

export const ADMIN_USAGE = 'admin list | admin create|reset|promote|demote|totp-off <email>';
