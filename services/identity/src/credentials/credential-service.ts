import { hash as argon2, verify as argon2Verify } from '@node-rs/argon2';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { clientOf, networkOf } from '@tutoring/shared/kit/process/client-network';
import { createTaskQueue } from '@tutoring/shared/kit/task-queue';
import type { IdentityConfig } from '../config.ts';
import { busy } from '../errors.ts';
import type { Parts } from '../parts.ts';
import * as store from './lockout-store.ts';
import { beginAttempt, endAttempt, afterSuccess, type Outcome } from './lockout.ts';
import { formsOf, saltBytes } from './password.ts';
import { replaceHash } from './password-store.ts';

const MAX_CONCURRENT_HASHES = 2;
/** More than hashes, so that the hashing threads stay busy while other attempts query the database. */
const MAX_CONCURRENT_ATTEMPTS = 4;
/** Attempts, and hashes, that wait; further ones are refused. */
const MAX_WAITING = 50;
const NO_CLIENT = { account: '', network: '' };

const FAILURES_OF_NETWORK = 10;
const FAILURES_OF_ACCOUNT = 100;
const FAILURES_OF_ADDRESS = 100;

/** Key of the lock-out's counts for a login name. Unknown names are counted too, so that both take as long. */
export const userKey = (name: string) => `user:${name}`;
/** Key of the lock-out's counts for an account without a proven e-mail; nobody can type it as a login name. */
export const idKey = (id: number) => `account:${id}`;

interface Account {
  id: number;
  email_key: string | null;
}

/** Key of the lock-out's counts for an account. An unproven e-mail is not used: it may be somebody else's. */
export const accountKey = (account: Account) =>
  account.email_key === null ? idKey(account.id) : userKey(account.email_key);
export const adminKey = (name: string) => `admin:${name}`;

/** Key of the account that is tried, and the client's address. */
type AttemptClient = Record<'account' | 'address', string>;

/** `person`: id of the user or administrator, if the account exists. */
type AttemptTarget = AttemptClient & { person: number | undefined };

/** Whether this counts one account from one network: the only limit where the account has logged in lately. */
const isAccountOnNetwork = ({ account, network }: store.CountKey) => account !== '' && network !== '';

/** Limit of failures for an address, an account over all networks, or an account from one network. */
const limitOf = ({ account, network }: store.CountKey) =>
  account === '' ? FAILURES_OF_ADDRESS : network === '' ? FAILURES_OF_ACCOUNT : FAILURES_OF_NETWORK;

const argonOptions = ({ ARGON2_MEMORY_KIB: memoryCost, ARGON2_PASSES: timeCost }: IdentityConfig) => ({
  memoryCost,
  timeCost,
  parallelism: 1,
});

/** The fair queues of attempts and of hashes, and a hash that stands in for that of an unknown account. */
export async function startHashing(config: IdentityConfig) {
  const queueOf = (atOnce: number) =>
    createTaskQueue({ atOnce, perAccount: atOnce, maxWaiting: MAX_WAITING, refusal: () => busy(1) });
  return {
    attemptQueue: queueOf(MAX_CONCURRENT_ATTEMPTS),
    hashQueue: queueOf(MAX_CONCURRENT_HASHES),
    dummyHash: await argon2('nobody has this password', argonOptions(config)),
  };
}

/*
 * Hashes passwords by argon2id behind a fair queue, and checks secrets under the lock-out rules of accounts and
 * addresses.
 */

type Started = Awaited<ReturnType<typeof start>>;

/** Runs `work` when the fair queue has a slot for the client. */
export const queued = <T>({ attemptQueue }: Parts, { account, address }: AttemptClient, work: () => Promise<T>) =>
  attemptQueue({ account, network: networkOf(address) }, work);

const hashOf = (parts: Parts, password: string, salt?: Buffer) =>
  parts.hashQueue(NO_CLIENT, () =>
    argon2(formsOf(password)[0], { ...argonOptions(parts.config), ...(salt && { salt }) }),
  );

/**
 * Whether the password, in any of its Unicode forms, matches `hash`; without a hash it takes as long and returns
 * false. Call it through the queue. When `person` is given, a matching hash of another form than NFC is replaced.
 */
