import { exists, requiredRow, row, rows, value, type Tx } from '@tutoring/shared/kit/database/sql';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import type { CodePurpose, RequestedPurpose } from '../texts.ts';
import { mayTry, type WrongTries } from './code.ts';

interface Code {
  purpose: CodePurpose;
  subject: string;
  /** One hash per key; the first is stored. */
  hashes: Buffer[];
}

/** Locks the valid code, so that tries of one code run one after the other. */
const LOCK_CODE = `select hash, reference from code
  where purpose = $1 and subject = $2 and hash is not null and expires_at > app_now() for update`;

const WRONG_TRIES = `select
    coalesce(max(tries) filter (where network = $3 and tries_since > n.at - interval '10 minutes'), 0) as lately,
    coalesce(max(day_tries) filter (where network = $3 and day_since > n.at - interval '1 day'), 0) as today,
    coalesce(max(day_tries) filter (where network = '' and day_since > n.at - interval '1 day'), 0) as everywhere
  from code_try, (select app_now() as at) n where purpose = $1 and subject = $2 and network in ($3, '')`;

/** Adds wrong tries to the counts of the network and of all networks together. */
const COUNT_TRY = `insert into code_try as t (purpose, subject, network, tries, tries_since, day_tries, day_since)
  select $1, $2, w.network, $4, n.at, $4, n.at from unnest(array[$3, '']) w(network), (select app_now() as at) n
  on conflict (purpose, subject, network) do update set
    tries = $4 + case when t.tries_since > excluded.tries_since - interval '10 minutes' then t.tries else 0 end,
    tries_since = case when t.tries_since > excluded.tries_since - interval '10 minutes' then t.tries_since
      else excluded.tries_since end,
    day_tries = $4 + case when t.day_since > excluded.day_since - interval '1 day' then t.day_tries else 0 end,
    day_since = case when t.day_since > excluded.day_since - interval '1 day' then t.day_since
      else excluded.day_since end`;

/**
 * Checks a code and counts a wrong try in the caller's transaction, so commit it whatever the result. A try counts only
 * while there is a code, but takes as long without one. `address`: the client's; `consume`: a right code cannot be used
 * again.
 */
export async function checkCode(tx: Tx, { purpose, subject, hashes }: Code, address: string, consume: boolean) {
  const tried = [purpose, subject, networkOf(address)];
  const code = await row<{ hash: Buffer; reference: string | null }>(tx, LOCK_CODE, [purpose, subject]);
  const admitted = mayTry(await requiredRow<WrongTries>(tx, WRONG_TRIES, tried)) && code !== undefined;
  if (!admitted || !hashes.some((hash) => hash.equals(code.hash))) {
    await rows(tx, COUNT_TRY, [...tried, admitted ? 1 : 0]);
    return undefined;
  }
  await rows(tx, 'delete from code_try where purpose = $1 and subject = $2 and network = $3', tried);
  if (consume) await rows(tx, 'update code set hash = null where purpose = $1 and subject = $2', [purpose, subject]);
  return { reference: code.reference };
}

const SAVE_CODE = `insert into code as c (purpose, subject, hash, reference, sent_at, expires_at, sends, sends_since)
  values ($1, $2, $3, $4, app_now(), app_now() + interval '10 minutes', 1, app_now())
  on conflict (purpose, subject) do update set hash = $3, reference = $4,
    sent_at = app_now(), expires_at = app_now() + interval '10 minutes', touched_at = app_now()`;

/** Stores the code in place of the previous one. */
export const saveCode = (tx: Tx, { purpose, subject, hashes, reference }: Code & { reference: string | null }) =>
  rows(tx, SAVE_CODE, [purpose, subject, hashes[0], reference]);

const LOCK_UNLESS_RECENT = `select purpose from code where purpose = $1 and subject = $2
  and (sent_at is null or sent_at <= app_now() - interval '60 seconds') for update`;

/** Locks the code in order to replace it; false when it was sent within the last 60 seconds. */
export async function lockUnlessRecent(
  tx: Tx,
  { purpose, subject }: Pick<Code, 'purpose' | 'subject'>,
): Promise<boolean> {
  const key = [purpose, subject];
  await rows(tx, 'insert into code (purpose, subject) values ($1, $2) on conflict do nothing', key);
  return exists(tx, LOCK_UNLESS_RECENT, key);
}

const COUNT_SEND = `insert into code as c (purpose, subject, sends, sends_since) values ($1, $2, 1, app_now())
  on conflict (purpose, subject) do update set touched_at = app_now(),
    sends = case when c.sends_since > app_now() - interval '10 minutes' then c.sends + 1 else 1 end,
    sends_since = case when c.sends_since > app_now() - interval '10 minutes' then c.sends_since else app_now() end
  where c.sends < 5 or c.sends_since is null or c.sends_since <= app_now() - interval '10 minutes'
  returning purpose`;

const NEXT_SEND_IN = `select
    greatest(1, ceil(extract(epoch from sends_since + interval '10 minutes' - app_now())))::int
  from code where purpose = $1 and subject = $2`;

/** Counts a send, at most five in ten minutes. Returns 0, or the seconds until the next send is allowed. */
export async function countSend(tx: Tx, purpose: CodePurpose, subject: string): Promise<number> {
  if (await exists(tx, COUNT_SEND, [purpose, subject])) return 0;
  return (await value<number | undefined>(tx, NEXT_SEND_IN, [purpose, subject])) ?? 1;
}

/** A request for a code by an anonymous client. */
export interface CodeRequest {
  purpose: RequestedPurpose;
  /** Key of an e-mail or phone number. */
  subject: string;
  /** The client's. */
  network: string;
}

export const requestCode = (tx: Tx, { purpose, subject, network }: CodeRequest) =>
  rows(tx, 'insert into code_request (purpose, subject, network) values ($1, $2, $3)', [purpose, subject, network]);

/** SQL: the interval until the next request for a code is due; at most zero while one is queued. */
export const NEXT_CODE_REQUEST_IN = '(select created_at from code_request order by id limit 1) - app_now()';

const TAKE_CODE_REQUEST = `delete from code_request
  where id = (select id from code_request order by id for update skip locked limit 1)
  returning purpose, subject, network`;

/** Dequeues the oldest request for a code, if any. */
export const takeCodeRequest = (tx: Tx) => row<CodeRequest>(tx, TAKE_CODE_REQUEST);

/** Expired codes, submissions and counters, for `sweep`. */
export const EXPIRED_CODES = [
  { table: 'code', age: 'touched_at', where: `touched_at < (select app_now()) - interval '2 days'` },
  { table: 'code_try', age: 'day_since', where: `day_since < (select app_now()) - interval '2 days'` },
  { table: 'send_count', age: 'day_since', where: `day_since < (select app_now()) - interval '2 days'` },
  { table: 'registration', age: 'created_at', where: `created_at < (select app_now()) - interval '1 day'` },
  { table: 'reset_grant', age: 'expires_at', where: `expires_at < (select app_now())` },
  { table: 'sms_day', age: 'day', where: `day < ((select app_now()) - interval '2 days')::date` },
];
