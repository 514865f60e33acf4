import { createHash } from 'node:crypto';
import type { Caller } from '../../identity/auth.ts';
import { prepared, row, rows, type Tx } from '../../database/sql.ts';
import { CLAIM_SECONDS } from '../../process/deadlines.ts';
import { AppError, invalid } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { Reply } from '../declare/route.ts';

/** A request that takes effect once per key. Without a key nothing is claimed or stored. */
export interface IdempotentRequest<Body = unknown, By extends Caller = Caller> {
  caller: By;
  /** Method and path: `POST /api/withdrawals`. */
  scope: string;
  key: string | undefined;
  body: Body;
}

const callerName = (caller: Caller) => ('id' in caller ? `${caller.kind}:${caller.id}` : caller.kind);

/** Replacer for JSON.stringify that sorts the members of objects. */
const inOrder = (_name: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const fingerprint = (body: unknown) => createHash('sha256').update(JSON.stringify(body, inOrder)).digest('hex');

const identify = (request: IdempotentRequest) => [callerName(request.caller), request.scope, request.key];

/** The request owns the key now. */
export interface Claim {
  /** The record that an earlier, unfinished request with this key created; else null. */
  subject: string | null;
}

const CLAIM = {
  name: 'claim_key',
  sql: `insert into idempotency_key as known (caller, scope, key, fingerprint) values ($1, $2, $3, $4)
    on conflict (caller, scope, key) do update set created_at = excluded.created_at
      where known.status is null and known.fingerprint = excluded.fingerprint
        and known.created_at <= excluded.created_at - make_interval(secs => $5)
    returning known.subject`,
};
const COMPLETE = {
  name: 'complete_key',
  sql: `update idempotency_key set status = 200, answer = $4::text
    where caller = $1 and scope = $2 and key = $3 and status is null`,
};

/**
 * Claims the key for this request in `tx`, or returns the stored answer. Throws invalid when the key was used with
 * another body, and conflict while the first request still runs. Only one of several simultaneous repeats gets the key.
 */
export async function claimKey(tx: Tx, request: IdempotentRequest): Promise<Claim | Reply> {
  if (request.key === undefined) return { subject: null };
  const print = fingerprint(request.body);
  const [claim] = await prepared<Claim>(tx, CLAIM, [...identify(request), print, CLAIM_SECONDS]);
  if (claim) return claim;
  const earlier = await row<{ fingerprint: string; status: number | null; answer: string }>(
    tx,
    `select fingerprint, status, answer from idempotency_key
     where caller = $1 and scope = $2 and key = $3`,
    identify(request),
  );
  if (!earlier) throw new AppError('conflict', texts.idempotencyKey.expired);
  if (earlier.fingerprint !== print) throw invalid({ 'Idempotency-Key': [texts.idempotencyKey.otherBody] });
  if (earlier.status === null) throw new AppError('conflict', texts.idempotencyKey.running);
  // JSON that this system wrote has the same text after it is parsed and serialized again.
  const body: unknown = JSON.parse(earlier.answer);
  return new Reply(body, { status: earlier.status, headers: { 'Idempotent-Replayed': 'true' } });
}

/** Stores, in the transaction of the claim, the record with which a repeat continues if this request crashes. */
export async function rememberSubject(tx: Tx, request: IdempotentRequest, subject: string): Promise<void> {
  if (request.key === undefined) return;
  await rows(tx, 'update idempotency_key set subject = $4 where caller = $1 and scope = $2 and key = $3', [
    ...identify(request),
    subject,
  ]);
}

/** Stores the answer of a claimed key, in the transaction of its effect. The first answer is kept. */
export async function completeKey(tx: Tx, request: IdempotentRequest, response: unknown): Promise<void> {
  if (request.key === undefined) return;
  await prepared(tx, COMPLETE, [...identify(request), JSON.stringify(response)]);
}

/** Releases the key of a request that was refused after its claim was committed, so that a repeat can run. */
export async function releaseKey(tx: Tx, request: IdempotentRequest): Promise<void> {
  if (request.key === undefined) return;
  const ownClaim = 'caller = $1 and scope = $2 and key = $3 and status is null';
  await rows(tx, `delete from idempotency_key where ${ownClaim}`, identify(request));
}

/**
 * Runs `effect` once per key. A repeat gets the first answer, with the header `Idempotent-Replayed`. Without a key
 * `effect` always runs. A refusal rolls back the claim too, so it is not stored.
 */
export async function runOncePerKey<T>(
  tx: Tx,
  request: IdempotentRequest,
  effect: () => Promise<T>,
): Promise<T | Reply> {
  if (request.key === undefined) return effect();
  const claim = await claimKey(tx, request);
  if (claim instanceof Reply) return claim;
  const response = await effect();
  await completeKey(tx, request, response);
  return response;
}
