import type { Database, Tx } from '@tutoring/shared/kit/database/open';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import type { WalletConfig } from '../config.ts';
import * as store from './audit-store.ts';
import { NEWEST_BLOCK_CHECK, type Finding } from './check-store.ts';
import { runChecks, NEW_TRANSFERS, NEWEST_BLOCK, TOUCHED_ACCOUNTS } from './scope-store.ts';

/** Transfers per step. A step costs the same whatever the size of the ledger. */
const STEP_ROWS = 5_000;
/** Pause after a step that has audited every settled transfer. */
const STEP_INTERVAL_MS = 10_000;

/** `found`: new findings; `isMore`: the next step may start at once. */
interface Step {
  found: Finding[];
  isMore: boolean;
}

/**
 * Seals the next settled transfers in a block and checks them with their records, holds and payments. The last step
 * also checks the balances of their accounts. Seals nothing when the newest block is not the block written last.
 */
export async function auditNewTransfers(tx: Tx, size = STEP_ROWS): Promise<Step> {
  const mark = await store.lockMark(tx);
  if (!mark) return { found: [], isMore: false };
  const findings = await runChecks(tx, NEWEST_BLOCK);
  if (findings.some(({ check }) => check === NEWEST_BLOCK_CHECK)) {
    await store.saveMark(tx, mark, { delayMs: STEP_INTERVAL_MS, isComplete: false });
    return { found: await store.saveFindings(tx, findings), isMore: false };
  }
  const block = await store.sealNext(tx, mark.settled, size);
  if (block) findings.push(...(await runChecks(tx, NEW_TRANSFERS, [block.after_id, block.up_to_id])));
  const isMore = block !== undefined && block.up_to_id < mark.settled;
  if (!isMore) findings.push(...(await runChecks(tx, TOUCHED_ACCOUNTS, [mark.compared_to, mark.settled])));
  const compared_to = isMore ? mark.compared_to : mark.settled;
  await store.saveMark(
    tx,
    { ...mark, ...block, compared_to },
    { delayMs: isMore ? 0 : STEP_INTERVAL_MS, isComplete: !isMore },
  );
  return { found: await store.saveFindings(tx, findings), isMore };
}

/** Runs the full audit when it is due: each night, from `hour` (UTC) on. */
async function recheck(database: Database, hour: number): Promise<Step> {
  const due = await store.claimFullAudit(database, hour);
  if (!due) return { found: [], isMore: false };
  const { findings } = await store.audit(database.standby);
  return { found: await database.transact((tx) => store.saveFullAudit(tx, due.began, findings)), isMore: false };
}

/** Findings per log line; the table `audit_finding` has all of them. */
const MAX_LOGGED = 20;

/** `hour`: UTC hour at which the full audit starts. */
type AuditDeps = Pick<ServiceDeps<WalletConfig>, 'database' | 'logger' | 'metrics'> & { hour: number };

/**
 * Audits new transfers within seconds and the whole ledger each night; logs new findings as an error. The metrics are
 * read from the database, so that every replica shows the same values.
 */
export function auditJobs({ database, logger, metrics, hour }: AuditDeps): Job[] {
  let figures: store.Figures = { findings: 0, audited: 0, rechecked: 0 };
  const watch = (name: string, help: string, figure: keyof store.Figures) =>
    metrics.watch(name, help, () => figures[figure]);
  watch('ledger_audit_findings', 'Open findings of the ledger audit', 'findings');
  watch('ledger_audit_finished_seconds', 'Unix time at which the newest transfers were audited', 'audited');
  watch(
    'ledger_audit_rechecked_seconds',
    'Unix time of the last full audit of the ledger; of the installation before the first one',
    'rechecked',
  );
  async function report({ found, isMore }: Step) {
    figures = await store.findFigures(database.manager);
    if (found.length > 0)
      logger.error({ count: figures.findings, findings: found.slice(0, MAX_LOGGED) }, 'the ledger does not add up');
    return moreIf(isMore);
  }
  return [
    {
      name: 'audit',
      purpose: 'audits new transfers',
      everyMs: 10_000,
      run: async () => report(await store.transactAuditStep(database, (tx) => auditNewTransfers(tx))),
    },
    {
      name: 'recheck-ledger',
      purpose: 'audits the whole ledger each night',
      everyMs: 60_000,
      run: async () => report(await recheck(database, hour)),
    },
  ];
}
