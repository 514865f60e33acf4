import { exists, insert, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Cursor } from '../records/record.ts';
import { createMoneyBackList } from '../records/record-store.ts';
import type { Debt, DisputeRow, DisputeStatus } from './dispute.ts';
import { OPEN_DISPUTES, REFUND } from './dispute-move.ts';

/* The disputes of a student change only while the student's account is locked. */

const COLUMNS =
  'id, deposit_id, user_id, provider, provider_ref, amount, currency, reason, status, evidence_due_at, taken, owed, ' +
  'created_at, updated_at, recovered, written_off, entries, taken_at, returned_at, version';

export const findDispute = (reader: Reader, id: number) =>
  row<DisputeRow>(reader, `select ${COLUMNS} from dispute where id = $1`, [id]);

/** The dispute with the provider's id. */
export const findByRef = (reader: Reader, provider: string, ref: string) =>
  row<DisputeRow>(reader, `select ${COLUMNS} from dispute where provider = $1 and provider_ref = $2`, [provider, ref]);

type NewDispute = Omit<DisputeRow, 'id' | 'created_at' | 'updated_at' | 'version' | Money>;
type Money = 'taken' | 'owed' | 'recovered' | 'written_off' | 'entries' | 'taken_at' | 'returned_at';

export const insertDispute = async (tx: Tx, fields: NewDispute): Promise<DisputeRow> =>
  (await insert<DisputeRow>(tx, 'dispute', fields, `returning ${COLUMNS}`))!;

/** Writes the defined fields; `now` lists the columns to set to the current time. */
export const updateDispute = (
  tx: Tx,
  id: number,
  change: Partial<DisputeRow>,
  now: ('taken_at' | 'returned_at')[] = [],
) =>
  update<DisputeRow>(
    tx,
    'dispute',
    { id, returning: COLUMNS, more: now.map((column) => `${column} = app_now()`) },
    change,
  );

/** Notes what happened to a dispute. */
export const insertStep = (tx: Tx, disputeId: number, event: string) =>
  rows(tx, 'insert into dispute_step (dispute_id, event) values ($1, $2)', [disputeId, event]);

export const listSteps = (reader: Reader, disputeId: number) =>
  rows<{ event: string; at: string }>(reader, 'select event, at from dispute_step where dispute_id = $1 order by id', [
    disputeId,
  ]);

/** The debts of a user, oldest first. */
export const listDebts = (reader: Reader, userId: number) =>
  rows<Debt>(
    reader,
    'select id, deposit_id, amount, owed, created_at from dispute where user_id = $1 and owed > 0 order by id',
    [userId],
  );

export const findDebts = (tx: Tx, userId: number) =>
  rows<DisputeRow>(tx, `select ${COLUMNS} from dispute where user_id = $1 and owed > 0 order by id`, [userId]);

/** Disputes of a deposit, oldest first. */
export const findOfDeposit = (reader: Reader, depositId: number) =>
  rows<DisputeRow>(reader, `select ${COLUMNS} from dispute where deposit_id = $1 order by id`, [depositId]);

/** What of a deposit is refunded: at the provider, and by refunds of ours that are successful. */
export const refundedOf = (reader: Reader, depositId: number) =>
  value<number>(
    reader,
    `select (select coalesce(sum(amount), 0) from dispute
         where deposit_id = $1 and reason = '${REFUND}' and status = 'lost')::bigint
       + (select coalesce(sum(amount), 0) from deposit_refund where deposit_id = $1 and status = 'success')::bigint`,
    [depositId],
  );

/** What disputes have taken of a deposit and not given back. */
export const takenOf = (reader: Reader, depositId: number) =>
  value<number>(
    reader,
    'select coalesce(sum(taken), 0)::bigint from dispute where deposit_id = $1 and returned_at is null',
    [depositId],
  );

/** Whether a new credit of this deposit has something to do: debts of the user, or disputes of the deposit. */
export const awaitsCredit = (reader: Reader, userId: number, depositId: number) =>
  exists(reader, 'select from dispute where user_id = $1 and (owed > 0 or deposit_id = $2) limit 1', [
    userId,
    depositId,
  ]);

const IS_OPEN = `status in (${OPEN_DISPUTES.map((status) => `'${status}'`).join(', ')})`;

export const countOpenDisputes = (reader: Reader, userId: number) =>
  value<number>(reader, `select count(*) from dispute where user_id = $1 and ${IS_OPEN}`, [userId]);

/** Whether the user has an open dispute or a debt. */
export const isDisputed = (reader: Reader, userId: number) =>
  exists(reader, `select from dispute where user_id = $1 and (${IS_OPEN} or owed > 0) limit 1`, [userId]);

/** Newest first, for the export of own data. */
export const listOwnDisputes = (
  reader: Reader,
  userId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: Cursor,
): Promise<DisputeRow[]> =>
  rows(reader, `select ${COLUMNS} from dispute where user_id = $1 and id < $2 order by id desc limit $3`, [
    userId,
    before,
    limit,
  ]);

/** Pages of all disputes, newest first. */
export const createDisputeList = () =>
  createMoneyBackList<DisputeRow>(
    'dispute',
    `select ${COLUMNS} from dispute`,
    `fold(t.provider_ref || ' ' || t.reason)`,
  );

/** Figures for metrics: disputes by status, what is owed, and hours until the next evidence is due. */
export const disputeFigures = (reader: Reader) =>
  rows<{ status: DisputeStatus; count: number; owed: number }>(
    reader,
    'select status, sum(rows) as count, sum(amount) as owed from dispute_tally group by status',
  );

/** Hours until the evidence of a dispute is due, the earliest one; null when nothing is due. */
export const hoursUntilEvidence = (reader: Reader) =>
  value<number | null>(
    reader,
    `select (extract(epoch from min(evidence_due_at) - app_now()) / 3600)::float8 from dispute
     where status in ('inquiry', 'needs_response')`,
  );
