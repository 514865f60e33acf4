import type { Database } from '@tutoring/shared/database/open';
import { networkOf } from '../network.ts';
import type { Hasher } from './hasher.ts';
import { chargeFailure, forgive, standing } from './lockout-store.ts';

const FAILURES_OF_ACCOUNT = 10;
const FAILURES_OF_ADDRESS = 100;

/** Names of accounts in the lock-out: also of accounts that do not exist, so that both cost the same. */
export const userKey = (name: string) => `user:${name}`;
/** One of an account: not by an e-mail that is not proven, which may be another's. */
export const keyOf = (account: { id: number; email_key: string | null }) =>
  userKey(account.email_key ?? String(account.id));
export const adminKey = (name: string) => `admin:${name}`;

/** Where a client's failures count together: the address, or the /64 of an IPv6 address. */
export const addressKey = (address: string) => `address:${networkOf(address, { v4: 32, v6: 64 })}`;

/** Checks secrets under the lock-out rules of accounts and addresses. */
export function createCredentials({ database, hasher }: { database: Database; hasher: Hasher }) {
  const { manager } = database;

  /** Attempts of each account that are under way here. */
  const underWay = new Map<string, number>();

  function begin(account: string): number {
    const others = underWay.get(account) ?? 0;
    underWay.set(account, others + 1);
    return others;
  }

  function end(account: string): void {
    const left = (underWay.get(account) ?? 1) - 1;
    if (left > 0) underWay.set(account, left);
    else underWay.delete(account);
  }

  /**
   * Runs `check` as one attempt on `account` from `address`. A locked account or address fails like a wrong secret, and
   * `check` runs all the same, so that it takes as long. What is under way counts as failed until it has succeeded, so
   * that guesses in parallel get no more tries than guesses in a row.
   */
  async function attempt(account: string, address: string, check: () => Promise<boolean>): Promise<boolean> {
    const network = addressKey(address);
    const others = begin(account);
    try {
      const { failures, known, locked } = await standing(manager, account, network);
      const admitted = !locked && failures + others < FAILURES_OF_ACCOUNT;
      const right = (await check()) && admitted;
      if (right && known) await forgive(manager, [account]);
      if (!right)
        await chargeFailure(manager, [
          [account, FAILURES_OF_ACCOUNT],
          [network, FAILURES_OF_ADDRESS],
        ]);
      return right;
    } finally {
      end(account);
    }
  }

  return {
    attempt,
    /** Whether the password is right; see `attempt`. */
    checkPassword: (input: { account: string; address: string; hash: string | null | undefined; password: string }) =>
      attempt(input.account, input.address, () => hasher.verify(input.hash, input.password)),
  };
}

export type Credentials = ReturnType<typeof createCredentials>;
