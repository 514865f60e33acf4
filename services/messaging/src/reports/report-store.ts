import type { Reader, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import type { NewReport, Report, ReportDecision } from './report.ts';

const COLUMNS =
  'id, reporter_id, user_id, reason, details, room_uuid, identifier, status, note, created_at, updated_at';

export const insertReport = async (tx: Tx, reporterId: number, given: NewReport) =>
  (await row<Report>(
    tx,
    `with moment as materialized (select app_now() as at)
     insert into report (reporter_id, user_id, reason, details, room_uuid, identifier, created_at, updated_at)
     select $1, $2, $3, $4, $5, $6, at, at from moment returning ${COLUMNS}`,
    [reporterId, given.user_id, given.reason, given.details ?? '', given.room_uuid ?? null, given.identifier ?? null],
  ))!;

export const lockReport = (tx: Tx, id: number) =>
  row<Report>(tx, `select ${COLUMNS} from report where id = $1 for no key update`, [id]);

export const updateReport = async (tx: Tx, id: number, { status, note }: Required<ReportDecision>) =>
  (await row<Report>(
    tx,
    `update report set status = $2, note = $3, updated_at = app_now() where id = $1 returning ${COLUMNS}`,
    [id, status, note],
  ))!;

export interface ReportFilter {
  status?: string | undefined;
  user_id?: number | undefined;
  filter_value?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const FILTER = `($1::text is null or r.status = $1) and ($2::bigint is null or r.user_id = $2)
  and ($3::date is null or r.created_at >= $3::date) and ($4::date is null or r.created_at < $4::date + 1)
  and ($5::text is null or normalised(r.details || ' ' || r.note) like '%' || nullif(normalised($5), '') || '%'
    or ($5 ~ '^\\d{1,15}$' and $5::text in (r.id::text, r.user_id::text, r.reporter_id::text))
    or exists (select from user_copy p where p.id in (r.reporter_id, r.user_id)
      and (normalised(p.name || ' ' || p.email || ' ' || p.phone_number) like '%' || nullif(normalised($5), '') || '%'
        or phone_digits(p.phone_number) like '%' || phone_digits($5) || '%')))`;

const values = (filter: ReportFilter) =>
  [filter.status, filter.user_id, filter.from, filter.to, filter.filter_value].map((value) => value ?? null);

/** Newest first. */
export const listReports = (reader: Reader, filter: ReportFilter, window: { limit: number; offset: number }) =>
  rows<Report>(reader, `select ${COLUMNS} from report r where ${FILTER} order by r.id desc limit $6 offset $7`, [
    ...values(filter),
    window.limit,
    window.offset,
  ]);

export const countReports = async (reader: Reader, filter: ReportFilter) =>
  (await row<{ total: number }>(reader, `select count(*) as total from report r where ${FILTER}`, values(filter)))!
    .total;

/** Clears the texts of a deleted user's reports. The reports stay. */
export const forgetDetails = (tx: Tx, reporterId: number) =>
  rows(tx, `update report set details = '' where reporter_id = $1 and details <> ''`, [reporterId]);
