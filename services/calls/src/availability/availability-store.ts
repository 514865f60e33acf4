import { requiredRow, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { NO_HOURS, type Availability } from './availability.ts';
import type { Range } from './slot.ts';

/** A teacher's hours. Restores the order of keys, which jsonb does not keep. */
export async function readAvailability(reader: Reader, teacherId: number): Promise<Availability> {
  const stored = await row<Availability>(
    reader,
    'select time_zone, slot_minutes, min_notice_minutes, weekly, exceptions from availability where teacher_id = $1',
    [teacherId],
  );
  if (!stored) return NO_HOURS;
  return {
    ...stored,
    weekly: stored.weekly.map(({ day, from, to }) => ({ day, from, to })),
    exceptions: stored.exceptions.map(({ date, from, to, available }) => ({ date, from, to, available })),
  };
}

export const saveAvailability = (tx: Tx, teacherId: number, availability: Availability) =>
  rows(
    tx,
    `insert into availability (teacher_id, time_zone, slot_minutes, min_notice_minutes, weekly, exceptions)
     select $1, time_zone, slot_minutes, min_notice_minutes, weekly, exceptions
     from jsonb_populate_record(null::availability, $2::jsonb)
     on conflict (teacher_id) do update set time_zone = excluded.time_zone, slot_minutes = excluded.slot_minutes,
       min_notice_minutes = excluded.min_notice_minutes, weekly = excluded.weekly, exceptions = excluded.exceptions,
       updated_at = app_now()`,
    [teacherId, JSON.stringify(availability)],
  );

/**
 * The time, and the times that a teacher's lessons and proposals take in a range and the day after it (end excluded),
 * except those of the booking `exceptId`. `hours`: the version of the teacher's hours; null without hours.
 */
export const findTakenTimes = (reader: Reader, teacherId: number, { from, to }: Range, exceptId?: number) =>
  requiredRow<{ now: number; taken: Range[]; hours: { version: string; min_notice_minutes: number } | null }>(
    reader,
    `select (extract(epoch from app_now()) * 1000)::bigint as now, (
       select json_build_object('version', xmin::text || ' ' || updated_at, 'min_notice_minutes', min_notice_minutes)
       from availability where teacher_id = $1) as hours, (
       select coalesce(json_agg(json_build_object(
         'from', (extract(epoch from starts_at) * 1000)::bigint, 'to', (extract(epoch from ends_at) * 1000)::bigint)), '[]')
       from (
         select id, starts_at, ends_at from booking where teacher_id = $1 and status in ('requested', 'confirmed')
           and starts_at > to_timestamp($2 / 1000.0) - interval '1 day'
         union all
         select id, proposed_starts_at, proposed_ends_at from booking where teacher_id = $1 and status = 'confirmed'
           and proposed_starts_at > to_timestamp($2 / 1000.0) - interval '1 day') as held
       where starts_at < to_timestamp($3 / 1000.0) + interval '1 day' and ends_at > to_timestamp($2 / 1000.0)
         and id is distinct from $4) as taken`,
    [teacherId, from, to, exceptId ?? null],
  );
