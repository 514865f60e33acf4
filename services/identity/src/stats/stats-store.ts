import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { NewAccounts, Span } from './daily.ts';
import type { OwnStats } from './stats.ts';

export const ownStats = async (reader: Reader) =>
  (await row<OwnStats>(
    reader,
    `select count(*) as users, count(*) filter (where platform = 'student') as students,
       count(*) filter (where platform = 'teacher') as teachers, (select count(*) from admin) as admins, app_now() as as_of
     from account where deleted_at is null`,
  ))!;

/** Registrations on each of these UTC days, including accounts deleted since. */
export const newAccounts = (reader: Reader, { from, to }: Span) =>
  rows<NewAccounts>(
    reader,
    `select (created_at at time zone 'UTC')::date::text as date,
       count(*) filter (where platform = 'student') as new_students,
       count(*) filter (where platform = 'teacher') as new_teachers
     from account where created_at >= $1::date and created_at < $2::date + 1 group by 1`,
    [from, to],
  );

/** Stores a service's figures for when it is down. */
export const saveStats = (tx: Tx, service: string, data: unknown) =>
  rows(
    tx,
    `insert into stats_copy (service, data, as_of) values ($1, $2, app_now())
     on conflict (service) do update set data = excluded.data, as_of = excluded.as_of`,
    [service, JSON.stringify(data)],
  );

export const findStats = async (reader: Reader, service: string) =>
  (await row<{ data: unknown }>(reader, 'select data from stats_copy where service = $1', [service]))?.data;
