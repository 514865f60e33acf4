import { assignments, columnsOf, dynamic, requiredRow, row, rows, value } from '@tutoring/shared/kit/database/sql';
import type { Reader, Tx } from '@tutoring/shared/kit/database/sql';
import { LEASE_SECONDS, RELEASE_AFTER_SECONDS } from '../deadlines.ts';
import { deadlinesOf, addMicroseconds, SECOND_US } from './call.ts';
import type { Accepted, Call, CallState, Ended, EndedBy, PlacedHold, LockedCall, Prices } from './call.ts';

/** SQL: an interval in whole microseconds, the unit of the meter. */
const micros = (interval: string) => `(extract(epoch from ${interval}) * 1000000)::bigint`;

/**
 * SQL: locks calls and then reads the clock. A call's clock never steps back: if the database's clock does, the latest
 * recorded time of the call is used.
 */
const lock = (where: string, { of = '', waitPolicy = '' } = {}) => `
  with locked as materialized (select call.* from call ${of} where ${where} order by id for update of call ${waitPolicy})
  select locked.*, clock.now, clock_timestamp() as server_now,
    ${micros('ring_expires_at - clock.now')} as ring_left_us,
    ${micros('clock.now - accepted_at')} as elapsed_us,
    ${micros('reserved_until - clock.now')} as reserved_left_us,
    ${micros('clock.now - answer_lost_at')} as since_lost_us,
    ${micros('rtc_token_expires_at - clock.now')} as token_left_us,
    coalesce(leased_until > clock_timestamp(), false) as leased
  from locked, lateral (select greatest(app_now(), created_at, accepted_at, billed_at, alive_at) as now) as clock
  order by id`;

const LOCK_ONE = lock('id = $1');
const OF_TEACHERS = `
  join (select distinct * from unnest($1::text[], $2::bigint[]) as a (identifier, teacher_id)) as requested
  using (identifier, teacher_id)`;
const LOCK_OF_PARTICIPANT = lock('identifier = $1 and (student_id = $2 or teacher_id = $2)');
const LOCK_LIVE = lock(
  `(student_id = any($1::bigint[]) or teacher_id = any($1::bigint[])) and state in ('ringing', 'active')`,
);
const LOCK_LIVE_PAIR = lock(`student_id = $1 and teacher_id = $2 and state in ('ringing', 'active')`);

export const lockCall = (tx: Tx, id: number) => requiredRow<LockedCall>(tx, LOCK_ONE, [id]);

/** A call, as its teacher's request identifies it. */
export interface CallOfTeacher {
  identifier: string;
  teacherId: number;
}

function lockOfTeachers(waitPolicy = '') {
  const sql = lock('true', { of: OF_TEACHERS, waitPolicy });
  return (tx: Tx, requests: CallOfTeacher[]) =>
    rows<LockedCall>(tx, sql, columnsOf(requests, 'identifier', 'teacherId'));
}

/** Locks the requested calls; a call of another teacher is left out. */
export const lockCallsOfTeachers = lockOfTeachers();

/** Like `lockCallsOfTeachers`, but skips calls that another transaction has locked. */
export const tryLockCallsOfTeachers = lockOfTeachers('skip locked');

export const lockCallOfParticipant = (tx: Tx, identifier: string, userId: number) =>
  row<LockedCall>(tx, LOCK_OF_PARTICIPANT, [identifier, userId]);

/** Locks the live calls of these users: at most one per user. */
export const lockLiveCalls = (tx: Tx, userIds: number[]) => rows<LockedCall>(tx, LOCK_LIVE, [userIds]);

export const lockLiveCallOfPair = (tx: Tx, studentId: number, teacherId: number) =>
  row<LockedCall>(tx, LOCK_LIVE_PAIR, [studentId, teacherId]);

/** Blocks other transactions that call this for one of the same users, until `tx` ends. */
export const lockUsers = (tx: Tx, ids: number[]) =>
  rows(
    tx,
    `select pg_advisory_xact_lock(hashtextextended('caller:' || id, 0))
     from (select id from unnest($1::bigint[]) as id order by id) as caller`,
    [ids],
  );

