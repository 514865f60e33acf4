import { upsertNewerSql } from '@tutoring/shared/kit/database/copies';
import { rows, sweep, type Tx } from '@tutoring/shared/kit/database/sql';
import type { CallChanged, KnownCall } from './call.ts';

const SAVE = `${upsertNewerSql(
  'call_copy',
  ['identifier'],
  ['identifier', 'version', 'state', 'room_uuid', 'created_at', 'ended_at'],
)} returning identifier, old.state, old.version, app_now() as now`;

/**
 * Saves calls with distinct identifiers, in this order, except those of which a newer version is stored. Returns the
 * previous state and version of each saved call; `now` is the database's time.
 */
export const saveCalls = (tx: Tx, calls: CallChanged[]) =>
  rows<KnownCall & { identifier: string; now: string }>(tx, SAVE, [
    JSON.stringify(calls.map((call) => ({ ...call, room_uuid: call.channel }))),
  ]);

const KEEP_DAYS = 30;

/** Deletes calls that ended 30 days ago: no more events about them arrive. Returns true when more may be left. */
export const forgetCalls = (tx: Tx) =>
  sweep(tx, {
    table: 'call_copy',
    age: 'ended_at',
    where: `state not in ('ringing', 'active') and ended_at < (select app_now()) - make_interval(days => ${KEEP_DAYS})`,
  });
