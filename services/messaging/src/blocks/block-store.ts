import type { Reader, Tx } from '@tutoring/shared/database/open';
import { inPages } from '@tutoring/shared/database/pages';
import { row, rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** `user_id` has blocked `blocked_id`, unless it is not `active` any more. */
export type Block = EventData<'block.changed'>;

const COLUMNS = 'id, user_id, blocked_id, active, version, created_at';

/** SQL of whether one of the two, who are named in SQL, has blocked the other. */
export const isBlockedBetween = (one: string, other: string) => `(
  exists (select from block where user_id = ${one} and blocked_id = ${other} and active)
  or exists (select from block where user_id = ${other} and blocked_id = ${one} and active))`;

/** Undefined when it is so already. */
export const insertBlock = (tx: Tx, userId: number, blockedId: number) =>
  row<Block>(
    tx,
    `insert into block as known (user_id, blocked_id, created_at) values ($1, $2, app_now())
     on conflict (user_id, blocked_id) do update set active = true, version = known.version + 1,
       created_at = excluded.created_at
     where not known.active returning ${COLUMNS}`,
    [userId, blockedId],
  );

/** Undefined when there is none. */
export const liftBlock = (tx: Tx, userId: number, blockedId: number) =>
  row<Block>(
    tx,
    `update block set active = false, version = version + 1 where user_id = $1 and blocked_id = $2 and active
     returning ${COLUMNS}`,
    [userId, blockedId],
  );

export interface BlockWindow {
  /** Whose block those wanted are older than. */
  before?: number | undefined;
  limit: number;
}

/** Whom the user blocks, newest first. */
export const listBlocks = (reader: Reader, userId: number, { before, limit }: BlockWindow) =>
  rows<Block>(
    reader,
    `select ${COLUMNS} from block where user_id = $1 and active
       and ($2::bigint is null
         or (created_at, id) < (select created_at, id from block where user_id = $1 and blocked_id = $2))
     order by created_at desc, id desc limit $3`,
    [userId, before ?? null, limit],
  );

/** Whether the user blocks the other, or ever did. */
export const hasBlocked = async (reader: Reader, userId: number, blockedId: number) =>
  (await row(reader, 'select 1 from block where user_id = $1 and blocked_id = $2', [userId, blockedId])) !== undefined;

/** Takes a deleted user out, on both sides. */
export const forgetBlocks = (tx: Tx, userId: number) =>
  rows(tx, 'delete from block where user_id = $1 or blocked_id = $1', [userId]);

/** Every block, lifted ones too, for `events resync`. */
export const blockSnapshots = (reader: Reader) =>
  inPages<Block>(reader, `select ${COLUMNS} from block where id > $1 order by id limit $2`, 'id', 0);
