import type { Tx } from '@tutoring/shared/database/open';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { publishDevices } from './device-service.ts';
import * as store from './token-store.ts';

/** Bearers that were revoked; empty `token_ids` means all of the subject. */
export interface Revocation {
  subject: string;
  token_ids: number[];
}

const MAX_SESSIONS = 20;

const idsOf = (tokens: { id: number }[]) => tokens.map(({ id }) => id);
export const hasDevice = (token: { device_key: string | null }) => token.device_key !== null;

/** Publishes that bearers of a user were revoked: the removed ones, or all of them. */
async function publishRevocation(tx: Tx, userId: number, removed: store.Removed[], isAll = false): Promise<Revocation> {
  const revocation = { subject: `user:${userId}`, token_ids: isAll ? [] : idsOf(removed) };
  await publish(tx, 'tokens.revoked', revocation);
  if (removed.some(hasDevice)) await publishDevices(tx, [userId]);
  return revocation;
}

/** The same; publishes nothing when none were removed. */
const publishSome = async (tx: Tx, userId: number, removed: store.Removed[]): Promise<Revocation | undefined> =>
  removed.length === 0 ? undefined : publishRevocation(tx, userId, removed);

/** Ways to revoke bearers. Pass the result to `announce` after the commit; undefined: nothing was revoked. */
export const revocations = {
  /** Any bearer of a user. */
  revokeOne: async (tx: Tx, userId: number, id: number) =>
    publishSome(tx, userId, await store.deleteUserToken(tx, userId, id)),

  revokeSession: async (tx: Tx, userId: number, id: number) =>
    publishSome(tx, userId, await store.deleteSession(tx, userId, id)),

  /** Every session but one; API tokens stay. */
  revokeOtherSessions: async (tx: Tx, userId: number, keep: number) =>
    publishSome(tx, userId, await store.deleteSessions(tx, userId, keep)),

  /** The sessions unused for longest, so that twenty are left, the new one included. */
  revokeSurplus: async (tx: Tx, userId: number, newId: number) =>
    publishSome(tx, userId, await store.deleteSurplus(tx, userId, newId, MAX_SESSIONS)),

  revokeApiToken: async (tx: Tx, userId: number, id: number) =>
    publishSome(tx, userId, await store.deleteApiToken(tx, userId, id)),

  revokeAll: async (tx: Tx, userId: number) =>
    publishRevocation(tx, userId, await store.deleteUserTokens(tx, userId), true),

  revokeOthers: async (tx: Tx, userId: number, keep: number) =>
    publishSome(tx, userId, await store.deleteUserTokens(tx, userId, keep)),

  /** All of an administrator, or one. */
  async revokeAdmin(tx: Tx, adminId: number, id?: number): Promise<Revocation> {
    await store.deleteAdminTokens(tx, adminId, id);
    const revocation = { subject: `admin:${adminId}`, token_ids: id === undefined ? [] : [id] };
    await publish(tx, 'tokens.revoked', revocation);
    return revocation;
  },

  /** All of an administrator but one. */
  async revokeOthersOfAdmin(tx: Tx, adminId: number, keep: number): Promise<Revocation | undefined> {
    const removed = await store.deleteOtherAdminTokens(tx, adminId, keep);
    if (removed.length === 0) return undefined;
    const revocation = { subject: `admin:${adminId}`, token_ids: idsOf(removed) };
    await publish(tx, 'tokens.revoked', revocation);
    return revocation;
  },

  /**
   * Makes gateways verify the tokens of one administrator, or of all, again: their rights have changed. The tokens stay
   * good.
   */
  async recheckAdmins(tx: Tx, adminId?: number): Promise<Revocation[]> {
    const tokens = Map.groupBy(await store.adminTokens(tx, adminId), ({ admin_id: id }) => id);
    const revoked = [...tokens].map(([id, own]) => ({ subject: `admin:${id}`, token_ids: idsOf(own) }));
    for (const revocation of revoked) await publish(tx, 'tokens.revoked', revocation);
    return revoked;
  },
};
