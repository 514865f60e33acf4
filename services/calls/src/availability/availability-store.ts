import { one, row, rows, type Reader, type Tx } from '@tutoring/shared/database/sql';
import { NONE, type Availability } from './availability.ts';
import type { Range } from './slot.ts';

/** A teacher's hours, with the keys in their order, which the database does not keep. */
export async function readAvailability(reader: Reader, teacherId: number): Promise<Availability> {
  const stored = await row<Availability>(
    reader,
    'select time_zone, slot_minutes, min_notice_minutes, weekly, exceptions from availability where teacher_id = $1',
    [teacherId],
  );
  if (!stored) return NONE;
  return {
    ...stored,
    weekly: stored.weekly.map(({ day, from, to }) => ({ day, from, to })),
    exceptions: stored.exceptions.map(({ date, from, to, available }) => ({ date, from, to, available })),
  };
}

export const saveAvailability = (tx: Tx, teacherId: number, given: Availability) =>
  rows(
    tx,
    `insert into availability (teacher_id, time_zone, slot_minutes, min_notice_minutes, weekly, exceptions)
     select $1, time_zone, slot_minutes, min_notice_minutes, weekly, exceptions
     from jsonb_populate_record(null::availability, $2::jsonb)
     on conflict (teacher_id) do update set time_zone = excluded.time_zone, slot_minutes = excluded.slot_minutes,
       min_notice_minutes = excluded.min_notice_minutes, weekly = excluded.weekly, exceptions = excluded.exceptions,
       updated_at = app_now()`,
    [teacherId, JSON.stringify(given)],
  );

/** The time, and what takes the teacher's time between two instants (the end excluded), without one booking. */
export const findTaken = (reader: Reader, teacherId: number, window: Range, exceptId?: number) =>
  one<{ now: number; taken: Range[] }>(
    reader,
    `select (extract(epoch from app_now()) * 1000)::bigint as now, (
       select coalesce(json_agg(json_build_object(
         'from', (extract(epoch from starts_at) * 1000)::bigint, 'to', (extract(epoch from ends_at) * 1000)::bigint)), '[]')
       from booking where teacher_id = $1 and status in ('requested', 'confirmed')
         and starts_at < to_timestamp($3 / 1000.0) and ends_at > to_timestamp($2 / 1000.0)
         and id is distinct from $4) as taken`,
    [teacherId, window.from, window.to, exceptId ?? null],
  );
