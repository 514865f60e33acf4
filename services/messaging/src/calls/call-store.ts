import { saveNewerSet } from '@tutoring/shared/database/copies';
import { prepared, sweep, type Tx } from '@tutoring/shared/database/sql';
import type { CallChanged, KnownCall } from './call.ts';

const SAVE = {
  name: 'save_calls',
  sql: `${saveNewerSet(
    'call_copy',
    ['identifier'],
    ['identifier', 'version', 'state', 'room_uuid', 'created_at', 'ended_at'],
  )} returning identifier, old.state, old.version, app_now() as now`,
};

/**
 * Saves different calls, in this order. Returns what was stored before about those of which no newer version is stored;
 * `now`: the database's time.
 */
export const saveCalls = (tx: Tx, calls: CallChanged[]) =>
  prepared<KnownCall & { identifier: string; now: string }>(tx, SAVE, [
    JSON.stringify(calls.map((call) => ({ ...call, room_uuid: call.channel }))),
  ]);

const KEEP_DAYS = 30;

/** Deletes calls that ended long ago: no more events about them can come. Returns true when more may be left. */
export const forgetCalls = (tx: Tx) =>
  sweep(tx, {
    table: 'call_copy',
    age: 'ended_at',
    where: `state not in ('ringing', 'active') and ended_at < (select app_now()) - make_interval(days => ${KEEP_DAYS})`,
  });
