import type { Reader, Tx } from '@tutoring/shared/database/open';
import { prepared, row, rows } from '@tutoring/shared/database/sql';
import { RELEASE_AFTER_SECONDS } from '../deadlines.ts';
import type { Accepted, Call, Ended, Held, LockedCall } from './call.ts';
import type { CallState, CallType, EndedBy } from './life-cycle.ts';
import type { Prices } from './meter.ts';

/** SQL of an interval in whole microseconds, the unit of the meter. */
const micros = (interval: string) => `(extract(epoch from ${interval}) * 1000000)::bigint`;

/**
 * Locks the calls and then reads the clock. A call's clock never runs backwards: when the database's clock does, the
 * latest recorded time counts.
 */
const lock = (where: string, { of = '', unlocked = '' } = {}) => `
  with locked as materialized (select call.* from call ${of} where ${where} order by id for update of call ${unlocked})
  select locked.*, clock.now,
    ${micros('ring_expires_at - clock.now')} as ring_left_us,
    ${micros('clock.now - accepting_at')} as accepting_us,
    ${micros('clock.now - accepted_at')} as elapsed_us,
    ${micros('clock.now - greatest(accepted_at, billed_at)')} as silent_us,
    ${micros('reserved_until - clock.now')} as reserved_left_us,
    ${micros('clock.now - answer_lost_at')} as since_lost_us,
    ${micros('rtc_token_expires_at - clock.now')} as token_left_us,
    coalesce(leased_until > clock_timestamp(), false) as leased
  from locked, lateral (select greatest(app_now(), created_at, accepted_at, billed_at) as now) as clock
  order by id`;

const LOCK_ONE = lock('id = $1');
const OF_TEACHERS = `
  join (select distinct * from unnest($1::text[], $2::bigint[]) as a (identifier, teacher_id)) as asked
  using (identifier, teacher_id)`;
const LOCK_OF_TEACHERS = { name: 'lock-calls-of-teachers', sql: lock('true', { of: OF_TEACHERS }) };
const LOCK_UNLOCKED_OF_TEACHERS = {
  name: 'lock-unlocked-calls-of-teachers',
  sql: lock('true', { of: OF_TEACHERS, unlocked: 'skip locked' }),
};
const LOCK_OF_PARTICIPANT = lock('identifier = $1 and (student_id = $2 or teacher_id = $2)');
const LOCK_LIVE = lock(`(student_id = any($1) or teacher_id = any($1)) and state in ('ringing', 'active')`);
const LOCK_LIVE_PAIR = lock(`student_id = $1 and teacher_id = $2 and state in ('ringing', 'active')`);

export const lockCall = async (tx: Tx, id: number) => (await row<LockedCall>(tx, LOCK_ONE, [id]))!;

/** Locks the asked calls that belong to their teacher. Without `wait`, leaves out those that are locked elsewhere. */
export const lockCallsOfTeachers = (tx: Tx, asked: { identifier: string; teacherId: number }[], wait: boolean) =>
  prepared<LockedCall>(tx, wait ? LOCK_OF_TEACHERS : LOCK_UNLOCKED_OF_TEACHERS, [
    asked.map(({ identifier }) => identifier),
    asked.map(({ teacherId }) => teacherId),
  ]);

export const lockCallOfParticipant = (tx: Tx, identifier: string, userId: number) =>
  row<LockedCall>(tx, LOCK_OF_PARTICIPANT, [identifier, userId]);

/** Locks the live calls of these users: at most one each. */
export const lockLiveCalls = (tx: Tx, userIds: number[]) => rows<LockedCall>(tx, LOCK_LIVE, [userIds]);

export const lockLiveCallOfPair = (tx: Tx, studentId: number, teacherId: number) =>
  row<LockedCall>(tx, LOCK_LIVE_PAIR, [studentId, teacherId]);

/** Until `tx` ends, other transactions that call this for one of these people wait here. */
export const lockCallers = (tx: Tx, ids: number[]) =>
  rows(
    tx,
    `select pg_advisory_xact_lock(hashtextextended('caller:' || id, 0))
     from (select id from unnest($1::bigint[]) as id order by id) as caller`,
    [ids],
  );

const FREE_RINGS_MINUTES = 10;

/**
 * Seconds until the student may ring the teacher again, or undefined when they may now: fewer than `most` rings of the
 * pair in the last ten minutes were free.
 */
export async function ringsExhausted(reader: Reader, pair: { studentId: number; teacherId: number }, most: number) {
  const last = await row<{ seconds: number }>(
    reader,
    `select ceil(extract(epoch from created_at + make_interval(mins => $4) - app_now()))::int as seconds from call
     where student_id = $1 and teacher_id = $2 and state in ('missed', 'canceled', 'rejected')
       and created_at > (select app_now()) - make_interval(mins => $4)
     order by id desc offset $3 limit 1`,
    [pair.studentId, pair.teacherId, most - 1, FREE_RINGS_MINUTES],
  );
  return last && Math.max(1, last.seconds);
}

export interface NewCall {
  call_type: CallType;
  channel: string;
  student_id: number;
  teacher_id: number;
  service_id: number;
  ring_seconds: number;
  rtc_token: string | null;
  token_seconds: number;
}

/** Returns undefined when one of the two is in a live call already. */
export const insertCall = (tx: Tx, call: NewCall) =>
  row<Call>(
    tx,
    `insert into call (call_type, channel, student_id, teacher_id, service_id, ring_expires_at, rtc_token,
       rtc_token_expires_at)
     values ($1, $2, $3, $4, $5, app_now() + make_interval(secs => $6), $7, app_now() + make_interval(secs => $8))
     on conflict do nothing returning *`,
    [
      call.call_type,
      call.channel,
      call.student_id,
      call.teacher_id,
      call.service_id,
      call.ring_seconds,
      call.rtc_token,
      call.token_seconds,
    ],
  );

