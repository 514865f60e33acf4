import type { Reader } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { CallPosting } from './receipt.ts';

/** All postings of a call, in this order, from one snapshot. */
export const findPostings = (reader: Reader, identifier: string) =>
  rows<CallPosting>(
    reader,
    `select kind, reference, amount, created_at from transfer
     where reference >= 'call:' || $1 || ':' and reference < 'call:' || $1 || ';' order by id`,
    [identifier],
  );
