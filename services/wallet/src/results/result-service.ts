import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Upload } from '@tutoring/shared/kit/http/read/upload';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { currencyDigits } from '@tutoring/shared/kit/language/money';
import { announce } from '../batches/batch-service.ts';
import { REPORTED } from '../batches/batch-move.ts';
import { findBatch } from '../batches/batch-store.ts';
import type { ItemRow } from '../batches/item.ts';
import { itemsByReference } from '../batches/item-store.ts';
import { closeIfDone, lockWithWithdrawal, settleItem } from '../batches/settle-service.ts';
import { recordBreak } from '../breaks/break-service.ts';
import { batchIs, batchNotFound, importNotFound, noResults } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { MAX_BYTES, readReport, repeatedLines } from './report.ts';
import * as store from './result-store.ts';
import { countVerdicts, verdictOn } from './verdict.ts';

/** Transactions in flight while results are applied; those of one teacher follow each other. */
const WORKERS = 4;

/** The bytes of an uploaded file. Throws too_large. */
export async function bytesOf(upload: Upload): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await upload(MAX_BYTES, async (stream) => {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return chunks.reduce((total, { length }) => total + length, 0);
  });
  return Buffer.concat(chunks);
}

/** Reads a report about an exported batch and stores what each line means. Changes nothing else. */
export async function importResults(parts: Parts, batchId: number, upload: Upload) {
  const { database, currency } = parts;
  const batch = await findBatch(database.manager, batchId);
  assertThat(batch, batchNotFound);
  assertThat(batch.format !== 'provider', noResults);
  assertThat(batch.file_name !== null, () => batchIs(batch.status));
  const lines = await readReport(await bytesOf(upload), currencyDigits(currency));
  const repeated = repeatedLines(lines);
  return database.transact(async (tx) => {
    const items = await itemsByReference(tx, batchId);
    const results = lines.map((line): store.StoredResult => {
      const item = items.get(line.reference);
      const { report: reported, provider_ref, message, amount } = line;
      const said = verdictOn(line, item, repeated.has(line));
      return { line: line.line, item_id: item?.id ?? null, ...said, reported, provider_ref, message, amount };
    });
    const import_id = await store.insertImport(tx, batchId, results);
    const shown = results.map(({ line, item_id, verdict, provider_ref, message }) => ({
      ...{ line, item_id, verdict, provider_ref, message },
    }));
    return { import_id, rows: shown, counts: countVerdicts(results) };
  });
}

interface Applied {
  parts: Parts;
  admin: AdminCaller;
  batchId: number;
  importId: number;
  format: string;
}

const recordDifference = (
  tx: Tx,
  { format }: Applied,
  item: ItemRow,
  { reported, amount, break_kind }: Pick<store.StoredResult, 'reported' | 'amount' | 'break_kind'>,
) =>
  recordBreak(tx, {
    ...{
      kind: break_kind ?? 'status',
      provider: format,
      reference: item.reference,
      ours: item.status,
      theirs: reported,
    },
    ...{ amount_ours: item.amount, amount_theirs: amount },
  });

/** What a line does to its item, whose state may be another one by now. Returns whether the item moved. */
async function applyLine(
  tx: Tx,
  applied: Applied,
  result: store.StoredResult,
  locked: Awaited<ReturnType<typeof lockWithWithdrawal>>,
): Promise<boolean> {
  if (result.break_kind === 'amount') {
    await recordDifference(tx, applied, locked.item, result);
    return false;
  }
  const { moves, breaks } = REPORTED[locked.item.status][result.reported];
  if (breaks) await recordDifference(tx, applied, locked.item, { ...result, break_kind: 'status' });
  if (!moves) return false;
  const { reported: status, provider_ref, message } = result;
  const news = { status, provider_ref: provider_ref ?? undefined, message: message ?? undefined };
  await settleItem(tx, applied.parts, locked, news, applied.admin);
  return true;
}

/** Applies one line, once, in a transaction. */
const applyOnce = (applied: Applied, line: number, item: { id: number; withdrawal_id: number }): Promise<void> =>
  applied.parts.database.transact(async (tx) => {
    const { importId, batchId, admin } = applied;
    const [result, locked] = await Promise.all([store.lockResult(tx, importId, line), lockWithWithdrawal(tx, item)]);
    if (!result) return;
    const moved = await applyLine(tx, applied, result, locked);
    const outcome = store.setOutcome(tx, importId, line, moved ? 'applied' : 'skipped');
    await Promise.all([outcome, moved && closeIfDone(tx, batchId, admin)]);
  });

/** Applies all open lines; those of one teacher, whose account they lock, one after another. */
async function applyOpen(applied: Applied): Promise<void> {
  const { database } = applied.parts;
  const open = await store.openResults(database.manager, applied.importId);
  const queue = [...Map.groupBy(open, ({ user_id }) => user_id).values()];
  const work = async () => {
    for (let own = queue.shift(); own; own = queue.shift())
      for (const { line, item_id: id, withdrawal_id } of own) await applyOnce(applied, line, { id, withdrawal_id });
  };
  const ended = await Promise.allSettled(Array.from({ length: WORKERS }, work));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
}

/**
 * Applies the results of an import, a transaction a line. A repeat, also after a crash, applies what is left and gives the
 * same answer. Throws not_found.
 */
export async function applyResults(parts: Parts, admin: AdminCaller, batchId: number, importId: number) {
  const { database } = parts;
  const batch = await findBatch(database.manager, batchId);
  assertThat(batch && (await store.isImportOf(database.manager, importId, batchId)), importNotFound);
  await applyOpen({ parts, admin, batchId, importId, format: batch.format });
  return database.transact(async (tx) => {
    const at = await store.finishImport(tx, importId);
    const outcomes = await store.countOutcomes(tx, importId);
    if (at !== undefined) {
      announce(tx, (await findBatch(tx, batchId))!);
      recordAdminAction(tx, admin, {
        action: 'payout_results.applied',
        subject: `payout_batch:${batchId}`,
        before: null,
        after: { import_id: importId, ...outcomes },
        at,
      });
    }
    return outcomes;
  });
}
