import { createListing } from '@tutoring/shared/kit/database/listing';
import type { AddParameter } from '@tutoring/shared/kit/database/search';
import {
  column,
  insert,
  requiredRow,
  row,
  rows,
  update,
  value,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import { participantConditions, idConditions, userColumnSql } from '../copies/copy-store.ts';
import { RESERVED_BEFORE_SECONDS, NO_SHOW_SECONDS } from './booking.ts';
import type { Booking, BookingFilter, DueBooking, LockedBooking } from './booking.ts';

const IS_OPEN = `status in ('requested', 'confirmed')`;
const NAMES = `${userColumnSql('student_id', 'name')} as student_name, ${userColumnSql('teacher_id', 'name')} as teacher_name`;
const COLUMNS = `*, ${NAMES}`;
const TIME_LEFT = `extract(epoch from starts_at - app_now())::float8 as seconds_left,
  extract(epoch from proposed_starts_at - app_now())::float8 as proposed_seconds_left`;

type NewBooking = Pick<
  Booking,
  | 'student_id'
  | 'teacher_id'
  | 'time_zone'
  | 'call_type'
  | 'note'
  | 'status'
  | 'reminded_minutes'
  | 'starts_at'
  | 'ends_at'
>;

/** Violates the constraint `booking_student_free` or `booking_teacher_free` when the time overlaps another booking. */
export const insertBooking = async (tx: Tx, booking: NewBooking) =>
  (await insert<Booking>(tx, 'booking', { ...booking, asked: 'teacher' }, `returning ${COLUMNS}`))!;

export const findBooking = (reader: Reader, id: number, userId: number) =>
  row<Booking>(reader, `select ${COLUMNS} from booking where id = $1 and (student_id = $2 or teacher_id = $2)`, [
    id,
    userId,
  ]);

/** Locks a booking of a participant, and then reads the clock. */
export async function lockBooking(tx: Tx, id: number, userId: number): Promise<LockedBooking | undefined> {
  const locked = await row(tx, 'select 1 from booking where id = $1 and $2 in (student_id, teacher_id) for update', [
    id,
    userId,
  ]);
  if (!locked) return undefined;
  return row<LockedBooking>(tx, `select ${COLUMNS}, ${TIME_LEFT} from booking where id = $1`, [id]);
}

/** Locks the upcoming bookings of these users; `between`: only those in which both participants are among them. */
export const lockUpcoming = (tx: Tx, ids: number[], between: boolean) =>
  rows<LockedBooking>(
    tx,
    `select ${COLUMNS}, ${TIME_LEFT} from booking where ${IS_OPEN} and ends_at > (select app_now())
       and (student_id = any($1) ${between ? 'and' : 'or'} teacher_id = any($1)) order by id for update`,
    [ids],
  );

/** Deletes users' hours, calendar links, notes and reasons for cancellations. */
export async function deletePersonalData(tx: Tx, ids: number[]): Promise<void> {
  await rows(tx, 'delete from availability where teacher_id = any($1)', [ids]);
  await rows(tx, 'delete from calendar_feed where user_id = any($1)', [ids]);
  await rows(tx, `update booking set note = '' where student_id = any($1) and note <> ''`, [ids]);
  await rows(
    tx,
    `update booking set cancel_reason = '' where cancel_reason <> ''
       and (student_id = any($1) and canceled_by = 'student' or teacher_id = any($1) and canceled_by = 'teacher')`,
    [ids],
  );
}

/** A user's bookings for their export, newest first. */
export const exportBookings = (reader: Reader, userId: number, page: { before: number | undefined; limit: number }) =>
  rows<Booking>(
    reader,
    `select ${COLUMNS} from booking where (student_id = $1 or teacher_id = $1) and ($2::bigint is null or id < $2)
     order by id desc limit $3`,
    [userId, page.before ?? null, page.limit],
  );

/** Violates the same constraints as `insertBooking`. */
export const changeBooking = (tx: Tx, { id }: Booking, change: Partial<Booking>) =>
  update<Booking>(tx, 'booking', { id, returning: COLUMNS }, change);

interface BookingWindow {
  state?: 'upcoming' | 'past' | undefined;
  before?: number | undefined;
  limit: number;
}

/**
 * Upcoming: open bookings that are not over, next first; past: all others, latest first. `before`: the cursor, an id.
 */
export const listBookings = (reader: Reader, userId: number, { state, before, limit }: BookingWindow) => {
  const isUpcoming = `(${IS_OPEN} and ends_at > (select app_now()))`;
  const [where, beyond, order] = state === 'past' ? [`not ${isUpcoming}`, '<', 'desc'] : [isUpcoming, '>', 'asc'];
  return rows<Booking>(
    reader,
    `select ${COLUMNS} from booking where (student_id = $1 or teacher_id = $1) and ${where}
       and ($2::bigint is null or (starts_at, id) ${beyond} (select starts_at, id from booking where id = $2))
     order by starts_at ${order}, id ${order} limit $3`,
    [userId, before ?? null, limit],
  );
};

function filterConditions(filter: BookingFilter, value: AddParameter): string[] {
  const conditions = participantConditions(filter, value);
  if (filter.starts_from !== undefined) conditions.push(`t.starts_at >= ${value(filter.starts_from)}::date`);
  if (filter.starts_to !== undefined) conditions.push(`t.starts_at < ${value(filter.starts_to)}::date + 1`);
  return conditions;
}

/** Pages of all bookings with their total number, newest first. */
export const createBookingList = () =>
  createListing<Booking, BookingFilter>({
    table: 'booking',
    select: `select ${COLUMNS} from booking`,
    key: 'id',
    tallied: ['status'],
    others: filterConditions,
    search: { people: ['student_id', 'teacher_id'], texts: idConditions },
  });

/** The students for whom the teacher is reserved now: both students where two lessons meet. */
export const reservedStudents = (reader: Reader, teacherId: number) =>
  column<number>(
    reader,
    `select student_id from booking where teacher_id = $1 and status = 'confirmed' and ends_at > (select app_now())
         and starts_at <= (select app_now()) + make_interval(secs => ${RESERVED_BEFORE_SECONDS})`,
    [teacherId],
  );

/** Counts a student's unanswered requests, and those to this teacher. */
export const countRequests = (reader: Reader, studentId: number, teacherId: number) =>
  requiredRow<{ ofStudent: number; ofPair: number }>(
    reader,
    `select count(*)::int as "ofStudent", (count(*) filter (where teacher_id = $2))::int as "ofPair" from booking
     where student_id = $1 and status = 'requested' and starts_at > (select app_now())`,
    [studentId, teacherId],
  );

/** Locks confirmed bookings whose proposed time has expired. */
export const lockExpiredProposals = (tx: Tx, limit: number) =>
  rows<LockedBooking>(
    tx,
    `select ${COLUMNS}, ${TIME_LEFT} from booking where proposed_starts_at is not null
       and least(starts_at, proposed_starts_at) <= (select app_now()) order by id limit $1 for update skip locked`,
    [limit],
  );

/** The latest time that can be booked: a year from now. */
export const latestBookableTime = (reader: Reader) => value<string>(reader, `select app_now() + interval '1 year'`);

/** Locks bookings whose next reminder is due, the next to begin first. */
export const lockRemindersDue = (tx: Tx, limit: number) =>
  rows<LockedBooking>(
    tx,
    `select ${COLUMNS}, ${TIME_LEFT} from booking where status = 'confirmed' and starts_at > (select app_now())
       and starts_at <= (select app_now()) + interval '60 minutes' and (reminded_minutes is null
         or reminded_minutes > 10 and starts_at <= (select app_now()) + interval '10 minutes')
     order by starts_at limit $1 for update skip locked`,
    [limit],
  );

/**
 * SQL: whether the participants had a call at the start of the booking or soon after, or while the teacher was
 * reserved.
 */
const HAS_CALL = `exists (select from call c where c.teacher_id = b.teacher_id and c.student_id = b.student_id
  and c.accepted_at < b.starts_at + make_interval(secs => ${NO_SHOW_SECONDS})
  and (coalesce(c.ended_at, 'infinity') > b.starts_at
    or c.accepted_at >= b.starts_at - make_interval(secs => ${RESERVED_BEFORE_SECONDS})))`;

/** Locks open bookings that may have to end, earliest first. */
export const lockDueBookings = (tx: Tx, limit: number) =>
  rows<DueBooking>(
    tx,
    `select b.*, ${NAMES}, extract(epoch from app_now() - starts_at)::float8 as seconds_since_start,
       extract(epoch from app_now() - ends_at)::float8 as seconds_since_end,
       ${HAS_CALL} as "hasCall"
     from booking b where ${IS_OPEN} and starts_at <= (select app_now())
       and (status = 'requested' or ends_at <= (select app_now())
         or starts_at <= (select app_now()) - make_interval(secs => ${NO_SHOW_SECONDS}) and not ${HAS_CALL})
     order by starts_at limit $1 for update of b skip locked`,
    [limit],
  );
