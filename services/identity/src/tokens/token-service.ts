import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { bearer, newSecret } from '@tutoring/shared/kit/identity/bearer';
import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { EventData } from '@tutoring/shared/contract/events';
import { publish } from '@tutoring/shared/contract/publish';
import { moreIf } from '@tutoring/shared/kit/jobs';
import type { Language } from '@tutoring/shared/kit/process/language';
import { conflict, found, unauthenticated } from '../errors.ts';
import type { RequestInfo } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as store from './token-store.ts';
import { secretHash, sessionViewOf, type NewBearer } from './token.ts';
import * as verification from './verification-service.ts';

export type NewLogin = Omit<store.NewToken, 'hash' | 'name'> & { client: RequestInfo };

const IDLE_BATCH = 500;
const MAX_SESSIONS = 20;
const MAX_API_TOKENS = 100;

const hasDevice = (token: { device_key: string | null }) => token.device_key !== null;
const idsOf = (tokens: { id: number }[]) => tokens.map(({ id }) => id);

/** Publishes the users' current device keys, and their language. */
export async function publishDevices(tx: Tx, userIds: number[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort((a, b) => a - b)) {
    const devices = await store.touchDevices(tx, userId);
    if (devices) publish(tx, [{ name: 'devices.changed', data: { user_id: userId, ...devices } }]);
  }
}

/** Stores the language for messages to this person. */
async function storeLanguage(tx: Tx, { kind, id }: store.Holder, language: Language): Promise<void> {
  if (kind === 'admin') await store.setAdminLanguage(tx, id, language);
  else if (await store.setLanguage(tx, id, language)) await publishDevices(tx, [id]);
}

function hint({ bus }: Parts, revocation: EventData<'tokens.revoked'>): void {
  if (bus.connection.isClosed()) return;
  bus.connection.publish(bus.subject('hints.tokens.revoked'), JSON.stringify(revocation));
}

/** Publishes the end of the tokens `ids`; of all tokens of the holder if `ids` is empty. */
async function publishRevocation(parts: Parts, tx: Tx, { kind, id }: store.Holder, ids: number[]): Promise<void> {
  const revocation = { subject: `${kind}:${id}`, token_ids: ids };
  publish(tx, [{ name: 'tokens.revoked', data: revocation }]);
  afterCommit(tx, () => hint(parts, revocation));
}

/** Publishes the end of removed tokens. Returns their number. */
async function publishRemoved(parts: Parts, tx: Tx, holder: store.Holder, removed: store.RemovedToken[]) {
  if (removed.length > 0) await publishRevocation(parts, tx, holder, idsOf(removed));
  if (removed.some(hasDevice)) await publishDevices(tx, [holder.id]);
  return removed.length;
}

/** Ends the selected tokens of a holder. Returns their number. */
export const revoke = async (parts: Parts, tx: Tx, holder: store.Holder, which: store.TokenFilter): Promise<number> =>
  publishRemoved(parts, tx, holder, await store.deleteTokens(tx, holder, which));

export async function revokeAll(parts: Parts, tx: Tx, holder: store.Holder): Promise<void> {
  const removed = await store.deleteTokens(tx, holder, {});
  await publishRevocation(parts, tx, holder, []);
  if (removed.some(hasDevice)) await publishDevices(tx, [holder.id]);
}

/** Ends the sessions unused for longest, so that twenty are left, including the new one. */
const revokeSurplus = async (parts: Parts, tx: Tx, id: number, newId: number) =>
  publishRemoved(parts, tx, { kind: 'user', id }, await store.deleteSurplus(tx, id, newId, MAX_SESSIONS));

/**
 * Makes gateways verify the tokens of one administrator, or of all administrators, again after a change of rights.
 * The tokens stay valid.
 */
export async function recheckAdmins(parts: Parts, tx: Tx, adminId?: number): Promise<void> {
  const tokens = Map.groupBy(await store.adminTokens(tx, adminId), ({ admin_id: id }) => id);
  for (const [id, own] of tokens) await publishRevocation(parts, tx, { kind: 'admin', id }, idsOf(own));
}

async function issue(tx: Tx, token: Omit<store.NewToken, 'hash'>) {
  const secret = newSecret();
  const row = await store.insertUserToken(tx, { ...token, hash: secretHash(secret) });
  return row && { ...row, token: bearer(row.id, secret) };
}

