import type { AdminCaller } from '@tutoring/shared/identity/auth';
import type { Database, Reader, Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/http/declare/email';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { invalidField, sentences } from '@tutoring/shared/http/read/validation';
import { recordAction } from '../audit/audit-service.ts';
import { adminKey } from '../credentials/credential-service.ts';
import type { Hasher } from '../credentials/hasher.ts';
import { forgive } from '../credentials/lockout-store.ts';
import { conflict, recordNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import type { Tokens } from '../tokens/token-service.ts';
import { adminSnapshot, adminViewOf, DEFAULT_LEVEL, isLastSuper, SUPER, type Admin } from './admin.ts';
import * as store from './admin-store.ts';

export interface NewAdmin {
  name: string;
  email: string;
  password: string;
  phone_number: string;
}

/** Throws conflict for administrators who would lock themselves, or everybody, out. */
export function assertMayDeactivate(admin: Admin, caller: AdminCaller, supers: Admin[]): void {
  if (admin.id === caller.id) throw conflict(texts.notYourself);
  if (isLastSuper(admin, supers)) throw conflict(texts.lastSuper);
}

export function createAdmins(deps: { database: Database; hasher: Hasher; tokens: Tokens }) {
  const { database, hasher, tokens } = deps;

  async function insert(
    tx: Tx,
    admin: Omit<NewAdmin, 'phone_number'> & { phone: string | null; level: string; hash: string },
  ) {
    const created = await store.insertAdmin(tx, { ...admin, emailKey: emailKey(admin.email) });
    if (created) await publish(tx, 'admin.changed', adminSnapshot(created));
    return created;
  }

  return {
    async create(caller: AdminCaller, input: NewAdmin, address: string): Promise<void> {
      const hash = await hasher.hash(input.password, { account: adminKey(emailKey(input.email)), address });
      await database.transact(async (tx) => {
        const admin = await insert(tx, { ...input, phone: input.phone_number, level: DEFAULT_LEVEL, hash });
        if (!admin) throw invalidField('email', sentences.taken);
        const after = { ...adminViewOf(admin) };
        await recordAction(tx, caller, { action: 'admin.created', subject: `admin:${admin.id}`, before: null, after });
      });
    },

    /** Deactivation ends every session of the administrator. */
    async setStatus(caller: AdminCaller, id: number, status: 'active' | 'inactive'): Promise<void> {
      const revocation = await database.transact(async (tx) => {
        const locked = await store.lockAdmins(tx, id);
        const before = locked.find((admin) => admin.id === id);
        if (!before) throw recordNotFound();
        if (status === 'inactive') assertMayDeactivate(before, caller, locked);
        else await forgive(tx, [adminKey(emailKey(before.email))]);
        if (before.status === status) return undefined;
        const after = await store.setAdminStatus(tx, id, status);
        await publish(tx, 'admin.changed', adminSnapshot(after!));
        const change = { before: { status: before.status }, after: { status } };
        await recordAction(tx, caller, { action: 'admin.updated', subject: `admin:${id}`, ...change });
        return status === 'inactive' ? tokens.revokeAdmin(tx, id) : undefined;
      });
      tokens.announce(revocation);
    },

    /** The first super administrator, at the first start. */
    async seed(tx: Tx, first: { email: string; password: string }): Promise<void> {
      if (await store.hasSuper(tx)) return;
      const hash = await hasher.hash(first.password, { account: adminKey(emailKey(first.email)), address: '' });
      await insert(tx, { name: 'Administrator', ...first, phone: null, level: SUPER, hash });
    },

    async *snapshots(reader: Reader) {
      yield* (await store.listAdmins(reader)).map(adminSnapshot);
    },
  };
}

export type Admins = ReturnType<typeof createAdmins>;
