import type { Database, Reader } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { AUDIT_STATEMENT_MS } from '../deadlines.ts';
import type { AuditReport, Finding } from './audit.ts';
import { CHECKS } from './check-store.ts';

/** Findings of each check; more would not help. */
const FINDINGS_SHOWN = 100;

/** Every finding in the snapshot of `tx`. */
export async function findWrong(reader: Reader): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, statement] of Object.entries(CHECKS)) {
    const found = await rows<Omit<Finding, 'check'>>(
      reader,
      `select subject, expected::text, found::text from (${statement}) as wrong order by subject limit ${FINDINGS_SHOWN}`,
    );
    findings.push(...found.map((finding) => ({ check, ...finding })));
  }
  return findings;
}

/** Compares everything with the transfers in one snapshot, so that it can run beside all other work. */
export const audit = (database: Database): Promise<AuditReport> =>
  database.transact(
    async (tx) => {
      await rows(tx, 'set transaction isolation level repeatable read, read only');
      await rows(tx, `set local work_mem = '128MB'`);
      const findings = await findWrong(tx);
      const counted = await row<{ accounts: number; transfers: number }>(
        tx,
        'select (select count(*) from account) as accounts, (select count(*) from transfer) as transfers',
      );
      return { accounts: counted?.accounts ?? 0, transfers: counted?.transfers ?? 0, findings };
    },
    { statementMs: AUDIT_STATEMENT_MS },
  );
