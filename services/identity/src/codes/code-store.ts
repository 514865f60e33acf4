import { one, row, rows, value, type Reader, type Tx } from '@tutoring/shared/database/sql';
import { networkOf } from '@tutoring/shared/process/client-network';
import type { CodePurpose } from '../texts.ts';
import { mayTry, type WrongTries } from './code.ts';

interface Code {
  purpose: CodePurpose;
  subject: string;
  /** Hashes by each key; the first is stored. */
  hashes: Buffer[];
}

interface Try extends Code {
  /** Address of the client. */
  address: string;
  /** Whether a right code is used up. */
  consume: boolean;
}

/** The code that can still be entered, locked: tries of one code run one after the other. */
const lockCode = (tx: Tx, purpose: CodePurpose, subject: string) =>
  row<{ hash: Buffer; reference: string | null }>(
    tx,
    `select hash, reference from code
     where purpose = $1 and subject = $2 and hash is not null and expires_at > app_now() for update`,
    [purpose, subject],
  );

const wrongTries = (reader: Reader, tried: [purpose: CodePurpose, subject: string, network: string]) =>
  one<WrongTries>(
    reader,
    `select coalesce(max(tries) filter (where network = $3 and tries_since > n.at - interval '10 minutes'), 0) as lately,
       coalesce(max(day_tries) filter (where network = $3 and day_since > n.at - interval '1 day'), 0) as today,
       coalesce(max(day_tries) filter (where network = '' and day_since > n.at - interval '1 day'), 0) as everywhere
     from code_try, (select app_now() as at) n where purpose = $1 and subject = $2 and network in ($3, '')`,
    tried,
  );

/** Adds `count` wrong tries of the network, and of all networks together. */
const countTry = (tx: Tx, tried: [purpose: CodePurpose, subject: string, network: string], count: 0 | 1) =>
  rows(
    tx,
    `insert into code_try as t (purpose, subject, network, tries, tries_since, day_tries, day_since)
     select $1, $2, w.network, $4, n.at, $4, n.at from unnest(array[$3, '']) w(network), (select app_now() as at) n
     on conflict (purpose, subject, network) do update set
       tries = $4 + case when t.tries_since > excluded.tries_since - interval '10 minutes' then t.tries else 0 end,
       tries_since = case when t.tries_since > excluded.tries_since - interval '10 minutes' then t.tries_since
         else excluded.tries_since end,
       day_tries = $4 + case when t.day_since > excluded.day_since - interval '1 day' then t.day_tries else 0 end,
       day_since = case when t.day_since > excluded.day_since - interval '1 day' then t.day_since else excluded.day_since end`,
    [...tried, count],
  );

/**
 * Checks a code and counts a wrong try, in the caller's transaction: commit it whatever the result. A try counts only
 * while there is a code, but costs the same without one.
 */
export async function checkCode(tx: Tx, { purpose, subject, hashes, address, consume }: Try) {
  const tried: [CodePurpose, string, string] = [purpose, subject, networkOf(address)];
  const code = await lockCode(tx, purpose, subject);
  const admitted = mayTry(await wrongTries(tx, tried)) && code !== undefined;
  if (!admitted || !hashes.some((hash) => hash.equals(code.hash))) {
    await countTry(tx, tried, admitted ? 1 : 0);
    return undefined;
  }
  await rows(tx, 'delete from code_try where purpose = $1 and subject = $2 and network = $3', tried);
  if (consume) await voidCode(tx, purpose, subject);
  return { reference: code.reference };
}

type NewCode = Code & { reference: string | null };

const INSERT = `
  insert into code as c (purpose, subject, hash, reference, sent_at, expires_at, sends, sends_since)
  values ($1, $2, $3, $4, app_now(), app_now() + interval '10 minutes', 1, app_now())
  on conflict (purpose, subject) do update set hash = $3, reference = $4,
    sent_at = app_now(), expires_at = app_now() + interval '10 minutes', touched_at = app_now()`;

