import type { Database } from '@tutoring/shared/database/open';
import type { Job } from '@tutoring/shared/jobs';
import type { Logger } from '@tutoring/shared/logger';
import type { Metrics } from '@tutoring/shared/metrics';
import { audit } from './audit-store.ts';

/** Findings that the log names; the command `audit` names them all. */
const LOGGED = 20;

/** The audit rests this many times as long as it worked, so that a large ledger is not read all the time. */
const REST = 20;

/** Audits the ledger every minute; findings are an error in the log and a metric for alerts. */
export function auditJob({ database, logger, metrics }: { database: Database; logger: Logger; metrics: Metrics }): Job {
  let findings = 0;
  let finishedAt = 0;
  let notBefore = 0;
  metrics.watch('ledger_audit_findings', 'Rows of the ledger that do not add up', () => findings);
  metrics.watch('ledger_audit_finished_seconds', 'When the ledger was last audited, in Unix time', () => finishedAt);
  return {
    name: 'audit',
    everyMs: 60_000,
    run: async () => {
      const started = Date.now();
      if (started < notBefore) return;
      const report = await audit(database);
      findings = report.findings.length;
      finishedAt = Date.now() / 1000;
      notBefore = Date.now() + REST * (Date.now() - started);
      if (findings > 0)
        logger.error({ count: findings, findings: report.findings.slice(0, LOGGED) }, 'the ledger does not add up');
      else logger.debug({ accounts: report.accounts, transfers: report.transfers }, 'the ledger adds up');
    },
  };
}