/**
 * Ends the ringing. When a request for a hold may still be in flight, the release is delayed until that request can no
 * longer take effect.
 */
export const closeRinging = async (tx: Tx, call: LockedCall, state: CallState, by: EndedBy | null) =>
  (await row<Call>(
    tx,
    `update call set state = $2, ended_at = $3, ended_by = $4, rtc_token = null, rtc_token_expires_at = null,
       settled = accepting_at is null, retry_at = clock_timestamp() + interval '${RELEASE_AFTER_SECONDS} seconds',
       version = version + 1, updated_at = $3
     where id = $1 returning *`,
    [call.id, state, call.now, by],
  ))!;

/** Records that the teacher accepts, with the prices and commission of this moment, before wallet is asked to hold. */
export const intendAccept = async (
  tx: Tx,
  call: LockedCall,
  terms: { prices: Prices; commissionPercent: number; planId: number },
) =>
  (await row<Call>(
    tx,
    `update call set accepting_at = $2, plan_id = $3, iterator = $4, base_cost = $5, iterator_cost = $6,
       commission_percent = $7 where id = $1 returning *`,
    [
      call.id,
      call.now,
      terms.planId,
      terms.prices.iterator,
      terms.prices.base_cost,
      terms.prices.iterator_cost,
      terms.commissionPercent,
    ],
  ))!;

/** The hold counts from the start of the acceptance: it was placed after that, so it lasts at least as long. */
export const activate = async (tx: Tx, call: LockedCall, { held, hold_seconds: seconds }: Held) => {
  await rows(
    tx,
    `insert into teacher_tally (teacher_id, accepted) values ($1, 1)
     on conflict (teacher_id) do update set accepted = teacher_tally.accepted + 1`,
    [call.teacher_id],
  );
  return (await row<Accepted>(
    tx,
    `update call set state = 'active', accepted_at = $2, reserved = $3, 
       reserved_until = $4::timestamptz + make_interval(secs => $5), version = version + 1, updated_at = $2
     where id = $1 returning *`,
    [call.id, call.now, held, call.accepting_at, seconds ?? null],
  ))!;
};

/** How many calls the teacher has accepted so far. */
export const acceptedCalls = async (reader: Reader, teacherId: number) =>
  (await row<{ accepted: number }>(reader, 'select accepted from teacher_tally where teacher_id = $1', [teacherId]))
    ?.accepted ?? 0;

/**
 * Ends an active call `at_us` microseconds after its acceptance, with `steps_due` steps to charge. Its end is not told
 * while some of them are not charged.
 */
export const closeActive = async (
  tx: Tx,
  call: LockedCall,
  end: { at_us: number; steps_due: number; by: EndedBy; duration: number },
) => {
  await addSeconds(tx, call.teacher_id, end.duration - (call.total_duration ?? 0));
  return (await row<Ended>(
    tx,
    `update call set state = 'ended', ended_at = accepted_at + $2 * interval '1 microsecond', ended_by = $3, steps_due = $4,
       total_duration = $5, rtc_token = null, rtc_token_expires_at = null, retry_at = null, version = version + 1,
       updated_at = $6, end_told = end_told and steps >= $4
     where id = $1 returning *`,
    [call.id, end.at_us, end.by, end.steps_due, end.duration, call.now],
  ))!;
};

/** The call whose end may be told now; undefined when it lives or its end is told already. */
export const markEndTold = (tx: Tx, id: number) =>
  row<Ended>(tx, `update call set end_told = true where id = $1 and not end_told and state = 'ended' returning *`, [
    id,
  ]);

const addSeconds = (tx: Tx, teacherId: number, seconds: number) =>
  rows(tx, 'update teacher_tally set seconds = seconds + $2 where teacher_id = $1', [teacherId, seconds]);

/** Stores a fresh token (null when tokens are bound to users) that is valid for `seconds`. */
export const renewToken = async (tx: Tx, call: LockedCall, token: string | null, seconds: number) =>
  (await row<Call>(
    tx,
    'update call set rtc_token = $2, rtc_token_expires_at = app_now() + make_interval(secs => $3) where id = $1 returning *',
    [call.id, token, seconds],
  ))!;

/**
 * Calls that time alone has ended, the longest due first. The call of each due row is looked up by itself: by statistics
 * of an hour with few live calls, a join would begin with the live ones and read all.
 */
export const lapsedCalls = (tx: Tx, limit: number) =>
  rows<{ id: number }>(
    tx,
    `select due.id from call_deadline cross join lateral (
       select id from call where id = call_id and state in ('ringing', 'active') for update skip locked) due
     where lapse_at <= (select app_now()) order by lapse_at limit $1`,
    [limit],
  );

export const findCall = (reader: Reader, id: number) => row<Call>(reader, 'select * from call where id = $1', [id]);

export const findCallOfParticipant = (reader: Reader, identifier: string, userId: number) =>
  row<Call>(reader, 'select * from call where identifier = $1 and (student_id = $2 or teacher_id = $2)', [
    identifier,
    userId,
  ]);

/** Whether this call and this room exist for anybody: for the validation of `call/end`. Null never exists. */
export async function existing(reader: Reader, identifier: string | null, channel: string | null) {
  const found = await row<{ call: boolean; room: boolean }>(
    reader,
    `select exists (select from call where identifier = $1) as call,
       exists (select from call where channel = $2) or exists (select from room_copy where uuid = $2) as room`,
    [identifier, channel],
  );
  return found!;
}
