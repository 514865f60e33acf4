import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { NewAccounts, Span } from './daily.ts';
import type { OwnStats } from './stats.ts';

export const ownStats = async (reader: Reader) =>
  (await row<OwnStats>(
    reader,
    `select coalesce(sum(count), 0) as users, coalesce(sum(count) filter (where name = 'account:student'), 0) as students,
       coalesce(sum(count) filter (where name = 'account:teacher'), 0) as teachers,
       (select count(*) from admin) as admins, app_now() as as_of
     from tally where name >= 'account:' and name < 'account;'`,
  ))!;

/** Registrations on each of these UTC days, including accounts deleted since. */
export const newAccounts = (reader: Reader, { from, to }: Span) =>
  rows<NewAccounts>(
    reader,
    `with counted as (
       select split_part(name, ':', 2) as date, split_part(name, ':', 3) as platform, count from tally
       where name >= 'registered:' || $1::text and name < 'registered:' || $2::text || ';'
     )
     select date, coalesce(sum(count) filter (where platform = 'student'), 0) as new_students,
       coalesce(sum(count) filter (where platform = 'teacher'), 0) as new_teachers
     from counted group by date having sum(count) > 0`,
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
