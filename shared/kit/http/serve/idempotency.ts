import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../../identity/auth.ts';
import { isUnavailable } from '../../database/refusals.ts';
import { row, rows, type Tx } from '../../database/sql.ts';
import { CLAIM_SECONDS } from '../../process/deadlines.ts';
import { AppError, invalid } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { Reply, type Once, type Transacting } from '../declare/route.ts';

/** A request to an idempotent route. */
interface IdempotentRequest {
  caller: Caller;
  /** Method and path: `POST /api/withdrawals`. */
  scope: string;
  key: string | undefined;
  /** The validated body. A repeat must have the same one. */
  body: unknown;
}

/** What identifies a row of idempotency_key; releases that run side by side must compute the same values. */
interface StoredKey {
  id: [caller: string, scope: string, key: string];
  fingerprint: string;
}

/** The key belongs to this request now. */
interface Claim {
  /** The record that an earlier, interrupted request with this key created; else null. */
  subject: string | null;
}

/** A key that belongs to another request, or to an earlier transaction of this one. */
interface Taken {
  fingerprint: string;
  status: number | null;
  answer: string;
  subject: string | null;
}

const callerName = (caller: Caller) => ('id' in caller ? `${caller.kind}:${caller.id}` : caller.kind);

/** Replacer for JSON.stringify that sorts the members of objects. */
const inOrder = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const fingerprint = (body: unknown) => createHash('sha256').update(JSON.stringify(body, inOrder)).digest('hex');

const CLAIM = `insert into idempotency_key as known (caller, scope, key, fingerprint) values ($1, $2, $3, $4)
    on conflict (caller, scope, key) do update set created_at = excluded.created_at
      where known.status is null and known.fingerprint = excluded.fingerprint
        and known.created_at <= excluded.created_at - make_interval(secs => $5)
    returning known.subject`;
const COMPLETE = `update idempotency_key set status = 200, answer = $4::text
    where caller = $1 and scope = $2 and key = $3 and status is null`;
const OWN_KEY = 'caller = $1 and scope = $2 and key = $3';

/**
 * Claims the key, or returns the row of the request that has claimed it. Waits for a transaction that is claiming the
 * same key. A claim without an answer can be taken over after CLAIM_SECONDS.
 */
async function claimOrFind(tx: Tx, { id, fingerprint: print }: StoredKey): Promise<Claim | Taken> {
  const [claim] = await rows<Claim>(tx, CLAIM, [...id, print, CLAIM_SECONDS]);
  if (claim) return claim;
  const found = `select fingerprint, status, answer, subject from idempotency_key where ${OWN_KEY}`;
  const taken = await row<Taken>(tx, found, id);
  if (!taken) throw new AppError('conflict', texts.idempotencyKey.expired);
  return taken;
}

/** The stored answer. Throws invalid when the key was used with another body, and conflict while there is no answer. */
function answerOf(taken: Taken, { fingerprint: print }: StoredKey): Reply {
  if (taken.fingerprint !== print) throw invalid({ 'Idempotency-Key': [texts.idempotencyKey.otherBody] });
  if (taken.status === null) throw new AppError('conflict', texts.idempotencyKey.running);
  // JSON that this system wrote has the same text after it is parsed and serialized again.
  const body: unknown = JSON.parse(taken.answer);
  return new Reply(body, { status: taken.status, headers: { 'Idempotent-Replayed': 'true' } });
}

/** The first answer is kept. */
const complete = (tx: Tx, { id }: StoredKey, response: unknown) =>
  rows(tx, COMPLETE, [...id, JSON.stringify(response)]);

/** Stores the record with which a repeat continues if this request is interrupted. */
const rememberSubject = (tx: Tx, { id }: StoredKey, subject: string) =>
  rows(tx, `update idempotency_key set subject = $4 where ${OWN_KEY}`, [...id, subject]);

const release = async (tx: Tx, { id }: StoredKey): Promise<void> => {
  await rows(tx, `delete from idempotency_key where ${OWN_KEY} and status is null`, id);
};

