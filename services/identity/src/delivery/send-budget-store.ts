import { rows, type Tx } from '@tutoring/shared/database/sql';
import type { Sent } from './send-budget.ts';

/** Locked in the order of the keys; the total comes last, so that its lock is short. */
export async function lockCounts(tx: Tx, keys: string[]): Promise<Map<string, Sent>> {
  await rows(tx, 'insert into send_count (key) select k from unnest($1::text[]) k order by k on conflict do nothing', [
    keys,
  ]);
  const counts = await rows<Sent & { key: string }>(
    tx,
    `select key, case when hour_since > app_now() - interval '1 hour' then hour_sends else 0 end as hour,
       case when day_since > app_now() - interval '1 day' then day_sends else 0 end as day
     from send_count where key = any($1) order by key for update`,
    [keys],
  );
  return new Map(counts.map(({ key, hour, day }) => [key, { hour, day }]));
}

export const countSends = (tx: Tx, keys: string[], sends: 0 | 1) =>
  rows(
    tx,
    `update send_count set
       hour_sends = $2 + case when hour_since > n.at - interval '1 hour' then hour_sends else 0 end,
       hour_since = case when hour_since > n.at - interval '1 hour' then hour_since else n.at end,
       day_sends = $2 + case when day_since > n.at - interval '1 day' then day_sends else 0 end,
       day_since = case when day_since > n.at - interval '1 day' then day_since else n.at end
     from (select app_now() as at) n where key = any($1)`,
    [keys, sends],
  );
