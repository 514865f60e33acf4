import { assignments, columnsOf, one, prepared, row, rows, value } from '@tutoring/shared/database/sql';
import type { Reader, Tx } from '@tutoring/shared/database/sql';
import { LEASE_SECONDS, RELEASE_AFTER_SECONDS } from '../deadlines.ts';
import { deadlinesOf, later, SECOND_US } from './call.ts';
import type { Accepted, Call, CallState, Ended, EndedBy, Held, LockedCall, Prices } from './call.ts';

/** SQL of an interval in whole microseconds, the unit of the meter. */
const micros = (interval: string) => `(extract(epoch from ${interval}) * 1000000)::bigint`;

/**
 * Locks the calls and then reads the clock. A call's clock never runs backwards: when the database's clock does, the
 * latest recorded time counts.
 */
const lock = (where: string, { of = '', unlocked = '' } = {}) => `
  with locked as materialized (select call.* from call ${of} where ${where} order by id for update of call ${unlocked})
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
  join (select distinct * from unnest($1::text[], $2::bigint[]) as a (identifier, teacher_id)) as asked
  using (identifier, teacher_id)`;
const LOCK_OF_PARTICIPANT = lock('identifier = $1 and (student_id = $2 or teacher_id = $2)');
const LOCK_LIVE = lock(
  `(student_id = any($1::bigint[]) or teacher_id = any($1::bigint[])) and state in ('ringing', 'active')`,
);
const LOCK_LIVE_PAIR = lock(`student_id = $1 and teacher_id = $2 and state in ('ringing', 'active')`);

export const lockCall = (tx: Tx, id: number) => one<LockedCall>(tx, LOCK_ONE, [id]);

/** A call that its teacher names. */
export interface OfTeacher {
  identifier: string;
  teacherId: number;
}

function lockOfTeachers(name: string, unlocked = '') {
  const statement = { name, sql: lock('true', { of: OF_TEACHERS, unlocked }) };
  return (tx: Tx, asked: OfTeacher[]) =>
    prepared<LockedCall>(tx, statement, columnsOf(asked, 'identifier', 'teacherId'));
}

/** Locks the asked calls that belong to their teacher. */
export const lockCallsOfTeachers = lockOfTeachers('lock-calls-of-teachers');

/** The same without waiting: leaves out those that are locked elsewhere. */
export const lockFreeCallsOfTeachers = lockOfTeachers('lock-free-calls-of-teachers', 'skip locked');

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
 * The time, and the seconds until the student may ring the teacher again; null when they may now: fewer than `most`
 * rings of the pair in the last ten minutes were free.
 */
export const ringsOfPair = (reader: Reader, studentId: number, teacherId: number, most: number) =>
  one<{ now: string; wait: number | null }>(
    reader,
    `select app_now() as now, (
       select greatest(1, ceil(extract(epoch from created_at + make_interval(mins => $4) - app_now())))::int from call
       where student_id = $1 and teacher_id = $2 and state in ('missed', 'canceled', 'rejected')
         and created_at > (select app_now()) - make_interval(mins => $4)
       order by id desc offset $3 limit 1) as wait`,
    [studentId, teacherId, most - 1, FREE_RINGS_MINUTES],
  );

/** Writes the deadlines of calls that the same statement changes. */
export const saveDeadlinesSql = (values: string) => `
  insert into call_deadline as known (call_id, lapse_at, uncovered_at, open_at) ${values}
  on conflict (call_id) do update
    set lapse_at = excluded.lapse_at, uncovered_at = excluded.uncovered_at, open_at = excluded.open_at
    where (known.lapse_at, known.uncovered_at, known.open_at)
      is distinct from (excluded.lapse_at, excluded.uncovered_at, excluded.open_at)`;

/** Changes columns of a locked call, and its deadlines with them. */
export function changeCall<C extends Call>(
  tx: Tx,
  call: Call,
  changes: Partial<C & { reserved_until: string | null }>,
): Promise<C> {
  const due = deadlinesOf({ ...call, ...changes });
  const deadlines = due ? [due.lapse_at, due.uncovered_at, due.open_at] : [];
  const { sets, values } = assignments(changes, deadlines.length + 2);
  const keep = due ? saveDeadlinesSql('values ($1, $2, $3, $4)') : 'delete from call_deadline where call_id = $1';
  return one<C>(tx, `with due as (${keep}) update call set ${sets.join(', ')} where id = $1 returning *`, [
    call.id,
    ...deadlines,
    ...values,
  ]);
}

