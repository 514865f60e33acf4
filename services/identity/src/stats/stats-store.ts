import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { OwnStats } from './stats.ts';

export const ownStats = async (reader: Reader) =>
  (await row<OwnStats>(
    reader,
    `select count(*) as users, count(*) filter (where platform = 'student') as students,
       count(*) filter (where platform = 'teacher') as teachers, (select count(*) from admin) as admins, app_now() as as_of
     from account where deleted_at is null`,
  ))!;

/** Remembers what a service answered, for when it is down. */
export const saveStats = (tx: Tx, service: string, data: unknown) =>
  rows(
    tx,
    `insert into stats_copy (service, data, as_of) values ($1, $2, app_now())
     on conflict (service) do update set data = excluded.data, as_of = excluded.as_of`,
    [service, JSON.stringify(data)],
  );

export const findStats = async (reader: Reader, service: string) =>
  (await row<{ data: unknown }>(reader, 'select data from stats_copy where service = $1', [service]))?.data;
