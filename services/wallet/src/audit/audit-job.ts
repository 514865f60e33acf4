import { moreIf, type Job } from '@tutoring/shared/jobs';
import type { ServiceDeps } from '@tutoring/shared/service';
import type { WalletConfig } from '../config.ts';
import { auditNewTransfers, recheck, type Step } from './audit-service.ts';
import { findFigures, inStep, type Figures } from './audit-store.ts';

/** Findings that the log names; the table `audit_finding` has them all. */
const LOGGED = 20;

/** `hour`: the quiet one, in UTC. */
type AuditDeps = Pick<ServiceDeps<WalletConfig>, 'database' | 'logger' | 'metrics'> & { hour: number };

/**
 * Audits new transfers at once and the whole ledger each night; a new finding is an error in the log. The metrics come
 * from the database, so that every replica shows the same.
 */
export function auditJobs({ database, logger, metrics, hour }: AuditDeps): Job[] {
  let figures: Figures = { findings: 0, audited: 0, rechecked: 0 };
  const watch = (name: string, help: string, figure: keyof Figures) => metrics.watch(name, help, () => figures[figure]);
  watch('ledger_audit_findings', 'Rows of the ledger that do not add up', 'findings');
  watch('ledger_audit_finished_seconds', 'When the newest transfers were audited, in Unix time', 'audited');
  watch(
    'ledger_audit_rechecked_seconds',
    'Everything in the ledger has been checked again since then, or is for the first time, in Unix time',
    'rechecked',
  );
  async function tell({ found, isMore }: Step) {
    figures = await findFigures(database.manager);
    if (found.length > 0)
      logger.error({ count: figures.findings, findings: found.slice(0, LOGGED) }, 'the ledger does not add up');
    return moreIf(isMore);
  }
  return [
    {
      name: 'audit',
      purpose: 'audits new transfers',
      everyMs: 10_000,
      run: async () => tell(await inStep(database, (tx) => auditNewTransfers(tx))),
    },
    {
      name: 'recheck-ledger',
      purpose: 'audits the whole ledger each night',
      everyMs: 60_000,
      run: async () => tell(await recheck(database, hour)),
    },
  ];
}
