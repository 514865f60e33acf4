import { saveNewer } from '@tutoring/shared/database/copies';
import type { Tx } from '@tutoring/shared/database/open';
import { row, sweep } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** What an event changed about a call. */
export interface CallNews {
  /** The state before this event; null for a new call. */
  before: EventData<'call.changed'>['state'] | null;
  /** Seconds until the ring times out; negative after that. */
  ringLeft: number;
  /** Seconds since the call ended, or since it began when it has not ended. */
  age: number;
}

/** How long a call rings when its event has no `ring_expires_at` (sent by the previous release of calls). */
const RING_SECONDS = 45;

const SAVE = saveNewer(
  'call_copy',
  ['identifier'],
  ['identifier', 'version', 'state', 'room_uuid', 'created_at', 'ended_at'],
);

/** Saves the call. Returns undefined, and changes nothing, when a newer version is stored. */
export const saveCall = (tx: Tx, call: EventData<'call.changed'>) =>
  row<CallNews>(
    tx,
    `${SAVE} returning old.state as before,
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

/** Deletes calls that ended long ago: no more events about them can come. Returns true when more may be left. */
export const forgetCalls = (tx: Tx) =>
  sweep(tx, {
    table: 'call_copy',
    age: 'ended_at',
    where: `state not in ('ringing', 'active') and ended_at < (select app_now()) - make_interval(days => ${KEEP_DAYS})`,
  });
