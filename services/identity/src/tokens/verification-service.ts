import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import { parseBearer } from '@tutoring/shared/kit/identity/bearer';
import { claimedRights } from '@tutoring/shared/contract/rights';
import { moreIf } from '@tutoring/shared/kit/jobs';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import type { Parts } from '../parts.ts';
import * as store from './token-store.ts';
import { matches } from './token.ts';

const USES_BATCH = 1_000;

/** Job: writes the collected uses of tokens, after a write in progress. */
export function writeUses({ database, tokenUses }: Pick<Parts, 'database' | 'tokenUses'>) {
  const { used } = tokenUses;

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

  const written = tokenUses.writing.then(writeBatch);
  tokenUses.writing = written.catch(() => undefined);
  return written;
}

type Verified = CommandAnswer<'token.verify'>;

function callerOf(token: store.StoredToken): UserCaller | AdminCaller | undefined {
  const { id: tokenId, user_id, platform, admin_id, admin_name, admin_level, admin_roles } = token;
  if (user_id !== null && platform !== null) return { kind: 'user', id: user_id, platform, tokenId };
  if (admin_id === null) return undefined;
  const level = admin_level ?? '';
  const rights = claimedRights(level, admin_roles ?? []);
  return { kind: 'admin', id: admin_id, name: admin_name ?? '', level, tokenId, ...(rights && { rights }) };
}

/** The holders of valid bearers, in the order of `bearers`; counts as a use of each. Always a single query. */
export async function findValid(
  { database, idle, tokenUses }: Pick<Parts, 'database' | 'idle' | 'tokenUses'>,
  bearers: string[],
) {
  const parsed = bearers.map(parseBearer);
  const ids = [...new Set(parsed.flatMap((parts) => parts?.id ?? []))];
  if (ids.length === 0) return bearers.map(() => undefined);
  const stored = new Map((await store.findTokens(database.manager, ids, idle)).map((token) => [token.id, token]));
  return parsed.map((parts) => {
    const token = parts && stored.get(parts.id);
    const caller = token && callerOf(token);
    if (!caller || !matches(parts.secret, token.hash)) return undefined;
    if (token.due) tokenUses.used.add(token.id);
    const { expires_at, needs_totp } = token;
    const holder: Verified = { caller, expires_at, ...(needs_totp && { needs_totp: true }) };
    return { token, holder };
  });
}

/** The holder of each bearer, in the order of `bearers`; null for a malformed, expired or revoked bearer. */
export const verifyAll = async (parts: Parts, bearers: string[]): Promise<(Verified | null)[]> =>
  (await findValid(parts, bearers)).map((found) => found?.holder ?? null);
