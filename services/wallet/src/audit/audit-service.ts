import type { Database, Tx } from '@tutoring/shared/database/open';
import * as store from './audit-store.ts';
import { HEAD, type Finding } from './check-store.ts';
import { findWrong, NEW_TRANSFERS, NEWEST_BLOCK, TOUCHED_ACCOUNTS } from './scope-store.ts';

/** Transfers of a step: it costs the same whatever the size of the ledger. */
const STEP_ROWS = 5_000;
/** Between two steps, when nothing is left. */
const PACE_MS = 10_000;

/** `found`: what was not known before; `isMore`: the next step may follow at once. */
export interface Step {
  found: Finding[];
  isMore: boolean;
}

/**
 * Seals the next settled transfers and checks them, all that belongs to them and, when nothing new is left, the
 * balances of their accounts. When the newest block is not the one last written, nothing follows on it.
 */
export async function auditNewTransfers(tx: Tx, size = STEP_ROWS): Promise<Step> {
  const mark = await store.lockMark(tx);
  if (!mark) return { found: [], isMore: false };
  const findings = await findWrong(tx, NEWEST_BLOCK);
  if (findings.some(({ check }) => check === HEAD)) {
    await store.saveMark(tx, mark, { inMs: PACE_MS, isThrough: false });
    return { found: await store.saveFindings(tx, findings), isMore: false };
  }
  const block = await store.sealNext(tx, mark.settled, size);
  if (block) findings.push(...(await findWrong(tx, NEW_TRANSFERS, [block.after_id, block.up_to_id])));
  const isMore = block !== undefined && block.up_to_id < mark.settled;
  if (!isMore) findings.push(...(await findWrong(tx, TOUCHED_ACCOUNTS, [mark.compared_to, mark.settled])));
  const compared_to = isMore ? mark.compared_to : mark.settled;
  await store.saveMark(tx, { ...mark, ...block, compared_to }, { inMs: isMore ? 0 : PACE_MS, isThrough: !isMore });
  return { found: await store.saveFindings(tx, findings), isMore };
}

/** The whole audit, when it is due: each night from this hour (UTC) on. */
export async function recheck(database: Database, hour: number): Promise<Step> {
  const due = await store.claimWhole(database, hour);
  if (!due) return { found: [], isMore: false };
  const { findings } = await store.audit(database.standby);
  return { found: await database.transact((tx) => store.saveWhole(tx, due.began, findings)), isMore: false };
}