const FREE_RINGS_MINUTES = 10;

/**
 * The time, and the seconds until the student may ring the teacher again; `wait` is null when fewer than `maxFreeRings`
 * rings of the pair in the last ten minutes were free of charge.
 */
export const nextRingOfPair = (reader: Reader, studentId: number, teacherId: number, maxFreeRings: number) =>
  requiredRow<{ now: string; wait: number | null }>(
    reader,
    `select app_now() as now, (
       select greatest(1, ceil(extract(epoch from created_at + make_interval(mins => $4) - app_now())))::int from call
       where student_id = $1 and teacher_id = $2 and state in ('missed', 'canceled', 'rejected')
         and created_at > (select app_now()) - make_interval(mins => $4)
       order by id desc offset $3 limit 1) as wait`,
    [studentId, teacherId, maxFreeRings - 1, FREE_RINGS_MINUTES],
  );

/** SQL: saves the deadlines of calls that the same statement changes. */
export const saveDeadlinesSql = (values: string) => `
  insert into call_deadline as stored (call_id, lapse_at, uncovered_at, open_at) ${values}
  on conflict (call_id) do update
    set lapse_at = excluded.lapse_at, uncovered_at = excluded.uncovered_at, open_at = excluded.open_at
    where (stored.lapse_at, stored.uncovered_at, stored.open_at)
      is distinct from (excluded.lapse_at, excluded.uncovered_at, excluded.open_at)`;

/** Updates columns of a locked call, and its deadlines accordingly. */
export function changeCall<C extends Call>(
  tx: Tx,
  call: Call,
  changes: Partial<C & { reserved_until: string | null }>,
): Promise<C> {
  const due = deadlinesOf({ ...call, ...changes });
  const deadlines = due ? [due.lapse_at, due.uncovered_at, due.open_at] : [];
  const { sets, values } = assignments(changes, deadlines.length + 2);
  const saveDeadlines = due
    ? saveDeadlinesSql('values ($1, $2, $3, $4)')
    : 'delete from call_deadline where call_id = $1';
  return requiredRow<C>(
    tx,
    dynamic(`with due as (${saveDeadlines}) update call set ${sets.join(', ')} where id = $1 returning *`),
    [call.id, ...deadlines, ...values],
  );
}

/** A call that starts ringing at `now`. */
type NewCall = Pick<Call, 'call_type' | 'channel' | 'student_id' | 'teacher_id' | 'service_id' | 'rtc_token'> & {
  now: string;
  ring_seconds: number;
  token_seconds: number;
};

/** Returns undefined when one of the participants is already in a live call. */
export const insertCall = (tx: Tx, { now, ring_seconds: seconds, token_seconds: tokenSeconds, ...call }: NewCall) => {
  const ring_expires_at = addMicroseconds(now, seconds * SECOND_US);
  const columns = { ...call, ring_expires_at, rtc_token_expires_at: addMicroseconds(now, tokenSeconds * SECOND_US) };
  const placeholders = Object.keys(columns).map((_, index) => `$${index + 2}`);
  return row<Call>(
    tx,
    `with begun as (
       insert into call (${Object.keys(columns).join(', ')}) values (${placeholders.join(', ')}) on conflict do nothing returning *
     ), due as (insert into call_deadline (call_id, lapse_at) select id, $1::timestamptz from begun)
     select * from begun`,
    [ring_expires_at, ...Object.values(columns)],
  );
};

/** The changes of a locked call that come with every published change. */
const nextVersion = (call: LockedCall) => ({ version: call.version + 1, updated_at: call.now });
const WITHOUT_TOKEN = { rtc_token: null, rtc_token_expires_at: null };

/**
 * Ends the ringing. If a hold request may be in flight, the release of the hold waits until that request can no longer
 * take effect.
 */
export const closeRinging = (tx: Tx, call: LockedCall, state: CallState, by: EndedBy | null) =>
  changeCall<Call>(tx, call, {
    state,
    ended_at: call.now,
    ended_by: by,
    settled: call.accepting_at === null,
    retry_at: addMicroseconds(call.server_now, RELEASE_AFTER_SECONDS * SECOND_US),
    ...WITHOUT_TOKEN,
    ...nextVersion(call),
  });

