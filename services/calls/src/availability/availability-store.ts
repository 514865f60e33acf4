import { one, row, rows, type Reader, type Tx } from '@tutoring/shared/database/sql';
import type { Availability } from './availability.ts';

export const findAvailability = (reader: Reader, teacherId: number) =>
  row<Availability>(
    reader,
    'select time_zone, slot_minutes, min_notice_minutes, weekly, exceptions from availability where teacher_id = $1',
    [teacherId],
  );

export const saveAvailability = (tx: Tx, teacherId: number, given: Availability) =>
  rows(
    tx,
    `insert into availability (teacher_id, time_zone, slot_minutes, min_notice_minutes, weekly, exceptions)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (teacher_id) do update set time_zone = excluded.time_zone, slot_minutes = excluded.slot_minutes,
       min_notice_minutes = excluded.min_notice_minutes, weekly = excluded.weekly, exceptions = excluded.exceptions,
       updated_at = app_now()`,
    [
      teacherId,
      given.time_zone,
      given.slot_minutes,
      given.min_notice_minutes,
      JSON.stringify(given.weekly),
      JSON.stringify(given.exceptions),
    ],
  );

/**
 * The time, and what takes the teacher's time between two instants (milliseconds since 1970, the end excluded), without
 * one booking.
 */
export const findTaken = (reader: Reader, teacherId: number, window: { from: number; to: number }, exceptId?: number) =>
  one<{ now: number; taken: { from: number; to: number }[] }>(
    reader,
    `select (extract(epoch from app_now()) * 1000)::bigint as now, (
       select coalesce(json_agg(json_build_object(
         'from', (extract(epoch from starts_at) * 1000)::bigint, 'to', (extract(epoch from ends_at) * 1000)::bigint)), '[]')
       from booking where teacher_id = $1 and status in ('requested', 'confirmed')
         and starts_at < to_timestamp($3 / 1000.0) and ends_at > to_timestamp($2 / 1000.0)
         and id is distinct from $4) as taken`,
    [teacherId, window.from, window.to, exceptId ?? null],
  );
