import { createLease } from '@tutoring/shared/database/lease';
import type { Database } from '@tutoring/shared/database/open';
import { MORE, type Job } from '@tutoring/shared/jobs';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Metrics } from '@tutoring/shared/process/metrics';
import { auditStep } from './audit-service.ts';
import { inSnapshot } from './audit-store.ts';
import { countFindings } from './finding-store.ts';
import { soundness } from './walk-store.ts';

/** Findings that the log names; the table `audit_finding` has them all. */
const LOGGED = 20;

/** How often the lease is renewed: well before it ends. */
const RENEWED_MS = 1_000;

/** Between two steps; what is left of new transfers follows at once. */
const PACE_MS = 10_000;

/**
 * Audits the ledger in steps, in one replica at a time; a new finding is an error in the log. The metrics come from the
 * database, so that every replica tells the same.
 */
export function auditJob({ database, logger, metrics }: { database: Database; logger: Logger; metrics: Metrics }): Job {
  const lease = createLease(database.manager, 'audit');
  let figures = { findings: 0, audited: 0, rechecked: 0 };
  let notBefore = 0;
  metrics.watch('ledger_audit_findings', 'Rows of the ledger that do not add up', () => figures.findings);
  metrics.watch(
    'ledger_audit_finished_seconds',
    'When the newest transfers were audited, in Unix time',
    () => figures.audited,
  );
  metrics.watch(
    'ledger_audit_rechecked_seconds',
    'Everything in the ledger has been checked again since then, or is for the first time, in Unix time',
    () => figures.rechecked,
  );
  return {
    name: 'audit',
    everyMs: RENEWED_MS,
    run: async () => {
      const leads = await lease.take();
      if (performance.now() < notBefore) return undefined;
      notBefore = performance.now() + PACE_MS;
      const step = leads ? await inSnapshot(database, (tx) => auditStep(tx)) : { isBehind: false, found: [] };
      figures = { findings: await countFindings(database.manager), ...(await soundness(database.manager)) };
      if (step.found.length > 0)
        logger.error({ count: figures.findings, findings: step.found.slice(0, LOGGED) }, 'the ledger does not add up');
      if (!step.isBehind) return undefined;
      notBefore = 0;
      return MORE;
    },
  };
}