/** The terms that an acceptance fixes. */
type Terms = Prices & Pick<Call, 'commission_percent' | 'plan_id' | 'needs_alive'>;

/** Records that the teacher accepts, with the current terms, before the hold request to wallet. */
export const recordAcceptIntent = (tx: Tx, call: LockedCall, terms: Terms) =>
  changeCall<Call>(tx, call, { accepting_at: call.now, ...terms });

/** Counts `hold_seconds` from `accepting_at`: wallet placed the hold after that time, so it does not expire earlier. */
export const activate = async (tx: Tx, call: LockedCall, { held, hold_seconds: seconds }: PlacedHold) => {
  await rows(
    tx,
    `insert into teacher_count (teacher_id, accepted) values ($1, 1)
     on conflict (teacher_id) do update set accepted = teacher_count.accepted + 1`,
    [call.teacher_id],
  );
  const { accepting_at: since } = call;
  return changeCall<Accepted>(tx, call, {
    state: 'active',
    accepted_at: call.now,
    reserved: held,
    reserved_until: since !== null && seconds !== undefined ? addMicroseconds(since, seconds * SECOND_US) : null,
    ...nextVersion(call),
  });
};

/** How many calls the teacher has accepted so far. */
export const acceptedCalls = (reader: Reader, teacherId: number) =>
  value<number>(reader, 'select coalesce(max(accepted), 0) from teacher_count where teacher_id = $1', [teacherId]);

/** How an active call ends. `seconds`: its duration in whole seconds. */
export interface Ending {
  at: string;
  steps_due: number;
  seconds: number;
  by: EndedBy;
}

/** Ends an active call. The end is not announced until all due steps are charged. */
export const closeActive = (tx: Tx, call: Accepted<LockedCall>, end: Ending) =>
  changeCall<Ended>(tx, call, {
    state: 'ended',
    ended_at: end.at,
    ended_by: end.by,
    steps_due: end.steps_due,
    total_duration: end.seconds,
    retry_at: null,
    end_announced: call.end_announced && call.steps >= end.steps_due,
    ...WITHOUT_TOKEN,
    ...nextVersion(call),
  });

/** Records a sign of life of the student. */
export const recordAlive = (tx: Tx, call: LockedCall) => changeCall<Call>(tx, call, { alive_at: call.now });

/** Marks the end as announced. Returns undefined when the call has not ended or its end is already announced. */
export const markEndAnnounced = (tx: Tx, id: number) =>
  row<Ended>(
    tx,
    `update call set end_announced = true where id = $1 and not end_announced and state = 'ended' returning *`,
    [id],
  );

/** When a lease that is taken now expires. */
export const leaseEnd = (call: LockedCall) => addMicroseconds(call.server_now, LEASE_SECONDS * SECOND_US);

/** Stores a new token (null when tokens are bound to users) and its expiry after `seconds`. */
export const renewToken = (tx: Tx, call: LockedCall, token: string | null, seconds: number) =>
  requiredRow<Call>(
    tx,
    'update call set rtc_token = $2, rtc_token_expires_at = app_now() + make_interval(secs => $3) where id = $1 returning *',
    [call.id, token, seconds],
  );

/** SQL: the time until the next call lapses. */
export const LAPSE_IN = '(select min(lapse_at) from call_deadline) - app_now()';

/**
 * Locks calls that have lapsed, oldest deadline first. The lateral join reads one call per due row: with statistics
 * from a time of few live calls, the planner would start a plain join with the live calls and read all of them.
 */
export const lockLapsedCalls = (tx: Tx, limit: number) =>
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

/** Whether the call and the room exist, whoever their participants are. Null does not exist. */
export const callAndRoomExist = (reader: Reader, identifier: string | null, channel: string | null) =>
  requiredRow<{ identifier: boolean; room_uuid: boolean }>(
    reader,
    `select exists (select from call where identifier = $1) as identifier,
       exists (select from call where channel = $2) or exists (select from room_copy where uuid = $2) as room_uuid`,
    [identifier, channel],
  );