/** Issues a bearer to a user; undefined when the user may not log in (any more). */
export async function issueLogin(parts: Parts, tx: Tx, login: NewLogin): Promise<NewBearer | undefined> {
  const { userId, deviceKey } = login;
  if (deviceKey !== undefined) await store.lockDevice(tx, deviceKey);
  const issued = await issue(tx, login);
  if (!issued) return undefined;
  await revokeSurplus(parts, tx, userId, issued.id);
  if (deviceKey !== undefined)
    await publishDevices(tx, [userId, ...(await store.releaseDevice(tx, deviceKey, issued.id))]);
  return { token: issued.token, token_type: 'Bearer' };
}

/** Undefined when the administrator may not log in (any more), or the password has changed since. */
export async function issueToAdmin(
  tx: Tx,
  admin: { id: number; password_hash: string },
): Promise<NewBearer | undefined> {
  const secret = newSecret();
  const hash = secretHash(secret);
  const row = await store.insertAdminToken(tx, { adminId: admin.id, hash, passwordHash: admin.password_hash });
  return row && { token: bearer(row.id, secret), token_type: 'Bearer' };
}

/** The caller's logins, last used first. */
export async function sessions(parts: Parts, caller: UserCaller) {
  // Writes the uses collected by this replica; other replicas write theirs within a second.
  await verification.writeUses(parts);
  return (await store.sessionsOf(parts.database.manager, caller.id, caller.tokenId)).map(sessionViewOf);
}

/** Ends the selected tokens of a holder, in a transaction of its own. Returns their number. */
export const end = (parts: Parts, holder: store.Holder, which: store.TokenFilter) =>
  parts.database.transact((tx) => revoke(parts, tx, holder, which));

/** The holder of the bearer, whose `language` it stores. Undefined for a malformed, expired or revoked bearer. */
export async function verify(parts: Parts, text: string, language?: Language) {
  const [found] = await verification.findValid(parts, [text]);
  if (found && language !== undefined && language !== found.token.language)
    // A failure to store the language must not fail the request.
    await parts.database
      .transact((tx) => storeLanguage(tx, found.holder.caller, language))
      .catch((error: unknown) => parts.logger.warn({ err: error }, "a user's language was not stored"));
  return found?.holder;
}

export async function logOut(parts: Parts, caller: UserCaller | AdminCaller) {
  await end(parts, caller, { only: caller.tokenId });
  return { message: texts.loggedOut };
}

/** Throws conflict beyond the maximum, and unauthenticated when the caller's own token has ended. */
export const createApiToken = ({ database }: Parts, { id: userId, tokenId }: UserCaller, name: string) =>
  database.transact(async (tx) => {
    await store.lockHolder(tx, userId);
    assertThat(await store.tokenExists(tx, userId, tokenId), unauthenticated);
    const existing = await store.apiTokens(tx, userId);
    assertThat(existing.length < MAX_API_TOKENS, () => conflict(texts.tooManyTokens));
    const issued = await issue(tx, { userId, name });
    assertThat(issued, unauthenticated);
    return { id: issued.id, name, last_used_at: null, created_at: issued.created_at, token: issued.token };
  });

/** Sets or removes the device key of the session in use. Throws not_found for an API token. */
export async function setDevice(parts: Parts, caller: UserCaller, deviceKey: string | null) {
  const { id, tokenId } = caller;
  await parts.database.transact(async (tx) => {
    if (deviceKey !== null) await store.lockDevice(tx, deviceKey);
    if (!(await store.setDevice(tx, id, tokenId, deviceKey))) return;
    const others = deviceKey === null ? [] : await store.releaseDevice(tx, deviceKey, tokenId);
    await publishDevices(tx, [id, ...others]);
  });
  return found((await sessions(parts, caller)).find((session) => session.current));
}

/** Job: removes tokens that have expired for lack of use. */
export async function removeIdle({ database, idle, logger }: Parts) {
  const removed = await database.transact(async (tx) => {
    const ofUsers = await store.deleteIdle(tx, 'account', idle.user, IDLE_BATCH);
    const ofAdmins = await store.deleteIdle(tx, 'admin', idle.admin, IDLE_BATCH);
    await publishDevices(
      tx,
      ofUsers.filter(hasDevice).flatMap((token) => token.account_id ?? []),
    );
    return [ofUsers.length, ofAdmins.length] as const;
  });
  const tokens = removed[0] + removed[1];
  if (tokens > 0) logger.info({ tokens }, 'removed tokens that expired for lack of use');
  return moreIf(removed.includes(IDLE_BATCH));
}
