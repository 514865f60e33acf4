import { rows, value, type Tx } from '@tutoring/shared/database/sql';

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

export interface Terms {
  validMinutes: number;
  isAdmitted: boolean;
}

/** Writes nothing, at the same cost, unless the message is admitted. */
export const insertOutgoing = (
  tx: Tx,
  message: Omit<Outgoing, 'id' | 'attempts'>,
  { validMinutes, isAdmitted }: Terms,
) =>
  rows(
    tx,
    `insert into outgoing (channel, recipient, subject, text, html, code, expires_at)
     select $1, $2, $3, $4, $5, $6, app_now() + make_interval(mins => $7) where $8`,
    [
      message.channel,
      message.recipient,
      message.subject,
      message.text,
      message.html,
      message.code,
      validMinutes,
      isAdmitted,
    ],
  );

/** How many SMS were sent to a number today; locked until this one is counted. */
export const lockSmsToday = (tx: Tx, recipient: string): Promise<number> =>
  value<number>(
    tx,
    `insert into sms_day as d (recipient, day, sent) values ($1, app_now()::date, 0)
     on conflict (recipient, day) do update set sent = d.sent returning sent`,
    [recipient],
  );

export const countSms = (tx: Tx, recipient: string, sends: 0 | 1) =>
  rows(tx, 'update sms_day set sent = sent + $2 where recipient = $1 and day = app_now()::date', [recipient, sends]);

/** Until the next message is due, or too old. */
export const DELIVERY_IN = '(select least(min(next_attempt_at), min(expires_at)) from outgoing) - app_now()';

/**
 * Claims due messages. Each is due again after a back-off of 2, 4, 8 ... seconds unless it is removed, so a crash
 * during a delivery repeats it.
 */
export const claimDue = (tx: Tx, limit: number) =>
  rows<Outgoing>(
    tx,
    `update outgoing set attempts = attempts + 1,
       next_attempt_at = app_now() + make_interval(secs => least(300, 2 ^ least(attempts + 1, 10)) + random())
     where id in (select id from outgoing where next_attempt_at <= (select app_now()) and expires_at > (select app_now())
       order by next_attempt_at, id for update skip locked limit $1)
     returning id, channel, recipient, subject, text, html, code, attempts`,
    [limit],
  );

export const removeOutgoing = (tx: Tx, ids: number[]) =>
  rows(tx, 'delete from outgoing where id = any($1::bigint[])', [ids]);

const EXPIRED_AT_ONCE = 500;

/** Removes messages that are too old to be of use, in steps. Returns how many. */
export const removeExpired = async (tx: Tx) =>
  (
    await rows(
      tx,
      `delete from outgoing where id = any(array(
         select id from outgoing where expires_at <= (select app_now()) order by expires_at limit $1 for update skip locked))
       returning id`,
      [EXPIRED_AT_ONCE],
    )
  ).length;
