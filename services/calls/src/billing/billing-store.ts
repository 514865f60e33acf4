import { columnsOf, row, rows, type Tx } from '@tutoring/shared/kit/database/sql';
import { messageJson } from '@tutoring/shared/contract/publish';
import { publishSql } from '@tutoring/shared/kit/events/publish/outbox';
import {
  deadlinesOf,
  dueAt,
  participantsOf,
  uncoveredAt,
  type Accepted,
  type Call,
  type LockedCall,
} from '../call/call.ts';
import { changeCall, leaseEnd, saveDeadlinesSql } from '../call/call-store.ts';
import { LEASE_SECONDS } from '../deadlines.ts';
import type { ChargeAnswer } from '../call/charge.ts';

/** SQL: saves when a job may ask wallet again about the calls in `calls`. */
const saveOpenSql = (calls: string, at: string) => `
  insert into call_deadline (call_id, open_at) select id, ${at} from ${calls}
  on conflict (call_id) do update set open_at = excluded.open_at`;

const LEASE = `clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

const RECORD_BILLS = `
    with bill as materialized (
      select * from unnest($1::bigint[], $2::timestamptz[], $3::int[], $4::int[], $5::timestamptz[], $6::timestamptz[],
        $7::timestamptz[], $8::timestamptz[])
        as bill (id, at, steps_due, lease, leased_until, lapse_at, uncovered_at, open_at)),
    due as (${saveDeadlinesSql('select id, lapse_at, uncovered_at, open_at from bill')})
    update call set billed_at = bill.at, steps_due = bill.steps_due, lease = bill.lease, leased_until = bill.leased_until
    from bill where call.id = bill.id`;

/** Saves locked calls after their bill requests. The calls are active, so they are not settled. */
export const recordBills = (tx: Tx, calls: Call[]) =>
  rows(tx, RECORD_BILLS, [
    ...columnsOf(calls, 'id', 'billed_at', 'steps_due', 'lease', 'leased_until'),
    ...columnsOf(
      calls.flatMap((call) => deadlinesOf(call) ?? []),
      'lapse_at',
      'uncovered_at',
      'open_at',
    ),
  ]);

/** Takes the lease of a locked call. Only the lease holder sends requests about the call to wallet. */
export const takeLease = (tx: Tx, call: LockedCall) =>
  changeCall<Call>(tx, call, { lease: call.lease + 1, leased_until: leaseEnd(call) });

/** SQL: the time until a job may ask wallet about the next call. */
export const OPEN_IN = '(select min(open_at) from call_deadline) - clock_timestamp()';

/**
 * Takes the leases of a batch of calls that have unfinished work with wallet and no lease holder. The lateral join has
 * the same reason as in `lockLapsedCalls`.
 */
export const claimOpenCalls = (tx: Tx, limit: number) =>
  rows<Call>(
    tx,
    `with open as (
       select due.id from call_deadline cross join lateral (
         select id from call where id = call_id and not settled and coalesce(leased_until < clock_timestamp(), true)
           and coalesce(retry_at <= clock_timestamp(), true)
           and (steps < steps_due or state not in ('ringing', 'active'))
         for update skip locked) due
       where open_at <= (select clock_timestamp()) order by open_at limit $1),
     claimed as (
       update call set lease = lease + 1, leased_until = ${LEASE} from open where call.id = open.id returning call.*),
     due as (${saveOpenSql('claimed', 'leased_until')})
     select * from claimed`,
    [limit],
  );

/** The columns that a charge updates, and columns that may have changed since the request to wallet. */
export type RecordedCharge = Pick<Accepted, 'id' | 'state' | 'steps'> & Partial<Accepted>;

/** SQL: the event of a charge. The last charge of an ended call has no `next_due_at`. */
const EVENT = `case when recorded.state = 'active' or recorded.steps < recorded.steps_due then paid.event
  else jsonb_set(paid.event, '{data,next_due_at}', 'null') end`;

const recordChargesSql = (waitPolicy = '') => `
    with async_commit as materialized (select set_config('synchronous_commit', 'off', true)),
    paid as materialized (
      select * from unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::int[], $6::int[], $7::jsonb[],
        $8::timestamptz[]) as paid (id, steps, charged, reserved, lease, hold_seconds, event, uncovered_at)),
    locked as materialized (select call.id from call join paid using (id) order by id for update of call ${waitPolicy}),
    recorded as (update call set steps = call.steps + 1, steps_due = greatest(steps_due, call.steps + 1),
      total_cost = total_cost + paid.charged, reserved = paid.reserved,
      reserved_until = coalesce(app_now() + make_interval(secs => paid.hold_seconds - ${LEASE_SECONDS}), reserved_until), attempts = 0, retry_at = null, answer_lost_at = null,
      updated_at = app_now(),
      leased_until = case when call.lease <> paid.lease then leased_until
        when steps_due > call.steps + 1 or state <> 'active' then ${LEASE} end
    from async_commit, locked, paid
    where call.id = locked.id and paid.id = locked.id and call.steps = paid.steps
    returning call.id, state, ended_by, steps_due, call.steps, total_cost, call.reserved, settled, end_announced, call.lease,
      leased_until, steps_due > call.steps or state <> 'active' as is_open),
    due as (
      insert into call_deadline (call_id, uncovered_at, open_at)
      select id, case when not is_open then uncovered_at end, case when is_open then coalesce(leased_until, '-infinity') end
      from recorded join paid using (id) where not settled
      on conflict (call_id) do update set uncovered_at = excluded.uncovered_at, open_at = excluded.open_at),
    published as (${publishSql('recorded join paid using (id)', EVENT)})
    select * from recorded`;

/** A charge to record, with its live message to both participants. The message has the id of the current request. */
export function paymentOf(call: Accepted, answer: ChargeAnswer) {
  const steps = call.steps + 1;
  const total_cost = call.total_cost + answer.charged;
  const next_due_at = dueAt(call.accepted_at, steps + 1, call.iterator);
  const data = { identifier: call.identifier, steps, total_cost, next_due_at };
  return {
    id: call.id,
    steps: call.steps,
    lease: call.lease,
    charged: answer.charged,
    reserved: answer.reserved,
    hold_seconds: answer.hold_seconds,
    event: messageJson({ to: participantsOf(call), event: 'call.metered', data }),
    // Ignored while the call has other open work.
    uncovered_at: uncoveredAt({ ...call, steps, steps_due: steps, reserved: answer.reserved }),
  };
}

export type Payment = ReturnType<typeof paymentOf>;

const recordChargesBy = (sql: string) => (tx: Tx, payments: Payment[]) =>
  rows<RecordedCharge>(
    tx,
    sql,
    columnsOf(payments, 'id', 'steps', 'charged', 'reserved', 'lease', 'hold_seconds', 'event', 'uncovered_at'),
  );

/**
 * Records and publishes charges of different calls. Skips steps that are already recorded. Releases the leases of calls
 * without further work. Commits asynchronously: after a crash, the lost charges are requested from wallet again. A
 * charge can be as old as a lease, so `reserved_until` is that much earlier than the end of the hold at wallet.
 */
export const recordCharges = recordChargesBy(recordChargesSql());

/** Like `recordCharges`, but also skips calls that another transaction has locked. */
export const tryRecordCharges = recordChargesBy(recordChargesSql('skip locked'));

/** Releases the lease and schedules a retry, with backoff up to 5 seconds. `lost`: wallet did not answer. */
export const postpone = (tx: Tx, call: Call, lost: boolean) =>
  rows(
    tx,
    `with postponed as (
       update call set leased_until = null, attempts = attempts + 1,
         retry_at = clock_timestamp() + least(250 * 2 ^ least(attempts, 10), 5000) * interval '1 millisecond',
         answer_lost_at = case when $3 then app_now() else answer_lost_at end
       where id = $1 and lease = $2 returning id, retry_at)
     ${saveOpenSql('postponed', 'retry_at')}`,
    [call.id, call.lease, lost],
  );

/** Writes off the unpaid steps of an ended call, after wallet has refused to charge them. */
export const writeOffUnpaidSteps = (tx: Tx, call: LockedCall) => changeCall<Call>(tx, call, { steps_due: call.steps });

/** Stores the time of the low-balance warning to the student, for the call's timeline. */
export const recordLowBalance = (tx: Tx, callId: number) =>
  rows(tx, 'insert into low_balance (call_id, at) values ($1, app_now()) on conflict do nothing', [callId]);

/** Marks an ended call as settled. Returns undefined when it has unpaid steps or is already settled. */
export const markSettled = (tx: Tx, call: Call) =>
  row<Call>(
    tx,
    `with settled as (
       update call set settled = true, reserved = 0, leased_until = null, version = version + 1, updated_at = app_now()
       where id = $1 and not settled and state not in ('ringing', 'active') and steps = steps_due returning *),
     due as (delete from call_deadline where call_id = $1 and exists (select from settled))
     select * from settled`,
    [call.id],
  );

/** `missing`: the part of the next step's cost that the hold does not cover. */
export type UncoveredCall = Pick<Call, 'id' | 'student_id' | 'steps'> & { missing: number };

/** SQL: the time until the next step that its call's hold does not cover is due. */
export const UNCOVERED_IN = '(select min(uncovered_at) from call_deadline) - app_now()';

/**
 * Returns active calls whose next step is due, not billed and not covered by the hold: each call at most once a second,
 * across all processes.
 */
export const claimUncoveredCalls = (tx: Tx, limit: number) =>
  rows<UncoveredCall>(
    tx,
    `with claimed as (
       update call_deadline set uncovered_at = app_now() + interval '1 second'
       where call_id = any(array(
         select call_id from call_deadline where uncovered_at <= (select app_now())
         order by uncovered_at limit $1 for update skip locked))
       returning call_id
     )
     select id, student_id, steps, iterator_cost - reserved as missing from claimed join call on id = call_id
     where state = 'active' and steps = steps_due and reserved < iterator_cost`,
    [limit],
  );
