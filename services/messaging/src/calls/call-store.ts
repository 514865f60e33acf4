import type { Tx } from '@tutoring/shared/database/open';
import { row, sweep } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';

/** Keeps the newest version of the call. Answers undefined when this one is passed, else its age in seconds and whether it is new here. */
export const keepCall = (tx: Tx, call: EventData<'call.changed'>) =>
  row<{ first: boolean; age: number }>(
    tx,
    `insert into call_copy (identifier, version, state, room_uuid, created_at, ended_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (identifier) do update set version = excluded.version, state = excluded.state, ended_at = excluded.ended_at
     where excluded.version >= call_copy.version
     returning xmax = 0 as first, extract(epoch from app_now() - created_at)::float8 as age`,
    [call.identifier, call.version, call.state, call.channel, call.created_at, call.ended_at],
  );

const KEEP_DAYS = 30;

/** Forgets calls that have long been over: no event about them can come any more. True when there may be more. */
export const forgetCalls = (tx: Tx) =>
  sweep(tx, {
    table: 'call_copy',
    age: 'ended_at',
    where: `state not in ('ringing', 'active') and ended_at < (select app_now()) - make_interval(days => ${KEEP_DAYS})`,
  });
