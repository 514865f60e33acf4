import { requiredRow, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { DayView, Span, Stats } from './stats.ts';

const OWN_STATS = `select coalesce(sum(rows), 0) as users,
    coalesce(sum(rows) filter (where platform = 'student'), 0) as students,
    coalesce(sum(rows) filter (where platform = 'teacher'), 0) as teachers,
    (select count(*) from admin) as admins, app_now() as as_of
  from account_tally where not deleted`;

export const ownStats = (reader: Reader) =>
  requiredRow<Pick<Stats, 'users' | 'students' | 'teachers' | 'admins' | 'as_of'>>(reader, OWN_STATS);

const NEW_ACCOUNTS = `select created_at::text as date,
    coalesce(sum(rows) filter (where platform = 'student'), 0) as new_students,
    coalesce(sum(rows) filter (where platform = 'teacher'), 0) as new_teachers
  from account_tally where created_at between $1::date and $2::date group by created_at having sum(rows) > 0`;

/** Registrations on each of these UTC days, including accounts deleted since. */
export const newAccounts = (reader: Reader, { from, to }: Span) =>
  rows<Pick<DayView, 'date' | 'new_students' | 'new_teachers'>>(reader, NEW_ACCOUNTS, [from, to]);

const SAVE_STATS = `insert into stats_copy (service, data, as_of) values ($1, $2, app_now())
  on conflict (service) do update set data = excluded.data, as_of = excluded.as_of`;

/** Stores a service's figures, to show them while it is down. */
export const saveStats = (tx: Tx, service: string, data: unknown) =>
  rows(tx, SAVE_STATS, [service, JSON.stringify(data)]);

export const findStats = <Figures>(reader: Reader, service: string) =>
  value<Figures | undefined>(reader, 'select data from stats_copy where service = $1', [service]);
