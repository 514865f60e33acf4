import { isIPv6 } from 'node:net';
import type { Database } from '@tutoring/shared/database/open';
import type { Hasher } from './hasher.ts';
import { admit, chargeAttempt, forgive } from './lockout-store.ts';

const FAILURES_OF_ACCOUNT = 10;
const FAILURES_OF_ADDRESS = 100;

export const emailKey = (email: string) => email.trim().normalize('NFC').toLowerCase();

/** Names of accounts in the lock-out: also of accounts that do not exist, so that both cost the same. */
export const userKey = (name: string) => `user:${name}`;
export const adminKey = (name: string) => `admin:${name}`;

/** One network of a client: the address, or the /64 of an IPv6 address. */
export function addressKey(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return `address:${address}`;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const behind = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - behind.length }, () => '0');
  return `address:${[...groups, ...zeros, ...behind].slice(0, 4).join(':')}::/64`;
}

/** Checks secrets under the lock-out rules of accounts and addresses. */
export function createCredentials({ database, hasher }: { database: Database; hasher: Hasher }) {
  const { manager } = database;

  /**
   * Runs `check` as one attempt on `account` from `address`. A locked account or address fails like a wrong secret, and
   * `check` runs all the same, so that it takes as long.
   */
  async function attempt(account: string, address: string, check: () => Promise<boolean>): Promise<boolean> {
    const network = addressKey(address);
    const admitted = await admit(manager, { account, limit: FAILURES_OF_ACCOUNT, address: network });
    const right = (await check()) && admitted;
    if (right) await forgive(manager, [account]);
    else await chargeAttempt(manager, network, FAILURES_OF_ADDRESS);
    return right;
  }

  return {
    attempt,
    /** Whether the password is right; see `attempt`. */
    checkPassword: (input: { account: string; address: string; hash: string | null | undefined; password: string }) =>
      attempt(input.account, input.address, () => hasher.verify(input.hash, input.password)),
  };
}

export type Credentials = ReturnType<typeof createCredentials>;
