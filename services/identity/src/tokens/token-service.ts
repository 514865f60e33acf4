import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import { bearer, newSecret, parseBearer } from '@tutoring/shared/identity/bearer';
import type { Database, Tx } from '@tutoring/shared/database/open';
import type { Bus } from '@tutoring/shared/events/bus';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import { moreIf } from '@tutoring/shared/jobs';
import type { Language } from '@tutoring/shared/process/language';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Client } from '../network.ts';
import { publishDevices } from './device-service.ts';
import { createLastUses } from './last-use-service.ts';
import { hasDevice, revocations, type Revocation } from './revocation-service.ts';
import { matches, secretHash } from './token.ts';
import * as store from './token-store.ts';

type Holder = CommandAnswer<'token.verify'>;
type NewToken = Parameters<typeof store.insertUserToken>[1];

export interface NewLogin {
  userId: number;
  client: Client;
  deviceKey?: string | undefined;
  deviceName?: string | undefined;
  passwordHash?: string | null;
}

const IDLE_AT_ONCE = 500;

function callerOf(token: store.StoredToken): UserCaller | AdminCaller | undefined {
  const { id: tokenId, user_id, platform, admin_id, admin_name, admin_level } = token;
  if (user_id !== null && platform !== null) return { kind: 'user', id: user_id, platform, tokenId };
  if (admin_id === null) return undefined;
  return { kind: 'admin', id: admin_id, name: admin_name ?? '', level: admin_level ?? '', tokenId };
}

interface Idle {
  user: string;
  admin: string;
}

async function removeIdle(database: Database, logger: Logger, idle: Idle) {
  const removed = await database.transact(async (tx) => {
    const ofUsers = await store.deleteIdle(tx, 'account', idle.user, IDLE_AT_ONCE);
    const ofAdmins = await store.deleteIdle(tx, 'admin', idle.admin, IDLE_AT_ONCE);
    const users = ofUsers.filter(hasDevice).flatMap((token) => token.account_id ?? []);
    await publishDevices(tx, users);
    return [ofUsers.length, ofAdmins.length] as const;
  });
  const tokens = removed[0] + removed[1];
  if (tokens > 0) logger.info({ tokens }, 'idle tokens removed');
  return moreIf(removed.includes(IDLE_AT_ONCE));
}

/** Stores the language for messages to this person. */
async function keepLanguage(tx: Tx, { kind, id }: UserCaller | AdminCaller, language: Language): Promise<void> {
  if (kind === 'admin') await store.setAdminLanguage(tx, id, language);
  else if (await store.setLanguage(tx, id, language)) await publishDevices(tx, [id]);
}

/** Issues, verifies and revokes bearers. */
export function createTokens(deps: {
  database: Database;
  bus: Bus;
  logger: Logger;
  idle: { userDays: number; adminHours: number };
}) {
  const { database, bus, logger } = deps;
  const idle: Idle = { user: `${deps.idle.userDays} days`, admin: `${deps.idle.adminHours} hours` };
  const uses = createLastUses({ database });

  async function issue(tx: Tx, token: Omit<NewToken, 'hash'>) {
    const secret = newSecret();
    const row = await store.insertUserToken(tx, { ...token, hash: secretHash(secret) });
    return row && { ...row, token: bearer(row.id, secret) };
  }

  /**
   * A bearer for a user who logs in, and the revocation of surplus sessions (at most twenty) for `announce`. Undefined
   * when the user may not log in (any more).
   */
  async function issueLogin(tx: Tx, login: NewLogin) {
    const { userId, deviceKey } = login;
    if (deviceKey !== undefined) await store.lockDevice(tx, deviceKey);
    const issued = await issue(tx, login);
    if (!issued) return undefined;
    const ended = await revocations.revokeSurplus(tx, userId, issued.id);
    if (deviceKey !== undefined)
      await publishDevices(tx, [userId, ...(await store.releaseDevice(tx, deviceKey, issued.id))]);
    return { token: issued.token, ended };
  }

  /** Undefined when they may not log in (any more), or their password has changed meanwhile. */
  async function issueToAdmin(tx: Tx, admin: { id: number; password_hash: string }): Promise<string | undefined> {
    const secret = newSecret();
    const hash = secretHash(secret);
    const row = await store.insertAdminToken(tx, { adminId: admin.id, hash, passwordHash: admin.password_hash });
    return row && bearer(row.id, secret);
  }

  /** Good bearers with their holders, at their places; this is a use of them. One statement, however many they are. */
  async function findGood(texts: string[]) {
    const parsed = texts.map(parseBearer);
    const ids = [...new Set(parsed.flatMap((parts) => parts?.id ?? []))];
    if (ids.length === 0) return texts.map(() => undefined);
    const stored = new Map((await store.findTokens(database.manager, ids, idle)).map((token) => [token.id, token]));
    return parsed.map((parts) => {
      const token = parts && stored.get(parts.id);
      const caller = token && callerOf(token);
      if (!caller || !matches(parts.secret, token.hash)) return undefined;
      if (token.due) uses.note(token.id);
      const { expires_at, needs_totp } = token;
      const holder: Holder = { caller, expires_at, ...(needs_totp && { needs_totp: true }) };
      return { token, holder };
    });
  }

  return {
    ...revocations,
    issueLogin,
    issueToAdmin,
    issueApiToken: (tx: Tx, userId: number, name: string) => issue(tx, { userId, name }),

    /** The holder of the bearer; stores their `language`. Undefined for a malformed, idle or revoked bearer. */
    async verify(text: string, language?: Language): Promise<Holder | undefined> {
      const [found] = await findGood([text]);
      if (found && language !== undefined && language !== found.token.language)
        // A failure to record the use must not refuse the request.
        await database
          .transact((tx) => keepLanguage(tx, found.holder.caller, language))
          .catch((error: unknown) => logger.warn({ err: error }, 'a language was not kept'));
      return found?.holder;
    },

    /** The holder of each bearer, at its place; null for a malformed, idle or revoked one. */
    verifyAll: async (texts: string[]): Promise<(Holder | null)[]> =>
      (await findGood(texts)).map((found) => found?.holder ?? null),

    /** Sends every gateway a hint, after the commit; the event follows through the stream. */
    announce(revocation: Revocation | undefined): void {
      if (revocation === undefined || bus.connection.isClosed()) return;
      bus.connection.publish(bus.subject('hints.tokens.revoked'), JSON.stringify(revocation));
    },

    /** After how much time without use tokens end, as intervals of SQL. */
    idle,

    writeUses: uses.write,

    /** Job: removes tokens that are idle for too long. */
    removeIdle: () => removeIdle(database, logger, idle),

    deviceSnapshots: store.allDevices,
  };
}

export type Tokens = ReturnType<typeof createTokens>;
