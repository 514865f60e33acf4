import { createHash } from 'node:crypto';
import type { Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { settingValue } from '../settings/setting-store.ts';

/** What was sent within an hour and within a day. */
interface Sent {
  hour: number;
  day: number;
}

export interface Counted {
  recipient: Sent;
  network: Sent;
  total: Sent;
}

/** Whether one more may be sent. `factor` multiplies every budget, `perDay` is the one of all together. */
export const maySend = (
  { recipient, network, total }: Counted,
  { factor, perDay }: { factor: number; perDay: number },
) =>
  recipient.hour < 5 * factor &&
  recipient.day < 20 * factor &&
  network.hour < 30 * factor &&
  total.day < perDay * factor;

const NONE: Sent = { hour: 0, day: 0 };

/** Locked in the order of the keys: the total last, so that it is held for the shortest time. */
async function lockCounts(tx: Tx, keys: string[]): Promise<Map<string, Sent>> {
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

const count = (tx: Tx, keys: string[], sends: 0 | 1) =>
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

/**
 * Counts a message to a recipient, caused by a client network (null: not known), unless a budget is used up or it is not
 * allowed anyway: then false. Either costs the same.
 */
export async function chargeSend(
  tx: Tx,
  message: { recipient: string; network: string | null; isAllowed: boolean },
  factor: number,
): Promise<boolean> {
  const recipient = `recipient:${createHash('sha256').update(message.recipient).digest('base64url')}`;
  const network = message.network === null ? undefined : `network:${message.network}`;
  const keys = [recipient, 'total', ...(network === undefined ? [] : [network])];
  const counts = await lockCounts(tx, keys);
  const of = (key: string | undefined) => (key === undefined ? NONE : (counts.get(key) ?? NONE));
  const perDay = (await settingValue(tx, 'max_sends_per_day')) ?? 0;
  const counted = { recipient: of(recipient), network: of(network), total: of('total') };
  const isAdmitted = message.isAllowed && maySend(counted, { factor, perDay });
  await count(tx, keys, isAdmitted ? 1 : 0);
  return isAdmitted;
}
