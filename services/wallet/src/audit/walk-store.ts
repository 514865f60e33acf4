import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';

/** The walk along the newest transfers, and those that go round over what has been audited. */
export const FRONT = 'front';
export const ROUNDS = ['blocks', 'accounts', 'payments', 'deposits', 'withdrawals', 'holds'] as const;
export type Round = (typeof ROUNDS)[number];

/** Where a walk goes on; undefined when it has not set out. The row stays locked until `tx` ends. */
export const findCursor = async <Cursor>(tx: Tx, name: string): Promise<Cursor | undefined> =>
  (await row<{ cursor: Cursor }>(tx, 'select cursor from audit_walk where name = $1 for update', [name]))?.cursor;

/** Stores where a walk goes on; `isRound` when it has come to the end of its way. */
export const saveCursor = (tx: Tx, name: string, cursor: object, isRound: boolean) =>
  rows(
    tx,
    `insert into audit_walk as w (name, cursor, sound_at)
     values ($1, $2, case when $3::boolean then clock_timestamp() end)
     on conflict (name) do update set cursor = excluded.cursor,
       sound_at = case when $3 then w.round_began_at else w.sound_at end,
       round_began_at = case when $3 then clock_timestamp() else w.round_began_at end`,
    [name, JSON.stringify(cursor), isRound],
  );

/** When the rounds set out for the first time; now, when they have not. */
export const beginning = async (reader: Reader): Promise<string> =>
  (await row<{ at: string }>(
    reader,
    `select coalesce(min(began_at), clock_timestamp()) as at from audit_walk where name = 'accounts'`,
  ))!.at;

/**
 * In Unix time, 0 for never: when the newest transfers were audited; and since when everything has been checked again
 * or, before the first rounds are through, when these began.
 */
export const soundness = async (reader: Reader): Promise<{ audited: number; rechecked: number }> => {
  const found = await row<{ audited: string | null; rechecked: string | null }>(
    reader,
    `select max(sound_at) filter (where name = $1) as audited,
       case when count(*) filter (where name <> $1) = $2
         then min(coalesce(sound_at, began_at)) filter (where name <> $1) end as rechecked
     from audit_walk`,
    [FRONT, ROUNDS.length],
  );
  const seconds = (at: string | null | undefined) => (at ? Date.parse(at) / 1000 : 0);
  return { audited: seconds(found?.audited), rechecked: seconds(found?.rechecked) };
};
