import { createListing, talliedConditions, type Value, type Wanted } from '@tutoring/shared/database/listing';
import { containing, namedBy } from '@tutoring/shared/database/search';
import { row, rows, type Reader, type Tx } from '@tutoring/shared/database/sql';
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

export const findReport = (reader: Reader, id: number) =>
  row<Report>(reader, `select ${COLUMNS} from report where id = $1`, [id]);

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

const WRITTEN = { table: 'report', as: 't', text: "normalised(t.details || ' ' || t.note)" };
const NAMED = {
  table: 'user_copy',
  as: 'u',
  text: "normalised(u.name || ' ' || coalesce(u.unproven_email, u.email) || ' ' || u.phone_number)",
};
const PHONE = { table: 'user_copy', as: 'u', text: 'phone_digits(u.phone_number)' };

async function wanted(filter: ReportFilter, value: Value, reader: Reader): Promise<Wanted> {
  const tallied = talliedConditions(filter, ['status'], value);
  const reported = filter.user_id === undefined ? [] : [`t.user_id = ${value(filter.user_id)}`];
  const given = filter.filter_value;
  if (given === undefined) return { tallied, others: reported };
  const forms = (await row<{ normalised: string; digits: string | null }>(
    reader,
    'select normalised($1) as normalised, phone_digits($1) as digits',
    [given],
  ))!;
  const named = await namedBy(reader, value, async (own) => {
    const people: string[] = [];
    if (forms.normalised) people.push(await containing(reader, NAMED, forms.normalised, own));
    if (forms.digits) people.push(await containing(reader, PHONE, forms.digits, own));
    return people.length > 0 ? `(${people.join(' or ')})` : 'false';
  });
  const texts: string[] = [];
  if (forms.normalised) texts.push(await containing(reader, WRITTEN, forms.normalised, value));
  if (/^\d{1,15}$/.test(given)) texts.push(`${value(given)} in (t.id, t.reporter_id, t.user_id)`);
  const found = (walks: boolean) => [
    ...reported,
    `(${[...texts, named('t.reporter_id', walks), named('t.user_id', walks)].join(' or ')})`,
  ];
  return { tallied, others: found(false), walked: found(true) };
}

/** Pages of all reports with their total number, newest first. */
export const createReportList = () =>
  createListing<Report, ReportFilter>({ table: 'report', select: `select ${COLUMNS} from report`, key: 'id', wanted });

/** Clears the texts of a deleted user's reports. The reports stay. */
export const forgetDetails = (tx: Tx, reporterId: number) =>
  rows(tx, `update report set details = '' where reporter_id = $1 and details <> ''`, [reporterId]);
