import { writeWithCommit } from '@tutoring/shared/kit/database/open';
import { column, columnsOf, requiredRow, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { isEmpty, type Count } from './lockout.ts';

/** `network` is '' in the count over all networks; `account` is '' in the count of an address. */
export interface CountKey {
  account: string;
  network: string;
}

export interface LockedCount extends CountKey, Count {
  /** The database's clock, in milliseconds. */
  at: number;
}

const DAYS_OF_A_NETWORK = 30;
const NETWORKS_PER_PERSON = 50;

const ms = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;
const COUNT = `account, network, failures, under_way as "underWay", ${ms('since')} as since, locks,
  ${ms('locked_until')} as "lockedUntil", ${ms('touched_at')} as "touchedAt", ${ms('app_now()')} as at`;

const KEY = ['account', 'network'] as const;

const OPEN_COUNTS = `insert into login_failure as f (account, network)
    select account, network from unnest($1::text[], $2::text[]) as k(account, network) order by 1, 2
    on conflict (account, network) do update set failures = f.failures returning ${COUNT}`;
const LOCK_COUNTS = `select ${COUNT} from login_failure
    where (account, network) in (select * from unnest($1::text[], $2::text[]))
    order by login_failure.account, login_failure.network for update`;
const DELETE_COUNTS =
  'delete from login_failure where (account, network) in (select * from unnest($1::text[], $2::text[]))';
const UPDATE_COUNTS = `update login_failure f set failures = v.failures, under_way = v.under_way, since = to_timestamp(v.since / 1000),
      locks = v.locks, locked_until = to_timestamp(v.locked_until / 1000), touched_at = to_timestamp(v.touched_at / 1000)
    from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::float8[], $6::int[], $7::float8[], $8::float8[])
      as v(account, network, failures, under_way, since, locks, locked_until, touched_at)
    where f.account = v.account and f.network = v.network`;

/** Locks the counts in ascending order; creates missing ones empty. */
export const openCounts = (tx: Tx, keys: CountKey[]) => rows<LockedCount>(tx, OPEN_COUNTS, columnsOf(keys, ...KEY));

/** Locks the existing counts in ascending order. */
export const lockCounts = (tx: Tx, keys: CountKey[]) => rows<LockedCount>(tx, LOCK_COUNTS, columnsOf(keys, ...KEY));

/** Writes locked counts and removes empty ones, together with the commit. */
export function saveCountsWithCommit(tx: Tx, counts: LockedCount[]): void {
  const empty = counts.filter(isEmpty);
  const kept = counts.filter((count) => !isEmpty(count));
  if (empty.length > 0) void writeWithCommit(tx, DELETE_COUNTS, columnsOf(empty, ...KEY));
  const values = columnsOf(kept, ...KEY, 'failures', 'underWay', 'since', 'locks', 'lockedUntil', 'touchedAt');
  if (kept.length > 0) void writeWithCommit(tx, UPDATE_COUNTS, values);
}

const CLEAR_FAILURES = 'delete from login_failure where account = any($1) returning locked_until > app_now()';

/** Removes failures and locks of accounts. Returns whether an account was locked out. */
export const clearFailures = async (tx: Tx, accounts: string[]): Promise<boolean> =>
  (await column<boolean | null>(tx, CLEAR_FAILURES, [accounts])).includes(true);

const NETWORK_USE = `select coalesce(max(last_login_at) > app_now() - interval '${DAYS_OF_A_NETWORK} days', false) as used,
      coalesce(max(last_login_at) > app_now() - interval '1 day', false) as noted
    from login_network where person_id = $1 and network = $2`;

/** Whether the person logged in from the network within 30 days (`used`) and within a day (`noted`). */
export const networkUse = (reader: Reader, personId: number, network: string) =>
  requiredRow<{ used: boolean; noted: boolean }>(reader, NETWORK_USE, [personId, network]);

const SIGN_INS =
  'select last_login_at as at, network from login_network where person_id = $1 order by last_login_at desc, network';

/** The networks from which a person logged in, each with the last time, latest first. */
export const listSignIns = (reader: Reader, personId: number) =>
  rows<{ at: string; network: string }>(reader, SIGN_INS, [personId]);

const RECORD_LOGIN = `insert into login_network (person_id, network) values ($1, $2)
  on conflict (person_id, network) do update set last_login_at = excluded.last_login_at`;

const FORGET_OLD_NETWORKS = `delete from login_network where person_id = $1 and network in
  (select network from login_network where person_id = $1 order by last_login_at desc offset $2)`;

/** Records a login; keeps a person's fifty latest networks. */
export async function recordLogin(tx: Tx, personId: number, network: string): Promise<void> {
  await rows(tx, RECORD_LOGIN, [personId, network]);
  await rows(tx, FORGET_OLD_NETWORKS, [personId, NETWORKS_PER_PERSON]);
}

/** Expired failures and logins, for `sweep`. */
export const EXPIRED_LOGINS = [
  { table: 'login_failure', age: 'touched_at', where: `touched_at < (select app_now()) - interval '1 day'` },
  {
    table: 'login_network',
    age: 'last_login_at',
    where: `last_login_at < (select app_now()) - interval '${DAYS_OF_A_NETWORK} days'`,
  },
];
