import {
  columnsOf,
  exists,
  requiredRow,
  row,
  rows,
  value,
  type Reader,
  type Tx,
} from '@tutoring/shared/kit/database/sql';
import type { Report } from '../batches/batch-move.ts';
import type { BreakKind, ResultRow } from './verdict.ts';

/** A line of a report as it is stored. */
export interface StoredResult extends ResultRow {
  reported: Report;
  amount: number | null;
  break_kind: BreakKind | null;
}

export async function insertImport(tx: Tx, batchId: number, results: StoredResult[]): Promise<number> {
  const id = await value<number>(
    tx,
    `insert into payout_import (batch_id, created_at, updated_at) select $1, at, at from (select app_now() as at) n
     returning id`,
    [batchId],
  );
  await rows(
    tx,
    `insert into payout_result (import_id, line, item_id, verdict, reported, provider_ref, message, amount, break_kind)
     select $1, r.* from unnest($2::int[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
       $9::text[]) as r`,
    [
      id,
      ...columnsOf(
        results,
        ...(['line', 'item_id', 'verdict', 'reported', 'provider_ref', 'message', 'amount', 'break_kind'] as const),
      ),
    ],
  );
  return id;
}

export const isImportOf = (reader: Reader, importId: number, batchId: number) =>
  exists(reader, 'select from payout_import where id = $1 and batch_id = $2', [importId, batchId]);

/** Lines that nobody has applied and that change or record something, with the owner of each payout. */
export const openResults = (reader: Reader, importId: number) =>
  rows<{ line: number; item_id: number; withdrawal_id: number; user_id: number }>(
    reader,
    `select r.line, r.item_id, i.withdrawal_id, i.user_id from payout_result r join payout_item i on i.id = r.item_id
     where r.import_id = $1 and r.outcome is null and (r.verdict in ('paid', 'failed', 'uncertain') or r.break_kind is not null)
     order by r.line`,
    [importId],
  );

/** Locks a line that was not applied yet, so that it is applied once. */
export const lockResult = (tx: Tx, importId: number, line: number) =>
  row<StoredResult>(
    tx,
    `select line, item_id, verdict, reported, provider_ref, message, amount, break_kind from payout_result
     where import_id = $1 and line = $2 and outcome is null for no key update`,
    [importId, line],
  );

export const setOutcome = (tx: Tx, importId: number, line: number, outcome: 'applied' | 'skipped') =>
  rows(tx, 'update payout_result set outcome = $3 where import_id = $1 and line = $2', [importId, line, outcome]);

/** Marks an import as applied, and the lines that are left as skipped. Returns the time, the first time. */
export async function finishImport(tx: Tx, importId: number): Promise<string | undefined> {
  const at = await value<string | undefined>(
    tx,
    `update payout_import set applied_at = app_now(), updated_at = app_now() where id = $1 and applied_at is null
     returning applied_at`,
    [importId],
  );
  if (at !== undefined)
    await rows(tx, `update payout_result set outcome = 'skipped' where import_id = $1 and outcome is null`, [importId]);
  return at;
}

export const countOutcomes = (reader: Reader, importId: number) =>
  requiredRow<{ applied: number; skipped: number }>(
    reader,
    `select count(*) filter (where outcome = 'applied') as applied, count(*) filter (where outcome = 'skipped') as skipped
     from payout_result where import_id = $1`,
    [importId],
  );