/**
 * Replaces the code once `send` has accepted the message with the new one, unless one was sent within 60 seconds. When
 * the message is not sent, the present code stays good.
 */
export async function replaceCode(tx: Tx, code: NewCode, send: () => Promise<boolean>): Promise<void> {
  const key = [code.purpose, code.subject];
  await rows(tx, 'insert into code (purpose, subject) values ($1, $2) on conflict do nothing', key);
  const due = await row(
    tx,
    `select purpose from code where purpose = $1 and subject = $2
       and (sent_at is null or sent_at <= app_now() - interval '60 seconds') for update`,
    key,
  );
  if (due && (await send())) await rows(tx, INSERT, [...key, code.hashes[0], code.reference]);
}

/** Counts a request for a code at once: five in ten minutes. Returns 0, or the seconds until the next one. */
export async function countAtOnce(tx: Tx, purpose: CodePurpose, subject: string): Promise<number> {
  const counted = await row(
    tx,
    `insert into code as c (purpose, subject, sends, sends_since) values ($1, $2, 1, app_now())
     on conflict (purpose, subject) do update set touched_at = app_now(),
       sends = case when c.sends_since > app_now() - interval '10 minutes' then c.sends + 1 else 1 end,
       sends_since = case when c.sends_since > app_now() - interval '10 minutes' then c.sends_since else app_now() end
     where c.sends < 5 or c.sends_since is null or c.sends_since <= app_now() - interval '10 minutes'
     returning purpose`,
    [purpose, subject],
  );
  if (counted) return 0;
  const wait = await value<number | undefined>(
    tx,
    `select greatest(1, ceil(extract(epoch from sends_since + interval '10 minutes' - app_now())))::int
     from code where purpose = $1 and subject = $2`,
    [purpose, subject],
  );
  return wait ?? 1;
}

/** Replaces the code, however recently one was sent. */
export const replaceCodeNow = (tx: Tx, { purpose, subject, hashes, reference }: NewCode) =>
  rows(tx, INSERT, [purpose, subject, hashes[0], reference]);

/** Invalidates the code, if any; the counts of tries stay. */
const voidCode = (tx: Tx, purpose: CodePurpose, subject: string) =>
  rows(tx, 'update code set hash = null where purpose = $1 and subject = $2', [purpose, subject]);

/** A request for a code by somebody who is not logged in. */
export type RequestedPurpose = Extract<CodePurpose, 'reset' | 'admin_reset' | 'login' | 'register'>;

export interface CodeRequest {
  purpose: RequestedPurpose;
  /** Key of an e-mail or phone number. */
  subject: string;
  /** The requester's. */
  network: string;
}

export const requestCode = (tx: Tx, { purpose, subject, network }: CodeRequest) =>
  rows(tx, 'insert into code_request (purpose, subject, network) values ($1, $2, $3)', [purpose, subject, network]);

/** Nothing or less while a request for a code waits. */
export const CODES_IN = '(select created_at from code_request order by id limit 1) - app_now()';

/** Takes the oldest request for a code, if any; it is removed when `tx` commits. */
export const takeCodeRequest = (tx: Tx) =>
  row<CodeRequest>(
    tx,
    `delete from code_request where id = (select id from code_request order by id for update skip locked limit 1)
     returning purpose, subject, network`,
  );

/** Codes and submissions that nobody can use any more. */
export const OLD_CODES = [
  { table: 'code', age: 'touched_at', where: `touched_at < (select app_now()) - interval '2 days'` },
  { table: 'code_try', age: 'day_since', where: `day_since < (select app_now()) - interval '2 days'` },
  { table: 'send_count', age: 'day_since', where: `day_since < (select app_now()) - interval '2 days'` },
  { table: 'registration', age: 'created_at', where: `created_at < (select app_now()) - interval '1 day'` },
  { table: 'reset_grant', age: 'expires_at', where: `expires_at < (select app_now())` },
  { table: 'sms_day', age: 'day', where: `day < ((select app_now()) - interval '2 days')::date` },
];
