import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../auth.ts';
import { row, rows } from '../database/sql.ts';
import { AppError } from '../errors.ts';
import { Reply } from './route.ts';

export interface IdempotentRequest {
  caller: Caller;
  /** Method and path: `POST /api/withdrawals`. */
  scope: string;
  key: string;
  body: unknown;
}

const callerName = (caller: Caller) => ('id' in caller ? `${caller.kind}:${caller.id}` : caller.kind);

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, canonical(item)]),
  );
}

const fingerprint = (body: unknown) =>
  createHash('sha256')
    .update(JSON.stringify(canonical(body)))
    .digest('hex');

const identify = (request: IdempotentRequest) => [callerName(request.caller), request.scope, request.key];

/**
 * Takes the key for this request in `tx`, or answers what it answered before. Throws invalid when the key served another
 * body and conflict while the first request still runs.
 */
export async function claimKey(tx: EntityManager, request: IdempotentRequest): Promise<Reply | undefined> {
  const print = fingerprint(request.body);
  const claimed = await rows(
    tx,
    `insert into idempotency_key (caller, scope, key, fingerprint) values ($1, $2, $3, $4) on conflict do nothing returning key`,
    [...identify(request), print],
  );
  if (claimed.length > 0) return undefined;
  const earlier = await row<{ fingerprint: string; status: number | null; response: unknown }>(
    tx,
    'select fingerprint, status, response from idempotency_key where caller = $1 and scope = $2 and key = $3',
    identify(request),
  );
  if (!earlier)
    throw new AppError('conflict', 'A request with this Idempotency-Key has just expired. Please try again.');
  if (earlier.fingerprint !== print) {
    const message = 'The Idempotency-Key was used with another body.';
    throw new AppError('invalid', message, { errors: { 'Idempotency-Key': [message] } });
  }
  if (earlier.status === null) throw new AppError('conflict', 'A request with this Idempotency-Key is still running.');
  return new Reply(earlier.response, { status: earlier.status, headers: { 'Idempotent-Replayed': 'true' } });
}

/** Stores the answer of a claimed key, with the transaction of its effect. */
export async function completeKey(
  tx: EntityManager,
  request: IdempotentRequest,
  status: number,
  response: unknown,
): Promise<void> {
  await rows(
    tx,
    'update idempotency_key set status = $4, response = $5 where caller = $1 and scope = $2 and key = $3',
    [...identify(request), status, JSON.stringify(response)],
  );
}

/**
 * Frees the key of a request that did not complete, so that a repeat runs; with `olderThanSeconds` only when it has been
 * running for longer than any request can.
 */
export async function releaseKey(
  tx: EntityManager,
  request: Omit<IdempotentRequest, 'body'>,
  olderThanSeconds = 0,
): Promise<void> {
  await rows(
    tx,
    `delete from idempotency_key where caller = $1 and scope = $2 and key = $3 and status is null
       and created_at <= clock_timestamp() - make_interval(secs => $4)`,
    [callerName(request.caller), request.scope, request.key, olderThanSeconds],
  );
}

/**
 * Runs `effect` once per key: a repeat gets the first answer, marked `Idempotent-Replayed`. Without a key it just runs.
 * A refusal rolls the claim back with everything else, so it is not stored.
 */
export async function once<T>(
  tx: EntityManager,
  request: Omit<IdempotentRequest, 'key'> & { key: string | undefined },
  effect: () => Promise<T>,
  status = 200,
): Promise<T | Reply> {
  if (request.key === undefined) return effect();
  const keyed = { ...request, key: request.key };
  const replay = await claimKey(tx, keyed);
  if (replay) return replay;
  const response = await effect();
  await completeKey(tx, keyed, status, response);
  return response;
}
