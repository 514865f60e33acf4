import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { writeWithCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { requiredRow, rows, sweep, value } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import { DEFAULT_LANGUAGE, LANGUAGES } from '@tutoring/shared/kit/process/language';
import type { Notification } from './push.ts';

/**
 * A notification for a user. `since`: the start of its lifetime, by default now. `notBefore`: the earliest time to send
 * it, by default now.
 */
export interface Addressed {
  userId: number;
  notification: Notification;
  since?: string;
  notBefore?: string;
}

const ENQUEUE = `
    insert into push (user_id, device_key, kind, language, title, body, data, next_attempt_at, expires_at)
    select d.user_id, key, n.kind, d.language, n.texts -> d.language ->> 'title', n.texts -> d.language ->> 'body', n.data,
      greatest(n.not_before, app_now()), least(n.since, app_now()) + make_interval(secs => n.lifetime)
    from rows from (jsonb_to_recordset($1::jsonb) as (user_id bigint, since timestamptz, not_before timestamptz, kind text,
      texts jsonb, data jsonb, lifetime float8))
      with ordinality as n(user_id, since, not_before, kind, texts, data, lifetime, ordinal)
    cross join lateral (select user_id, device_keys, language from device_copy where user_id = n.user_id limit 1) d
    cross join unnest(d.device_keys) as key
    where not exists (select from dead_device where device_key = key)
    order by n.ordinal returning 1`;
const toEnqueue = (addressed: Addressed[]) => [
  JSON.stringify(
    addressed.map(({ userId, notification, since, notBefore }) => ({
      ...notification,
      user_id: userId,
      since,
      not_before: notBefore,
    })),
  ),
];

/** Queues notifications for every device of their users that is not dead. */
export const enqueuePushes = (tx: Tx, addressed: Addressed[]) => rows(tx, ENQUEUE, toEnqueue(addressed));

/** Like `enqueuePushes`, but written with the COMMIT; `onQueued` is called afterwards if there was a device. */
export const enqueueWithCommit = (tx: Tx, addressed: Addressed[], onQueued: () => void): void =>
  void writeWithCommit(tx, ENQUEUE, toEnqueue(addressed)).then((queued) => queued.length > 0 && onQueued());

const SAVE_DEVICES = upsertNewerSql('device_copy', ['user_id'], ['user_id', 'device_keys', 'language', 'version']);

export function saveDevices(tx: Tx, events: EventData<'devices.changed'>[]) {
  const copies = events.map((devices) => ({
    ...devices,
    device_keys: [...new Set(devices.device_keys)],
    language: LANGUAGES.find((known) => known === devices.language) ?? DEFAULT_LANGUAGE,
  }));
  return rows(tx, SAVE_DEVICES, [JSON.stringify(copies)]);
}

/** Deletes the unsent ring notifications of these calls, which have stopped ringing. */
export const dropUnsentRings = (tx: Tx, calls: { teacher_id: number; identifier: string }[]) =>
  rows(
    tx,
    `delete from push using unnest($1::bigint[], $2::text[]) as over(user_id, identifier)
     where push.user_id = over.user_id and kind = 'incoming_call' and attempts = 0
       and data ->> 'identifier' = over.identifier`,
    [calls.map((call) => call.teacher_id), calls.map((call) => call.identifier)],
  );

/**
 * Deletes the queued notifications about a booking for these users: a later one replaces them. Returns the users who
 * were not notified of the booking yet, because its first notification was still waiting for its `notBefore`.
 */
export const dropPushesAbout = async (tx: Tx, bookingId: number, userIds: number[]): Promise<Set<number>> =>
  new Set(
    (
      await rows<{ user_id: number; is_unaware: boolean }>(
        tx,
        `delete from push where user_id = any($1::bigint[]) and kind = 'booking' and data ->> 'booking_id' = $2::text
         returning user_id, attempts = 0 and next_attempt_at > app_now() and data ? 'is_new' as is_unaware`,
        [userIds, String(bookingId)],
      )
    ).flatMap(({ user_id, is_unaware }) => (is_unaware ? [user_id] : [])),
  );

/** Lesson notifications that one person may cause another in an hour; further ones wait until the hour ends. */
const LESSON_PUSHES_PER_HOUR = 10;

/** Counts a lesson notification against the hourly limit; returns when it may be sent, or undefined for immediately. */
export async function countLessonPush(tx: Tx, userId: number, fromId: number): Promise<string | undefined> {
  const { sent, until } = await requiredRow<{ sent: number; until: string }>(
    tx,
    `insert into lesson_news as n (user_id, from_id, since, sent) values ($1, $2, app_now(), 1)
     on conflict (user_id, from_id) do update set
       sent = case when n.since > app_now() - interval '1 hour' then n.sent + 1 else 1 end,
       since = case when n.since > app_now() - interval '1 hour' then n.since else app_now() end
     returning sent, since + interval '1 hour' as until`,
    [userId, fromId],
  );
  return sent > LESSON_PUSHES_PER_HOUR ? until : undefined;
}

export const deleteLessonPushCounts = (tx: Tx, userId: number) =>
  rows(tx, 'delete from lesson_news where user_id = $1 or from_id = $1', [userId]);

/** Deletes the counts of past hours. Returns true when more may be left. */
export const deleteOldLessonPushCounts = (tx: Tx) =>
  sweep(tx, { table: 'lesson_news', where: `since < (select app_now()) - interval '1 hour'`, age: 'since' });

/** Deletes the user's queued notifications. */
export const dropPushesOf = (tx: Tx, userId: number) => rows(tx, 'delete from push where user_id = $1', [userId]);

/** SQL condition: the notification is about a message that the user has read on another device. */
const READ = `(kind = 'message' and exists (
    select from room r where r.uuid = (push.data ->> 'room_uuid')::uuid and (push.data ->> 'message_id')::bigint
      <= case push.user_id when r.student_id then r.student_read_id when r.teacher_id then r.teacher_read_id end)
  or kind = 'support' and exists (
    select from support_room r where r.uuid = (push.data ->> 'room_uuid')::uuid and r.user_id = push.user_id
      and (push.data ->> 'message_id')::bigint <= r.user_read_id))`;

/** SQL condition: the notification was read, is of a call that stopped ringing, or the device left its user. */
export const OBSOLETE = `(${READ}
  or not exists (select from device_copy d where d.user_id = push.user_id and push.device_key = any(d.device_keys))
  or kind = 'incoming_call' and exists (
    select from call_copy c where c.identifier = push.data ->> 'identifier' and c.state <> 'ringing'))`;

/** SQL condition: the end of a ring is sent only after the ring itself has left the queue. */
export const AFTER_RING = `(kind not in ('call_over', 'missed_call') or not exists (
  select from push ring where ring.kind = 'incoming_call' and ring.user_id = push.user_id
    and ring.device_key = push.device_key and ring.data ->> 'identifier' = push.data ->> 'identifier'))`;

/** Marks a device as dead and deletes its queued notifications. Called when the provider reports it as gone. */
export async function markDeviceDead(tx: Tx, deviceKey: string): Promise<void> {
  await rows(tx, 'insert into dead_device (device_key) values ($1) on conflict do nothing', [deviceKey]);
  await rows(tx, 'delete from push where device_key = $1', [deviceKey]);
}

const DEAD_DEVICE_DAYS = 90;

const DEAD_DEVICE_BATCH = 1_000;

/**
 * Deletes device keys that have been dead for 90 days; a key that a user still has is kept for another 90 days. Returns
 * true when more may be left.
 */
export async function forgetDeadDevices(tx: Tx): Promise<boolean> {
  const checked = await value<number>(
    tx,
    `with old as materialized (
       select device_key, (select count(*) from device_copy where device_keys @> array[d.device_key]) > 0 as kept
       from dead_device d where died_at < (select app_now()) - make_interval(days => ${DEAD_DEVICE_DAYS})
       order by died_at limit $1 for update skip locked),
     kept as (update dead_device set died_at = app_now() where device_key = any(array(select device_key from old where kept))),
     gone as (delete from dead_device where device_key = any(array(select device_key from old where not kept)))
     select count(*) from old`,
    [DEAD_DEVICE_BATCH],
  );
  return checked === DEAD_DEVICE_BATCH;
}
