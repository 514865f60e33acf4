import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';

/** Exact, and fast at any size: only messages newer than the tally are counted here. */
export async function countAll(tx: Tx): Promise<{ rooms: number; messages: number }> {
  const counted = await row<{ rooms: number; messages: number }>(
    tx,
    `select (select count(*) from room) as rooms,
       messages + (select count(*) from message where id > up_to_id) as messages from message_tally`,
  );
  return counted ?? { rooms: 0, messages: 0 };
}

/** Longer than any transaction lives: no message with an id that old is still to be committed. */
const SETTLED_AFTER = '1 minute';

/** Moves the tally forward over messages that are settled. */
export async function advanceTally(tx: Tx): Promise<void> {
  const tally = await row<{ up_to_id: number }>(tx, 'select up_to_id from message_tally for no key update skip locked');
  if (!tally) return;
  await rows(
    tx,
    `with settled as materialized (
       select max(id) as id from message where id > $1 and created_at < (select app_now()) - interval '${SETTLED_AFTER}')
     update message_tally set up_to_id = settled.id,
       messages = messages + (select count(*) from message where id > $1 and id <= settled.id)
     from settled where settled.id is not null`,
    [tally.up_to_id],
  );
}
