import type { Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** Every hold, in pages by reference, for `events resync`. */
export async function* allHolds(tx: Tx): AsyncIterable<EventData<'hold.changed'>> {
  for (let after = ''; ;) {
    const page = await rows<EventData<'hold.changed'>>(
      tx,
      `select reference, user_id, amount, state, coalesce(iso(expires_at), '') as expires_at, version
       from hold where reference > $1 order by reference limit 500`,
      [after],
    );
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.reference;
  }
}
