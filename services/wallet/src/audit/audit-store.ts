import type { Database, Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { AUDIT_STATEMENT_MS, AUDIT_STEP_STATEMENT_MS } from '../deadlines.ts';
import type { AuditReport } from './audit.ts';
import { findWrong } from './scope-store.ts';

/**
 * The whole audit: compares everything with the transfers in one snapshot, so that it can run beside all other work. It
 * only reads, so a standby can answer it.
 */
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

/**
 * One step in one snapshot, that reads by index whatever PostgreSQL believes about the size of a table that has just
 * grown. Two steps at once: the second fails and starts again.
 */
export const inSnapshot = <T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.transact(
    async (tx) => {
      await rows(tx, 'set transaction isolation level repeatable read');
      await rows(tx, 'set local enable_seqscan = off');
      return work(tx);
    },
    { statementMs: AUDIT_STEP_STATEMENT_MS },
  );
