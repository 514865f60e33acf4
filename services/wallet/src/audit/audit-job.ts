import type { Database, Tx } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import type { ServiceDeps } from '@tutoring/shared/service';
import type { WalletConfig } from '../config.ts';
import * as store from './audit-store.ts';
import { HEAD, type Finding } from './check-store.ts';
import { findWrong, NEW_TRANSFERS, NEWEST_BLOCK, TOUCHED_ACCOUNTS } from './scope-store.ts';

/** Transfers of a step: it costs the same whatever the size of the ledger. */
const STEP_ROWS = 5_000;
/** Between two steps, when nothing is left. */
const PACE_MS = 10_000;

/** `found`: what was not known before; `isMore`: the next step may follow at once. */
interface Step {
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
async function recheck(database: Database, hour: number): Promise<Step> {
  const due = await store.claimWhole(database, hour);
  if (!due) return { found: [], isMore: false };
  const { findings } = await store.audit(database.standby);
  return { found: await database.transact((tx) => store.saveWhole(tx, due.began, findings)), isMore: false };
}

/** Findings that the log names; the table `audit_finding` has them all. */
const LOGGED = 20;

/** `hour`: the quiet one, in UTC. */
type AuditDeps = Pick<ServiceDeps<WalletConfig>, 'database' | 'logger' | 'metrics'> & { hour: number };

/**
 * Audits new transfers at once and the whole ledger each night; a new finding is an error in the log. The metrics come
 * from the database, so that every replica shows the same.
 */
export function auditJobs({ database, logger, metrics, hour }: AuditDeps): Job[] {
  let figures: store.Figures = { findings: 0, audited: 0, rechecked: 0 };
  const watch = (name: string, help: string, figure: keyof store.Figures) =>
    metrics.watch(name, help, () => figures[figure]);
  watch('ledger_audit_findings', 'Rows of the ledger that do not add up', 'findings');
  watch('ledger_audit_finished_seconds', 'When the newest transfers were audited, in Unix time', 'audited');
  watch(
    'ledger_audit_rechecked_seconds',
    'Everything in the ledger has been checked again since then, or is for the first time, in Unix time',
    'rechecked',
  );
  async function tell({ found, isMore }: Step) {
    figures = await store.findFigures(database.manager);
    if (found.length > 0)
      logger.error({ count: figures.findings, findings: found.slice(0, LOGGED) }, 'the ledger does not add up');
    return moreIf(isMore);
  }
  return [
    {
      name: 'audit',
      purpose: 'audits new transfers',
      everyMs: 10_000,
      run: async () => tell(await store.inStep(database, (tx) => auditNewTransfers(tx))),
    },
    {
      name: 'recheck-ledger',
      purpose: 'audits the whole ledger each night',
      everyMs: 60_000,
      run: async () => tell(await recheck(database, hour)),
    },
  ];
}
