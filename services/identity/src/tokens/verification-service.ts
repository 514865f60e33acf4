import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { parseBearer } from '@tutoring/shared/kit/identity/bearer';
import type { Database } from '@tutoring/shared/kit/database/open';
import { moreIf } from '@tutoring/shared/kit/jobs';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import { matches } from './token.ts';
import * as store from './token-store.ts';

const USES_BATCH = 1_000;

/** Collects the last uses of tokens in memory and writes them in batches. */
function createLastUses(database: Database) {
  const used = new Set<number>();
  let writing: Promise<unknown> = Promise.resolve();

  async function writeBatch() {
    const ids = [...used].slice(0, USES_BATCH);
    if (ids.length === 0) return undefined;
    for (const id of ids) used.delete(id);
    try {
      await database.autocommit((tx) => store.markUsed(tx, ids));
    } catch (error) {
      for (const id of ids) used.add(id);
      throw error;
    }
    return moreIf(used.size > 0);
  }

  return {
    add: (tokenId: number) => void used.add(tokenId),

    /** Job: writes collected uses, after a write in progress. */
    write() {
      const written = writing.then(writeBatch);
      writing = written.catch(() => undefined);
      return written;
    },
  };
}

type Verified = CommandAnswer<'token.verify'>;

function callerOf(token: store.StoredToken): UserCaller | AdminCaller | undefined {
  const { id: tokenId, user_id, platform, admin_id, admin_name, admin_level } = token;
  if (user_id !== null && platform !== null) return { kind: 'user', id: user_id, platform, tokenId };
  if (admin_id === null) return undefined;
  return { kind: 'admin', id: admin_id, name: admin_name ?? '', level: admin_level ?? '', tokenId };
}

/** SQL intervals after which unused tokens expire. */
export type Idle = Record<'user' | 'admin', string>;

/** Verifies bearers and records their use. */
export function createVerification(database: Database, idle: Idle) {
  const uses = createLastUses(database);

  /** The holders of valid bearers, in the order of `bearers`; counts as a use of each. Always a single query. */
  async function findValid(bearers: string[]) {
    const parsed = bearers.map(parseBearer);
    const ids = [...new Set(parsed.flatMap((parts) => parts?.id ?? []))];
    if (ids.length === 0) return bearers.map(() => undefined);
    const stored = new Map((await store.findTokens(database.manager, ids, idle)).map((token) => [token.id, token]));
    return parsed.map((parts) => {
      const token = parts && stored.get(parts.id);
      const caller = token && callerOf(token);
      if (!caller || !matches(parts.secret, token.hash)) return undefined;
      if (token.due) uses.add(token.id);
      const { expires_at, needs_totp } = token;
      const holder: Verified = { caller, expires_at, ...(needs_totp && { needs_totp: true }) };
      return { token, holder };
    });
  }

  return {
    writeUses: uses.write,

    findValid,

    /** The holder of each bearer, in the order of `bearers`; null for a malformed, expired or revoked bearer. */
    verifyAll: async (bearers: string[]): Promise<(Verified | null)[]> =>
      (await findValid(bearers)).map((found) => found?.holder ?? null),
  };
}
