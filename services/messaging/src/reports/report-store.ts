import { createListing } from '@tutoring/shared/kit/database/listing';
import { containsCondition, type AddParameter } from '@tutoring/shared/kit/database/search';
import { insert, requiredRow, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { NewReport, Report, ReportDecision, ReportFilter } from './report.ts';

const COLUMNS =
  'id, reporter_id, user_id, reason, details, room_uuid, identifier, status, note, created_at, updated_at';

export const insertReport = async (tx: Tx, reporterId: number, body: NewReport) =>
  (await insert<Report>(
    tx,
    'report',
    { reporter_id: reporterId, ...body, details: body.details ?? '' },
    `returning ${COLUMNS}`,
  ))!;

export const findReport = (reader: Reader, id: number) =>
  row<Report>(reader, `select ${COLUMNS} from report where id = $1`, [id]);

export const lockReport = (tx: Tx, id: number) =>
  row<Report>(tx, `select ${COLUMNS} from report where id = $1 for no key update`, [id]);

export const updateReport = (tx: Tx, id: number, { status, note }: Required<ReportDecision>) =>
  requiredRow<Report>(
    tx,
    `update report set status = $2, note = $3, updated_at = app_now() where id = $1 returning ${COLUMNS}`,
    [id, status, note],
  );

const WRITTEN = { table: 'report', as: 't', text: "normalised(t.details || ' ' || t.note)" };
const NAMED = {
  table: 'user_copy',
  as: 'u',
  text: "normalised(u.name || ' ' || coalesce(u.unproven_email, u.email) || ' ' || u.phone_number)",
};
const PHONE = { table: 'user_copy', as: 'u', text: 'phone_digits(u.phone_number)' };

/** The search text in the forms that names and phone numbers are compared in. */
const formsOf = (reader: Reader, search: string) =>
  requiredRow<{ normalised: string; digits: string | null }>(
    reader,
    'select normalised($1) as normalised, phone_digits($1) as digits',
    [search],
  );

async function texts(search: string, value: AddParameter, reader: Reader): Promise<string[]> {
  const { normalised } = await formsOf(reader, search);
  return [
    ...(normalised ? [await containsCondition(reader, WRITTEN, normalised, value)] : []),
    ...(/^\d{1,15}$/.test(search) ? [`${value(search)} in (t.id, t.reporter_id, t.user_id)`] : []),
  ];
}

async function isPerson(search: string, value: AddParameter, reader: Reader): Promise<string> {
  const { normalised, digits } = await formsOf(reader, search);
  const found = [
    ...(normalised ? [await containsCondition(reader, NAMED, normalised, value)] : []),
    ...(digits ? [await containsCondition(reader, PHONE, digits, value)] : []),
  ];
  return `(${found.join(' or ') || 'false'})`;
}

/** Pages of all reports with their total number, newest first. */
export const createReportList = () =>
  createListing<Report, ReportFilter>({
    table: 'report',
    select: `select ${COLUMNS} from report`,
    key: 'id',
    tallied: ['status'],
    others: (filter, value) => (filter.user_id === undefined ? [] : [`t.user_id = ${value(filter.user_id)}`]),
    search: { people: ['reporter_id', 'user_id'], texts, isPerson },
  });

/** Clears the texts of a deleted user's reports. The reports stay. */
export const forgetDetails = (tx: Tx, reporterId: number) =>
  rows(tx, `update report set details = '' where reporter_id = $1 and details <> ''`, [reporterId]);
