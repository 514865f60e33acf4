import { bearer, newSecret, parseBearer } from '@tutoring/shared/bearer';
import type { Database, Tx } from '@tutoring/shared/database/open';
import type { Bus } from '@tutoring/shared/events/bus';
import { publish } from '@tutoring/shared/events/outbox';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import { moreIf } from '@tutoring/shared/jobs';
import type { Logger } from '@tutoring/shared/logger';
import { matches, secretHash } from './token.ts';
import * as store from './token-store.ts';

/** Which bearers are over; an empty `token_ids` means all of the subject. */
export interface Revocation {
  subject: string;
  token_ids: number[];
}

export type NewToken = Parameters<typeof store.insertUserToken>[1];

const USES_AT_ONCE = 1_000;
const IDLE_AT_ONCE = 500;

/** Issues, verifies and revokes bearers. */
export function createTokens(deps: {
  database: Database;
  bus: Bus;
  logger: Logger;
  idle: { userDays: number; adminHours: number };
}) {
  const { database, bus, logger } = deps;
  const idle = { user: `${deps.idle.userDays} days`, admin: `${deps.idle.adminHours} hours` };
  const used = new Set<number>();

  async function publishDevices(tx: Tx, userIds: number[]): Promise<void> {
    for (const userId of [...new Set(userIds)].sort((a, b) => a - b)) {
      const devices = await store.touchDevices(tx, userId);
      if (devices) await publish(tx, 'devices.changed', { user_id: userId, ...devices });
    }
  }

  /** A bearer for the user; undefined when he may not log in (any more). */
  async function issue(tx: Tx, token: Omit<NewToken, 'hash'>) {
    const secret = newSecret();
    if (token.deviceKey !== undefined) await store.lockDevice(tx, token.deviceKey);
    const row = await store.insertUserToken(tx, { ...token, hash: secretHash(secret) });
    if (!row) return undefined;
    if (token.deviceKey !== undefined) {
      const others = await store.releaseDevice(tx, token.deviceKey, row.id);
      await publishDevices(tx, [...others, token.userId]);
    }
    return { ...row, token: bearer(row.id, secret) };
  }

  async function issueToAdmin(tx: Tx, adminId: number): Promise<string | undefined> {
    const secret = newSecret();
    const row = await store.insertAdminToken(tx, adminId, secretHash(secret));
    return row && bearer(row.id, secret);
  }

  async function publishRevocation(
    tx: Tx,
    revocation: Revocation,
    userId?: number,
    removed: { device_key: string | null }[] = [],
  ) {
    await publish(tx, 'tokens.revoked', revocation);
    if (userId !== undefined && removed.some((token) => token.device_key !== null)) await publishDevices(tx, [userId]);
    return revocation;
  }

  return {
    issue,
    issueToAdmin,

    /** Who holds the bearer; undefined for a bad, idle or revoked one. */
    async verify(text: string): Promise<CommandAnswer<'token.verify'> | undefined> {
      const parts = parseBearer(text);
      if (!parts) return undefined;
      const token = await store.findToken(database.manager, parts.id, idle);
      if (!token || !matches(parts.secret, token.hash)) return undefined;
      if (token.due && (token.user_id !== null || token.admin_id !== null)) used.add(token.id);
      if (token.user_id !== null && token.platform !== null) {
        const caller = { kind: 'user', id: token.user_id, platform: token.platform, tokenId: token.id } as const;
        return { caller, expires_at: token.expires_at };
      }
      if (token.admin_id === null) return undefined;
      const { admin_id: id, admin_name: name, admin_level: level } = token;
      const caller = { kind: 'admin', id, name: name ?? '', level: level ?? '', tokenId: token.id } as const;
      return { caller, expires_at: token.expires_at };
    },

    /** Ends one bearer of a user. The revocation goes to `announce` after the commit. */
    async revokeOne(tx: Tx, userId: number, id: number): Promise<Revocation | undefined> {
      const removed = await store.deleteUserToken(tx, userId, id);
      return removed && publishRevocation(tx, { subject: `user:${userId}`, token_ids: [id] }, userId, [removed]);
    },

    async revokeApiToken(tx: Tx, userId: number, id: number): Promise<Revocation | undefined> {
      const removed = await store.deleteApiToken(tx, userId, id);
      return removed && publishRevocation(tx, { subject: `user:${userId}`, token_ids: [id] }, userId, [removed]);
    },

    /** Ends every bearer of a user, or all but one. */
    async revokeAll(tx: Tx, userId: number, keep?: number): Promise<Revocation | undefined> {
      const removed = await store.deleteUserTokens(tx, userId, keep);
      if (keep !== undefined && removed.length === 0) return undefined;
      const ids = keep === undefined ? [] : removed.map((token) => token.id);
      return publishRevocation(tx, { subject: `user:${userId}`, token_ids: ids }, userId, removed);
    },

    async revokeAdmin(tx: Tx, adminId: number, id?: number): Promise<Revocation> {
      await store.deleteAdminTokens(tx, adminId, id);
      return publishRevocation(tx, { subject: `admin:${adminId}`, token_ids: id === undefined ? [] : [id] });
    },

    /** Hints every gateway at once, after the commit; the event that went with it follows through the stream. */
    announce(revocation: Revocation | undefined): void {
      if (revocation === undefined || bus.connection.isClosed()) return;
      bus.connection.publish(bus.subject('hints.tokens.revoked'), JSON.stringify(revocation));
    },

    /** Job: writes last uses behind. */
    async writeUses() {
      const ids = [...used].slice(0, USES_AT_ONCE);
      if (ids.length === 0) return undefined;
      for (const id of ids) used.delete(id);
      try {
        await database.autocommit((tx) => store.markUsed(tx, ids));
      } catch (error) {
        for (const id of ids) used.add(id);
        throw error;
      }
      return moreIf(used.size > 0);
    },

    /** Job: removes what has idled out. */
    async removeIdle() {
      const removed = await database.transact(async (tx) => {
        const ofUsers = await store.deleteIdle(tx, 'account', idle.user, IDLE_AT_ONCE);
        const ofAdmins = await store.deleteIdle(tx, 'admin', idle.admin, IDLE_AT_ONCE);
        const users = ofUsers.flatMap((token) =>
          token.device_key !== null && token.account_id !== null ? [token.account_id] : [],
        );
        await publishDevices(tx, users);
        return [ofUsers.length, ofAdmins.length] as const;
      });
      const tokens = removed[0] + removed[1];
      if (tokens > 0) logger.info({ tokens }, 'idle tokens removed');
      return moreIf(removed.includes(IDLE_AT_ONCE));
    },

    deviceSnapshots: store.allDevices,
  };
}

export type Tokens = ReturnType<typeof createTokens>;
