import { newSecret } from '@tutoring/shared/identity/bearer';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { emailKey, isEmail } from '@tutoring/shared/http/declare/email';
import type { Actor } from '@tutoring/shared/events/publish/admin-action';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { recordAction } from '../audit/audit-service.ts';
import { adminKey } from '../credentials/credential-service.ts';
import type { Hasher } from '../credentials/hasher.ts';
import { forgive } from '../credentials/lockout-store.ts';
import type { Delivery } from '../delivery/delivery-service.ts';
import { conflict, recordNotFound } from '../errors.ts';
import { noticeLetter, texts } from '../texts.ts';
import type { Tokens } from '../tokens/token-service.ts';
import type { Totp } from '../totp/totp-service.ts';
import { adminSnapshot, adminViewOf, DEFAULT_LEVEL, isLastSuper, SUPER } from './admin.ts';
import * as store from './admin-store.ts';

/** How the audit log names an operator at the command line. */
const OPERATOR: Actor = { id: 0, name: 'operator' };

/**
 * Changes to administrators from the command line, for operators who may run commands beside the service. Every action
 * returns the lines to print; throws not_found or conflict.
 */
export function createOperator(deps: {
  database: Database;
  hasher: Hasher;
  delivery: Delivery;
  tokens: Tokens;
  totp: Totp;
}) {
  const { database, hasher, delivery, tokens, totp } = deps;

  const newPassword = async (email: string) => {
    const password = newSecret().slice(0, 20);
    return { password, hash: await hasher.hash(password, { account: adminKey(emailKey(email)), address: '' }) };
  };

  const record = (tx: Tx, id: number, action: string, before: object | null, after: object | null) =>
    recordAction(tx, OPERATOR, {
      action,
      subject: `admin:${id}`,
      before: before && { ...before },
      after: after && { ...after },
    });

  /** The administrator with this e-mail, locked. */
  async function locked(tx: Tx, email: string): Promise<store.AdminLogin> {
    const found = await store.adminLogin(tx, emailKey(email));
    const admin = found && (await store.lockAdminLogin(tx, found.id));
    if (!admin) throw recordNotFound();
    return admin;
  }

  async function list(): Promise<string[]> {
    const admins = await store.listWithTotp(database.manager);
    return admins.map(({ id, email, level, status, totp: isOn, name }) =>
      [id, email, level, status, isOn ? 'totp on' : 'totp off', name].join('\t'),
    );
  }

  async function create(email: string): Promise<string[]> {
    if (!isEmail(email) || email.length > 255) throw conflict(texts.noEmail(email));
    const { password, hash } = await newPassword(email);
    await database.transact(async (tx) => {
      const name = email.slice(0, email.lastIndexOf('@'));
      const created = await store.insertAdmin(tx, {
        ...{ name, email, emailKey: emailKey(email), phone: null, hash, level: DEFAULT_LEVEL },
      });
      if (!created) throw conflict(texts.adminExists(email));
      await publish(tx, 'admin.changed', adminSnapshot(created));
      await record(tx, created.id, 'admin.created', null, adminViewOf(created));
    });
    return [`created: ${email}`, `password: ${password}`];
  }

  async function reset(email: string): Promise<string[]> {
    const { password, hash } = await newPassword(email);
    const revocation = await database.transact(async (tx) => {
      const admin = await locked(tx, email);
      const after = await store.updateAdmin(tx, admin.id, { hash });
      await publish(tx, 'admin.changed', adminSnapshot(after!));
      await record(tx, admin.id, 'admin.updated', null, { password: 'reset' });
      await forgive(tx, [adminKey(admin.email_key)]);
      await delivery.mailNotice(tx, admin.email, noticeLetter('passwordChanged', admin.language));
      return tokens.revokeAdmin(tx, admin.id);
    });
    tokens.announce(revocation);
    return [`reset: ${email}`, `password: ${password}`];
  }

  async function setLevel(email: string, level: string): Promise<string[]> {
    const rechecked = await database.transact(async (tx) => {
      const found = await store.adminLogin(tx, emailKey(email));
      const admins = found ? await store.lockAdmins(tx, found.id) : [];
      const before = admins.find(({ id }) => id === found?.id);
      if (!before) throw recordNotFound();
      if (level !== SUPER && isLastSuper(before, admins)) throw conflict(texts.noActiveSuper);
      if (before.level === level) return [];
      const after = await store.setAdminLevel(tx, before.id, level);
      await publish(tx, 'admin.changed', adminSnapshot(after!));
      await record(tx, before.id, 'admin.updated', { level: before.level }, { level });
      return tokens.recheckAdmins(tx, before.id);
    });
    rechecked.forEach(tokens.announce);
    return [`${email}: level ${level}`];
  }

  async function switchTotpOff(email: string): Promise<string[]> {
    const rechecked = await database.transact(async (tx) => {
      const admin = await locked(tx, email);
      if (!(await totp.remove(tx, admin.id))) return [];
      await record(tx, admin.id, 'totp.deleted', { totp: 'on' }, { totp: 'off' });
      await delivery.mailNotice(tx, admin.email, noticeLetter('totpRemoved', admin.language));
      return tokens.recheckAdmins(tx, admin.id);
    });
    rechecked.forEach(tokens.announce);
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
    /** Runs `list`, or an action on one administrator. Returns what to print; undefined: no such command. */
    run([action = '', email, ...more]: string[]): Promise<string[]> | undefined {
      if (action === 'list' && email === undefined) return list();
      if (email === undefined || more.length > 0 || !Object.hasOwn(actions, action)) return undefined;
      return actions[action]?.(email.trim());
    },
  };
}

export const ADMIN_USAGE = 'admin list | admin create|reset|promote|demote|totp-off <email>';
