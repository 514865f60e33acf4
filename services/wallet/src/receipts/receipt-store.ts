import type { Reader } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { CallPosting } from './receipt.ts';

/** Everything that a call has posted, in this order, as of one moment. */
export const findPostings = (reader: Reader, identifier: string) =>
  rows<CallPosting>(
    reader,
    `select kind, reference, amount, created_at from transfer
     where reference >= 'call:' || $1 || ':' and reference < 'call:' || $1 || ';' order by id`,
    [identifier],
  );
