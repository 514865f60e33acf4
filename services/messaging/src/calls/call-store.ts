import type { Tx } from '@tutoring/shared/database/open';
import { row, sweep } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** What an event says of a call that was not known here. */
export interface CallNews {
  /** The state that was known before; null for a call that is new here. */
  before: EventData<'call.changed'>['state'] | null;
  /** Seconds until the ring is over; negative when it is. */
  ringLeft: number;
  /** Seconds since the call ended, or began. */
  age: number;
}

/** How long a call rings when calls does not tell: the release before `ring_expires_at`. */
const RING_SECONDS = 45;

/** Keeps the newest version of the call. Answers undefined when this one is passed. */
export const saveCall = (tx: Tx, call: EventData<'call.changed'>) =>
  row<CallNews>(
    tx,
    `insert into call_copy (identifier, version, state, room_uuid, created_at, ended_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (identifier) do update set version = excluded.version, state = excluded.state, ended_at = excluded.ended_at
     where excluded.version >= call_copy.version
     returning old.state as before,
       extract(epoch from coalesce($7::timestamptz, created_at + make_interval(secs => $8)) - app_now())::float8 as "ringLeft",
       extract(epoch from app_now() - coalesce(ended_at, created_at))::float8 as age`,
    [
      call.identifier,
      call.version,
      call.state,
      call.channel,
      call.created_at,
      call.ended_at,
      call.ring_expires_at ?? null,
      RING_SECONDS,
    ],
  );

const KEEP_DAYS = 30;

/** Forgets calls that have long been over: no event about them can come any more. True when there may be more. */
export const forgetCalls = (tx: Tx) =>
  sweep(tx, {
    table: 'call_copy',
    age: 'ended_at',
    where: `state not in ('ringing', 'active') and ended_at < (select app_now()) - make_interval(days => ${KEEP_DAYS})`,
  });
