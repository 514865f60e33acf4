import { inPages } from '@tutoring/shared/kit/database/pages';
import { exists, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';

/** `user_id` has blocked `blocked_id`; `active` is false after the block was lifted. */
export type Block = EventData<'block.changed'>;

const COLUMNS = 'id, user_id, blocked_id, active, version, created_at';

/** SQL condition: one of the two users has blocked the other. Both arguments are SQL expressions of user ids. */
export const isBlockedBetween = (one: string, other: string) => `(
  exists (select from block where user_id = ${one} and blocked_id = ${other} and active)
  or exists (select from block where user_id = ${other} and blocked_id = ${one} and active))`;

/**
 * Locks the room of the two, if any: a concurrent message is either stored before the block or refused because of it.
 */
export const lockRoomBetween = (tx: Tx, one: number, other: number) =>
  rows(tx, 'select from room where (student_id, teacher_id) in (($1, $2), ($2, $1)) order by uuid for no key update', [
    one,
    other,
  ]);

/** Returns undefined when the block exists already. */
export const insertBlock = (tx: Tx, userId: number, blockedId: number) =>
  row<Block>(
    tx,
    `insert into block as known (user_id, blocked_id, created_at) values ($1, $2, app_now())
     on conflict (user_id, blocked_id) do update set active = true, version = known.version + 1,
       created_at = excluded.created_at
     where not known.active returning ${COLUMNS}`,
    [userId, blockedId],
  );

/** Returns undefined when there is no block. */
export const liftBlock = (tx: Tx, userId: number, blockedId: number) =>
  row<Block>(
    tx,
    `update block set active = false, version = version + 1 where user_id = $1 and blocked_id = $2 and active
     returning ${COLUMNS}`,
    [userId, blockedId],
  );

/** The user's active blocks, newest first. `before` is the id of a blocked user: only blocks older than theirs. */
export const listBlocks = (
  reader: Reader,
  userId: number,
  { before, limit }: { before?: number | undefined; limit: number },
) =>
  rows<Block>(
    reader,
    `select ${COLUMNS} from block where user_id = $1 and active
       and ($2::bigint is null
         or (created_at, id) < (select created_at, id from block where user_id = $1 and blocked_id = $2))
     order by created_at desc, id desc limit $3`,
    [userId, before ?? null, limit],
  );

/** Whether the user has ever blocked the other, lifted blocks included. */
export const hasBlocked = (reader: Reader, userId: number, blockedId: number) =>
  exists(reader, 'select 1 from block where user_id = $1 and blocked_id = $2', [userId, blockedId]);

/** Deletes every block by or of a deleted user. */
export const forgetBlocks = (tx: Tx, userId: number) =>
  rows(tx, 'delete from block where user_id = $1 or blocked_id = $1', [userId]);

/** Every block, lifted ones included, for `events resync`. */
export const blockSnapshots = (reader: Reader) =>
  inPages<Block>(reader, `select ${COLUMNS} from block where id > $1 order by id limit $2`, 'id', 0);
