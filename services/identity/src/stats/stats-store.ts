import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { backlogOf, inBacklogOf } from '@tutoring/shared/database/tally';
import type { NewAccounts, Span } from './daily.ts';
import type { OwnStats } from './stats.ts';

const IN_BACKLOG = inBacklogOf('account');

/** Accounts from before their counters. */
export const accountBacklog = backlogOf(
  'account',
  `select tally_add(c.name, c.count) from (
    select counter.name, count(*) as count from account
    cross join lateral (values ('account:' || platform, deleted_at is null),
      ('registered:' || tally_day(created_at) || ':' || platform, true)) as counter(name, holds)
    where id > $1::bigint and id <= $2::bigint and holds group by counter.name) c`,
);

export const ownStats = async (reader: Reader) =>
  (await row<OwnStats>(
    reader,
    `with counted as (
       select name, count from tally where name >= 'account:' and name < 'account;'
       union all
       select 'account:' || platform, 1 from account where ${IN_BACKLOG} and deleted_at is null
     )
     select coalesce(sum(count), 0) as users, coalesce(sum(count) filter (where name = 'account:student'), 0) as students,
       coalesce(sum(count) filter (where name = 'account:teacher'), 0) as teachers,
       (select count(*) from admin) as admins, app_now() as as_of
     from counted`,
  ))!;

/** Registrations on each of these UTC days, including accounts deleted since. */
export const newAccounts = (reader: Reader, { from, to }: Span) =>
  rows<NewAccounts>(
    reader,
    `with counted as (
       select split_part(name, ':', 2) as date, split_part(name, ':', 3) as platform, count from tally
       where name >= 'registered:' || $1::text and name < 'registered:' || $2::text || ';'
       union all
       select tally_day(created_at), platform, 1 from account
       where ${IN_BACKLOG} and created_at >= $1::date and created_at < $2::date + 1
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
