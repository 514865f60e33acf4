import { prepared, rows, value, type Reader } from '@tutoring/shared/database/sql';
import type { Hold } from '../ledger/account.ts';

const COLUMNS = 'reference, user_id, amount, state, expires_at, version';

const FIND_HOLDS = { name: 'holds_find', sql: `select ${COLUMNS} from hold where reference = any($1::text[])` };

/** The existing holds under `references`. They cannot change while their user's account is locked. */
export async function findHolds(reader: Reader, references: string[]): Promise<Map<string, Hold>> {
  const found = await prepared<Hold>(reader, FIND_HOLDS, [references]);
  return new Map(found.map((hold) => [hold.reference, hold]));
}

/** The user of a hold, which never changes. */
export async function ownerOf(reader: Reader, reference: string): Promise<number | undefined> {
  return value<number | undefined>(reader, 'select user_id from hold where reference = $1', [reference]);
}

/** One overdue hold per user, at most `limit`. */
export function findDueHolds(reader: Reader, limit: number) {
  return rows<{ reference: string; user_id: number }>(
    reader,
    `select distinct on (user_id) reference, user_id from hold
     where state = 'open' and expires_at <= (select app_now()) order by user_id, reference limit $1`,
    [limit],
  );
}

/** Those of `references` that are open and overdue. */
export function findStillDue(reader: Reader, references: string[]): Promise<Hold[]> {
  return rows<Hold>(
    reader,
    `select ${COLUMNS} from hold
     where reference = any($1) and state = 'open' and expires_at <= (select app_now()) order by user_id`,
    [references],
  );
}