/** A call that begins to ring at `now`. */
type NewCall = Pick<Call, 'call_type' | 'channel' | 'student_id' | 'teacher_id' | 'service_id' | 'rtc_token'> & {
  now: string;
  ring_seconds: number;
  token_seconds: number;
};

/** Returns undefined when one of the two is in a live call already. */
export const insertCall = (tx: Tx, { now, ring_seconds: seconds, token_seconds: life, ...call }: NewCall) => {
  const ring_expires_at = later(now, seconds * SECOND_US);
  const columns = { ...call, ring_expires_at, rtc_token_expires_at: later(now, life * SECOND_US) };
  const places = Object.keys(columns).map((_, index) => `$${index + 2}`);
  return row<Call>(
    tx,
    `with begun as (
       insert into call (${Object.keys(columns).join(', ')}) values (${places.join(', ')}) on conflict do nothing returning *
     ), due as (insert into call_deadline (call_id, lapse_at) select id, $1::timestamptz from begun)
     select * from begun`,
    [ring_expires_at, ...Object.values(columns)],
  );
};

/** What becomes of a locked call with every change that others hear of. */
const nextVersion = (call: LockedCall) => ({ version: call.version + 1, updated_at: call.now });
const WITHOUT_TOKEN = { rtc_token: null, rtc_token_expires_at: null };

/**
 * Ends the ringing. When a request for a hold may still be in flight, the release is delayed until that request can no
 * longer take effect.
 */
export const closeRinging = (tx: Tx, call: LockedCall, state: CallState, by: EndedBy | null) =>
  changeCall<Call>(tx, call, {
    state,
    ended_at: call.now,
    ended_by: by,
    settled: call.accepting_at === null,
    retry_at: later(call.server_now, RELEASE_AFTER_SECONDS * SECOND_US),
    ...WITHOUT_TOKEN,
    ...nextVersion(call),
  });

/** What an acceptance fixes. */
type Terms = Prices & Pick<Call, 'commission_percent' | 'plan_id' | 'needs_alive'>;

/** Records that the teacher accepts, with the prices and commission of this moment, before wallet is asked to hold. */
export const intendAccept = (tx: Tx, call: LockedCall, terms: Terms) =>
  changeCall<Call>(tx, call, { accepting_at: call.now, ...terms });

/** The hold counts from the start of the acceptance: it was placed after that, so it lasts at least as long. */
export const activate = async (tx: Tx, call: LockedCall, { held, hold_seconds: seconds }: Held) => {
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
    reserved_until: since !== null && seconds !== undefined ? later(since, seconds * SECOND_US) : null,
    ...nextVersion(call),
  });
};

/** How many calls the teacher has accepted so far. */
export const acceptedCalls = (reader: Reader, teacherId: number) =>
  value<number>(reader, 'select coalesce(max(accepted), 0) from teacher_count where teacher_id = $1', [teacherId]);

/** How an active call ends: when, with so many steps to charge, and how many whole seconds it lasted. */
export interface Ending {
  at: string;
  steps_due: number;
  seconds: number;
  by: EndedBy;
}

/** Ends an active call. Its end is not announced while some of its steps are not charged. */
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

/** Records a sign of life of the student of a locked call. */
export const recordAlive = (tx: Tx, call: LockedCall) => changeCall<Call>(tx, call, { alive_at: call.now });

/** The call whose end may be announced now; undefined when it lives or its end is announced already. */
export const markEndAnnounced = (tx: Tx, id: number) =>
  row<Ended>(
    tx,
    `update call set end_announced = true where id = $1 and not end_announced and state = 'ended' returning *`,
    [id],
  );

/** The end of a lease that is taken of a locked call now. */
export const leaseEnd = (call: LockedCall) => later(call.server_now, LEASE_SECONDS * SECOND_US);

/** Stores a new token (null when tokens are bound to users) that is valid for `seconds`. */
export const renewToken = (tx: Tx, call: LockedCall, token: string | null, seconds: number) =>
  one<Call>(
    tx,
    'update call set rtc_token = $2, rtc_token_expires_at = app_now() + make_interval(secs => $3) where id = $1 returning *',
    [call.id, token, seconds],
  );

/** Until time alone ends the next call. */
export const LAPSE_IN = '(select min(lapse_at) from call_deadline) - app_now()';

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
export const existing = (reader: Reader, identifier: string | null, channel: string | null) =>
  one<{ identifier: boolean; room_uuid: boolean }>(
    reader,
    `select exists (select from call where identifier = $1) as identifier,
       exists (select from call where channel = $2) or exists (select from room_copy where uuid = $2) as room_uuid`,
    [identifier, channel],
  );