/** The outcome of a transaction with this result, by the row that is stored now; undefined if it was not committed. */
type Settle<T> = (taken: Taken, result: T) => T | Reply | undefined;

/**
 * Runs `work` in a transaction. If the connection is lost after `work`, when COMMIT may have been sent, asks `settle`
 * in another transaction, with the row that another transaction has stored under the key. Throws the error of the lost
 * connection if nothing is stored, or if `settle` returns undefined.
 */
async function transactOrSettle<T>(
  database: Transacting,
  stored: StoredKey,
  work: (tx: Tx) => Promise<T>,
  settle: Settle<T>,
): Promise<T | Reply> {
  let result: { value: T } | undefined;
  try {
    return await database.transact(async (tx) => {
      result = undefined;
      const value = await work(tx);
      result = { value };
      return value;
    });
  } catch (failure) {
    if (!result || !isUnavailable(failure)) throw failure;
    const { value } = result;
    return database.transact(async (tx) => {
      const found = await claimOrFind(tx, stored);
      const settled = 'status' in found ? settle(found, value) : undefined;
      // The rollback removes the claim.
      if (settled === undefined) throw failure;
      return settled;
    });
  }
}

/** Completes the key in the transaction of `effect`. */
async function answered<T>(tx: Tx, key: StoredKey, effect: (tx: Tx) => Promise<T>): Promise<T> {
  const response = await effect(tx);
  await complete(tx, key, response);
  return response;
}

/** Runs `effect` if this request gets the key; otherwise returns the stored answer. */
async function ifClaimed<T>(tx: Tx, key: StoredKey, effect: (claim: Claim) => Promise<T>): Promise<T | Reply> {
  const found = await claimOrFind(tx, key);
  return 'status' in found ? answerOf(found, key) : effect(found);
}

/**
 * The `once` of one request. Without a key from the client it uses a random one, so that a lost answer to COMMIT can be
 * settled.
 */
export function onceFor({ caller, scope, key, body }: IdempotentRequest): Once {
  let computed: StoredKey | undefined;
  const storedKey = () =>
    (computed ??= {
      id: [callerName(caller), scope, key ?? `auto:${randomUUID()}`],
      fingerprint: fingerprint(body),
    });
  const settleAnswer = (taken: Taken) => {
    if (taken.status === null) return undefined;
    const answer = answerOf(taken, storedKey());
    return key === undefined ? new Reply(answer.body) : answer;
  };
  const settled = <T>(database: Transacting, work: (tx: Tx) => Promise<T>, settle: Settle<T> = settleAnswer) =>
    transactOrSettle(database, storedKey(), work, settle);

  const once = <T>(database: Transacting, effect: (tx: Tx) => Promise<T>): Promise<T | Reply> =>
    settled<T | Reply>(database, (tx) => ifClaimed(tx, storedKey(), () => answered(tx, storedKey(), effect)));

  const begin: Once['begin'] = async <Row extends { id: number }>(
    database: Transacting,
    create: (tx: Tx, earlier: number | undefined) => Promise<Row>,
  ) => {
    const createOrContinue = async (tx: Tx, { subject }: Claim): Promise<Row> => {
      const made = await create(tx, subject === null ? undefined : Number(subject));
      if (subject !== String(made.id)) await rememberSubject(tx, storedKey(), String(made.id));
      return made;
    };
    const record = await settled<Row | Reply>(
      database,
      (tx) => ifClaimed(tx, storedKey(), (claim) => createOrContinue(tx, claim)),
      (taken, made) => ('id' in made && taken.subject === String(made.id) ? made : settleAnswer(taken)),
    );
    if (record instanceof Reply) return record;
    return {
      record,
      complete: (effect) => settled(database, (tx) => answered(tx, storedKey(), effect)),
      release: (effect) => database.transact((tx) => effect(tx).then(() => release(tx, storedKey()))),
    };
  };

  return Object.assign(once, { isKeyed: key !== undefined, begin });
}
