import { assertThat } from '@tutoring/shared/errors';
import { currentLanguage } from '@tutoring/shared/process/context';
import type { AdminCaller } from '@tutoring/shared/identity/auth';
import { violatedConstraint } from '@tutoring/shared/database/refusals';
import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { invalidField, sentences, type RuleViolation, type ValidFields } from '@tutoring/shared/http/read/validation';
import { recordAction, type Facts } from '../audit/audit-service.ts';
import { commonPassword } from '../credentials/common-password.ts';
import { adminKey } from '../credentials/credential-service.ts';
import { recordNotFound } from '../errors.ts';
import type { Foundations } from '../foundations.ts';
import { settingValue } from '../settings/setting-store.ts';
import { noticeLetter, texts } from '../texts.ts';
import { adminViewOf, type AccountChange } from './admin.ts';
import type { Admins } from './admin-service.ts';
import * as store from './admin-store.ts';

function refuseTaken(error: unknown): never {
  throw violatedConstraint(error) === 'admin_email_key_key' ? invalidField('email', sentences.taken) : error;
}

/** What administrators do with their own account. */
type Deps = Pick<Foundations, 'database' | 'credentials' | 'delivery' | 'tokens' | 'totp'> & { admins: Admins };

export function createOwnAccount({ database, credentials, delivery, tokens, totp, admins }: Deps) {
  const { manager } = database;

  async function read(caller: AdminCaller) {
    const admin = await store.findAdmin(manager, caller.id);
    assertThat(admin, recordNotFound);
    return adminViewOf(admin);
  }

  /** The caller. Throws invalid unless this is their password; counted by the lock-out. */
  async function owner(caller: AdminCaller, password: string | undefined, address: string): Promise<store.AdminLogin> {
    const admin = await store.adminLoginById(manager, caller.id);
    assertThat(admin, recordNotFound);
    const account = { account: adminKey(admin.email_key), person: admin.id, address };
    const given = { hash: admin.password_hash, password: password ?? '' };
    if (!(await credentials.checkPassword({ ...account, ...given })))
      throw invalidField('current_password', texts.passwordIncorrect);
    return admin;
  }

  /** Locks the caller. Throws invalid when the password has changed since it was `checked`. */
  async function lock(tx: Tx, caller: AdminCaller, checked?: store.AdminLogin): Promise<store.AdminLogin> {
    const locked = await store.lockAdminLogin(tx, caller.id);
    assertThat(locked, recordNotFound);
    if (checked && locked.password_hash !== checked.password_hash)
      throw invalidField('current_password', texts.passwordIncorrect);
    return locked;
  }

  const record = (tx: Tx, caller: AdminCaller, action: string, facts: Facts) =>
    recordAction(tx, caller, action, `admin:${caller.id}`, facts);

  /** While a second factor is required, gateways must learn who has set one up. */
  const recheck = async (tx: Tx, adminId: number) => {
    if ((await settingValue(tx, 'require_admin_totp')) === 1) await tokens.recheckAdmins(tx, adminId);
  };

  return {
    read,

    /** What a new e-mail or password needs, besides the right current password. */
    async rules(caller: AdminCaller, given: ValidFields<AccountChange>): Promise<RuleViolation[]> {
      const admin = await store.adminLoginById(manager, caller.id);
      if (!admin) return [];
      const key = given.email === undefined ? admin.email_key : emailKey(given.email);
      const isNew = given.email !== undefined && given.email !== admin.email;
      const needs = given.password !== undefined ? 'password' : isNew ? 'email' : undefined;
      const broken: RuleViolation[] = [];
      if (key !== admin.email_key && (await store.adminEmailTaken(manager, key)))
        broken.push([['email'], sentences.taken]);
      if (needs !== undefined && given.current_password === undefined)
        broken.push([['current_password'], sentences.requiredWith(needs)]);
      const own = { name: given.name ?? admin.name, email: given.email, password: given.password };
      return [...broken, ...(await commonPassword(own, admin.email))];
    },

    /** Changes the given fields. A new e-mail or password ends the other sessions, and a letter says so. */
    async update(caller: AdminCaller, input: AccountChange, address: string) {
      const before = await store.adminLoginById(manager, caller.id);
      assertThat(before, recordNotFound);
      const email = input.email === before.email ? undefined : input.email;
      const isGuarded = email !== undefined || input.password !== undefined;
      if (!isGuarded && (input.name ?? before.name) === before.name) return read(caller);
      const checked = isGuarded ? await owner(caller, input.current_password, address) : undefined;
      const hash =
        input.password === undefined ? undefined : await admins.hashOf(before.email, input.password, address);
      const admin = await database
        .transact(async (tx) => {
          const locked = await lock(tx, caller, checked);
          const { name = locked.name } = input;
          const facts = {
            before: { name: locked.name, email: locked.email },
            after: { name, email: email ?? locked.email, ...(hash !== undefined && { password: 'changed' }) },
          };
          const columns = { name, email, email_key: email && emailKey(email), password_hash: hash };
          const after = await admins.change(tx, { actor: caller, id: caller.id, ...facts }, columns);
          if (email !== undefined)
            await delivery.mailNotice(tx, locked.email, noticeLetter('emailChanged', currentLanguage()));
          if (hash !== undefined)
            await delivery.mailNotice(tx, locked.email, noticeLetter('ownPasswordChanged', currentLanguage()));
          if (isGuarded) await tokens.revoke(tx, caller, { except: caller.tokenId });
          return after;
        })
        .catch(refuseTaken);
      return adminViewOf(admin);
    },

    /** Creates a second factor that does not count yet. Throws invalid for a wrong password, conflict while one is on. */
    async openTotp(caller: AdminCaller, password: string, address: string) {
      const checked = await owner(caller, password, address);
      return database.transact(async (tx) => {
        const admin = await lock(tx, caller, checked);
        const fresh = await totp.open(tx, admin.id, admin.email);
        await record(tx, caller, 'totp.created', {});
        return fresh;
      });
    },

    /** Switches it on. Throws invalid for a wrong code. */
    async confirmTotp(caller: AdminCaller, code: string) {
      const recovery = await database.transact(async (tx) => {
        const codes = await totp.confirm(tx, caller.id, code);
        await record(tx, caller, 'totp.confirmed', { before: { totp: 'off' }, after: { totp: 'on' } });
        await recheck(tx, caller.id);
        return codes;
      });
      return { message: texts.totpConfirmed, recovery_codes: recovery };
    },

    /** Switches it off. Throws invalid for a wrong password. */
    async removeTotp(caller: AdminCaller, password: string, address: string) {
      const checked = await owner(caller, password, address);
      await database.transact(async (tx) => {
        const admin = await lock(tx, caller, checked);
        if (!(await totp.remove(tx, caller.id))) return;
        await record(tx, caller, 'totp.deleted', { before: { totp: 'on' }, after: { totp: 'off' } });
        await delivery.mailNotice(tx, admin.email, noticeLetter('totpRemoved', currentLanguage()));
        await recheck(tx, caller.id);
      });
      return { message: texts.totpRemoved };
    },
  };
}

export type OwnAccount = ReturnType<typeof createOwnAccount>;
