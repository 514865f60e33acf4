import type { Reader } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { rows } from '@tutoring/shared/database/sql';
import type { Call } from '../call/call.ts';
import { callEvent } from '../call/transitions.ts';

const RESYNC_PAGE = 500;

/** A user's calls, newest first, below the call `beforeId`. */
export const listCalls = (reader: Reader, userId: number, options: { beforeId: number | undefined; limit: number }) =>
  rows<Call>(
    reader,
    `select * from (
       (select * from call where student_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3)
       union all
       (select * from call where teacher_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3)
     ) as mine order by id desc limit $3`,
    [userId, options.beforeId ?? null, options.limit],
  );

/** Every call, for `events resync`. */
export async function* callSnapshots(reader: Reader): AsyncIterable<EventData<'call.changed'>> {
  for (let after = 0; ;) {
    const page = await rows<Call>(reader, 'select * from call where id > $1 order by id limit $2', [
      after,
      RESYNC_PAGE,
    ]);
    yield* page.map(callEvent);
    const last = page.at(-1);
    if (!last || page.length < RESYNC_PAGE) return;
    after = last.id;
  }
}
