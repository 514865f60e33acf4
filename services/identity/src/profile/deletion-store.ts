import { column, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { idKey, userKey } from '../credentials/credential-service.ts';
import { clearFailures } from '../credentials/lockout-store.ts';

const ACCOUNT_TABLES = [
  'account_ban',
  'account_skill',
  'external_identity',
  'reset_grant',
  'presence',
  'stale_account',
  'export_count',
];

const PSEUDONYMISE = `update account set name = $2, email = $3, email_key = $3,
    phone_number = '', phone_key = null, password_hash = null, photo = '',
    address = '', city = '', country = '', about_me = '', level_study = null, subjects_interest = '',
    plan_id = null, experience = 0, availability = '', bio = null, verified = false, deleted_at = app_now()
  where id = $1`;

/** Keeps id, platform and status; removes all personal data and credentials. */
export async function pseudonymise(tx: Tx, id: number, name: string): Promise<void> {
  const email = `deleted-${id}@deleted.invalid`;
  await rows(tx, PSEUDONYMISE, [id, name, email]);
  for (const table of ACCOUNT_TABLES) await rows(tx, `delete from ${table} where account_id = $1`, [id]);
  await rows(tx, 'delete from login_network where person_id = $1', [id]);
}

/** Removes codes, counters and queued messages of the account's addresses. */
export async function forgetAddresses(tx: Tx, id: number, addresses: string[]): Promise<void> {
  const subjects = [`user:${id}`, ...addresses];
  for (const table of ['code', 'code_try']) await rows(tx, `delete from ${table} where subject = any($1)`, [subjects]);
  await clearFailures(tx, [idKey(id), ...addresses.map(userKey)]);
  await rows(tx, 'delete from outgoing where recipient = any($1)', [addresses]);
}

export const recordForfeit = (tx: Tx, id: number) =>
  rows(tx, 'insert into forfeit (account_id) values ($1) on conflict do nothing', [id]);

export const openForfeits = (reader: Reader) =>
  column<number>(reader, 'select account_id from forfeit order by account_id limit 100');

export const closeForfeit = (tx: Tx, id: number) => rows(tx, 'delete from forfeit where account_id = $1', [id]);
