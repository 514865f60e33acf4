import { rows, type Tx } from '@tutoring/shared/kit/database/sql';

const REPLACE_HASH = `with of_user as (update account set password_hash = $3 where id = $1 and password_hash = $2)
  update admin set password_hash = $3 where id = $1 and password_hash = $2`;

/** Replaces a hash unless it has changed since. Users and administrators share one sequence of ids. */
export const replaceHash = (tx: Tx, personId: number, before: string, after: string) =>
  rows(tx, REPLACE_HASH, [personId, before, after]);
