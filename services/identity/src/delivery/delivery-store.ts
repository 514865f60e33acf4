import { rows, value, type Tx } from '@tutoring/shared/kit/database/sql';
import type { SentCounts } from './send-budget.ts';

export interface Outgoing {
  id: number;
  channel: 'email' | 'sms';
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  code: string | null;
  attempts: number;
}

export const OUTGOING_COLUMNS = 'channel, recipient, subject, text, html, code';

export type Message = Omit<Outgoing, 'id' | 'attempts'> & { validMinutes: number; isAdmitted: boolean };

const INSERT_OUTGOING = `insert into outgoing (channel, recipient, subject, text, html, code, expires_at)
  select channel, recipient, subject, text, html, code, app_now() + make_interval(mins => $2)
  from jsonb_populate_record(null::outgoing, $1::jsonb) where $3`;

/** Inserts nothing, but takes as long, unless the message is admitted. */
export const insertOutgoing = (tx: Tx, { validMinutes, isAdmitted, ...message }: Message) =>
  rows(tx, INSERT_OUTGOING, [JSON.stringify(message), validMinutes, isAdmitted]);

const LOCK_SMS_TODAY = `insert into sms_day as d (recipient, day, sent) values ($1, app_now()::date, 0)
  on conflict (recipient, day) do update set sent = d.sent returning sent`;

/** The number of SMS sent to a number today; locks the count. */
export const lockSmsToday = (tx: Tx, recipient: string): Promise<number> =>
  value<number>(tx, LOCK_SMS_TODAY, [recipient]);

export const countSms = (tx: Tx, recipient: string, sends: 0 | 1) =>
  rows(tx, 'update sms_day set sent = sent + $2 where recipient = $1 and day = app_now()::date', [recipient, sends]);

const LOCK_COUNTS = `select key,
    case when hour_since > app_now() - interval '1 hour' then hour_sends else 0 end as hour,
    case when day_since > app_now() - interval '1 day' then day_sends else 0 end as day
  from send_count where key = any($1) order by key for update`;

/** Locks the counts in the order of the keys; `total` sorts last, so that its lock is short. */
export async function lockCounts(tx: Tx, keys: string[]): Promise<Map<string, SentCounts>> {
  await rows(tx, 'insert into send_count (key) select k from unnest($1::text[]) k order by k on conflict do nothing', [
    keys,
  ]);
  const counts = await rows<SentCounts & { key: string }>(tx, LOCK_COUNTS, [keys]);
  return new Map(counts.map(({ key, hour, day }) => [key, { hour, day }]));
}

const COUNT_SENDS = `update send_count set
    hour_sends = $2 + case when hour_since > n.at - interval '1 hour' then hour_sends else 0 end,
    hour_since = case when hour_since > n.at - interval '1 hour' then hour_since else n.at end,
    day_sends = $2 + case when day_since > n.at - interval '1 day' then day_sends else 0 end,
    day_since = case when day_since > n.at - interval '1 day' then day_since else n.at end
  from (select app_now() as at) n where key = any($1)`;

export const countSends = (tx: Tx, keys: string[], sends: 0 | 1) => rows(tx, COUNT_SENDS, [keys, sends]);
