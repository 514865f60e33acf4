import { row, rows, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { Feed } from './calendar.ts';

/** The feed of a person who has one: an active student or teacher. */
export const findFeed = (reader: Reader, userId: number) =>
  row<Feed>(
    reader,
    `select u.id as user_id, coalesce(f.generation, 0) as generation from user_copy u
     left join calendar_feed f on f.user_id = u.id where u.id = $1 and u.status = 'active' and not u.deleted`,
    [userId],
  );

/** Ends the present link. */
export const renewFeed = (tx: Tx, userId: number) =>
  rows(
    tx,
    `insert into calendar_feed as f (user_id, generation) values ($1, 1)
     on conflict (user_id) do update set generation = f.generation + 1`,
    [userId],
  );