export async function compare(parts: Parts, hash: string | null | undefined, password: string, person?: number) {
  const matches: boolean[] = [];
  // Always compares all forms, so that the time reveals nothing to a locked-out client.
  for (const form of formsOf(password))
    matches.push(await parts.hashQueue(NO_CLIENT, () => argon2Verify(hash ?? parts.dummyHash, form)));
  if (hash === null || hash === undefined || !matches.includes(true)) return false;
  if (person !== undefined && !matches[0]) {
    const replacement = await hashOf(parts, password, saltBytes(hash));
    await parts.database.autocommit((tx) => replaceHash(tx, person, hash, replacement));
  }
  return true;
}

/** Throws unavailable when this attempt would be locked out if all attempts in flight fail. */
async function start(tx: Tx, { account, person, address }: AttemptTarget) {
  const here = networkOf(address);
  const keys = [
    { account, network: here },
    { account, network: '' },
    { account: '', network: clientOf(address) },
  ];
  const [opened, use] = await Promise.all([store.openCounts(tx, keys), store.networkUse(tx, person ?? 0, here)]);
  const begun = opened.map((count) => ({ of: count, next: beginAttempt(count, limitOf(count), count.at) }));
  const deciding = begun.filter(({ of }) => !use.used || isAccountOnNetwork(of)).map(({ next }) => next);
  const admitted = !deciding.includes('locked');
  if (admitted && deciding.includes('undecided')) throw busy(1);
  // A refused attempt counts for the address only, not for the account.
  const counted = begun.flatMap(({ of, next }) =>
    typeof next !== 'string' && (admitted || of.account === '') ? [next] : [],
  );
  store.saveCountsWithCommit(tx, counted);
  return { counted, here, admitted, isNoted: use.noted };
}

async function finish(tx: Tx, person: number | undefined, started: Started, outcome: Outcome) {
  const { here } = started;
  const ended = (await store.lockCounts(tx, started.counted)).map((count) => {
    const next = endAttempt(count, limitOf(count), count.at, outcome);
    const isHere = count.account !== '' && count.network === here;
    return outcome === 'right' && isHere ? afterSuccess(next) : next;
  });
  store.saveCountsWithCommit(tx, ended);
  if (outcome === 'right' && person !== undefined && !started.isNoted) await store.recordLogin(tx, person, here);
}

/**
 * Runs `check` as one attempt of the lock-out, through the fair queue. Returns false while the account or the address
 * is locked. `check` runs even then, so that it takes as long; it may consume or reveal something only when
 * `admitted`. On a network where the account has logged in within 30 days, only its failures on that network lock it
 * out. Attempts in flight, in every replica, use up the remaining tries, so that parallel guesses get no more tries
 * than sequential ones; throws unavailable when no try is left until they finish. An error thrown by `check` does not
 * count as a failure.
 */
export const attempt = (parts: Parts, attempted: AttemptTarget, check: (admitted: boolean) => Promise<boolean>) =>
  queued(parts, attempted, async () => {
    const started = await parts.database.transact((tx) => start(tx, attempted));
    let outcome: Outcome = 'unchecked';
    try {
      const right = (await check(started.admitted)) && started.admitted;
      outcome = right ? 'right' : 'wrong';
      return right;
    } finally {
      await parts.database.transact((tx) => finish(tx, attempted.person, started, outcome));
    }
  });

/** Whether the password is right; see `attempt`. */
export const checkPassword = (
  parts: Parts,
  attempted: AttemptTarget,
  hash: string | null | undefined,
  password: string,
) => attempt(parts, attempted, (admitted) => compare(parts, hash, password, admitted ? attempted.person : undefined));

export const hash = (parts: Parts, password: string, client: AttemptClient) =>
  queued(parts, client, () => hashOf(parts, password));

/** Whether it is the password of this account. */
export const isPasswordOf = (
  parts: Parts,
  account: Account & { password_hash: string | null },
  password: string,
  address: string,
) =>
  checkPassword(parts, { account: accountKey(account), person: account.id, address }, account.password_hash, password);
