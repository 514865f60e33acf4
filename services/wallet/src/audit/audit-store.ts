import type { Database, Reader, ReadOnly, Tx } from '@tutoring/shared/kit/database/open';
import { requiredRow, row, rows } from '@tutoring/shared/kit/database/sql';
import { AUDIT_STATEMENT_MS, AUDIT_STEP_STATEMENT_MS } from '../deadlines.ts';
import { CHECKS, MOVES, SEAL, type Finding } from './check-store.ts';
import { runChecks } from './scope-store.ts';

/**
 * The full audit, each check in its own snapshot. The transaction is read-only: it can run on a standby, and it does
 * not hold up the counting and sealing of transfers.
 */
export const audit = (database: ReadOnly) =>
  database.transact(
    async (reader) => {
      await rows(reader, 'set transaction read only');
      await rows(reader, `set local work_mem = '128MB'`);
      const findings: Finding[] = [];
      for (const [name, check] of Object.entries(CHECKS))
        findings.push(...(await runChecks(reader, { tables: {}, checks: { [name]: check } })));
      const counted = await requiredRow<{ accounts: number; transfers: number }>(
        reader,
        'select (select count(*) from account) as accounts, (select count(*) from transfer) as transfers',
      );
      return { ...counted, findings };
    },
    { statementMs: AUDIT_STATEMENT_MS },
  );

/**
 * Runs one step of the audit in one snapshot. Disables sequential scans, because statistics of a table that has just
 * grown would make PostgreSQL choose them.
 */
export const transactAuditStep = <T>(database: Database, work: (tx: Tx) => Promise<T>) =>
  database.transact(
    async (tx) => {
      await rows(tx, 'set transaction isolation level repeatable read');
      await rows(tx, 'set local enable_seqscan = off');
      return work(tx);
    },
    { statementMs: AUDIT_STEP_STATEMENT_MS },
  );

/** Progress of the audit. No further transfer can appear with an id up to `settled`. */
export interface Mark {
  block: number;
  chain: string;
  compared_to: number;
  settled: number;
}

/** Locks the mark; undefined when another replica holds the lock or the next step is not due yet. */
export const lockMark = (tx: Tx): Promise<Mark | undefined> =>
  row<Mark>(
    tx,
    `select m.block, m.chain, m.compared_to, s.counted_to as settled from audit_mark m cross join ledger_day_mark s
     where m.due_at <= clock_timestamp() for update of m skip locked`,
  );

/** `delayMs`: time until the next step; `isComplete`: every settled transfer and its accounts were audited. */
export const saveMark = (tx: Tx, { block, chain, compared_to }: Mark, next: { delayMs: number; isComplete: boolean }) =>
  rows(
    tx,
    `update audit_mark set block = $1, chain = $2, compared_to = $3,
       due_at = clock_timestamp() + $4 * interval '1 millisecond',
       audited_at = case when $5 then clock_timestamp() else audited_at end`,
    [block, chain, compared_to, next.delayMs, next.isComplete],
  );

export interface Block {
  block: number;
  after_id: number;
  up_to_id: number;
  chain: string;
}

/** Seals the next settled transfers in a block, at most `limit`; undefined when there are none. */
export async function sealNext(tx: Tx, settled: number, limit: number): Promise<Block | undefined> {
  const block = await row<Block>(
    tx,
    `with before as (
       select block, up_to_id as after_id, transfers, amount, chain from audit_block
       union all select 0, 0, 0, 0, '' order by block desc limit 1
     ), next as (
       select before.*, coalesce((
         select id from transfer where id > after_id and id <= $1 order by id offset $2 limit 1), $1) as up_to_id
       from before
     )
     insert into audit_block (block, up_to_id, transfers, amount, chain)
     select next.block + 1, up_to_id, next.transfers + own.transfers, next.amount + own.amount, own.chain
     from next cross join lateral (${SEAL('next')}) own where own.transfers > 0
     returning block, (select after_id from before), up_to_id, chain`,
    [settled, limit - 1],
  );
  if (block)
    await rows(
      tx,
      `insert into audit_account as known (user_id, balance)
       select account, sum(amount) from (${MOVES('id > $1 and id <= $2')}) m where account > 0 group by account
       on conflict (user_id) do update set balance = known.balance + excluded.balance`,
      [block.after_id, block.up_to_id],
    );
  return block;
}

/** Stores findings; returns the new ones. */
export async function saveFindings(tx: Tx, findings: Finding[]): Promise<Finding[]> {
  if (findings.length === 0) return [];
  const saved = await rows<Finding & { is_new: boolean }>(
    tx,
    `insert into audit_finding ("check", subject, expected, found)
     select distinct on (1, 2) "check", subject, expected, found from jsonb_populate_recordset(null::audit_finding, $1)
     on conflict ("check", subject) do update
       set expected = excluded.expected, found = excluded.found, seen_at = excluded.seen_at
     returning new."check", new.subject, new.expected, new.found, old."check" is null as is_new`,
    [JSON.stringify(findings)],
  );
  return saved.filter((finding) => finding.is_new).map(({ is_new: _, ...finding }) => finding);
}

/**
 * Claims the full audit when it is due: once a night from `hour` (UTC) on, and every ten minutes while there are
 * findings, so that repaired ones disappear. No other replica can claim it until the statement timeout has passed.
 * Returns the start time.
 */
export const claimFullAudit = (database: Database, hour: number): Promise<{ began: string } | undefined> =>
  row(
    database.manager,
    `update audit_whole set claimed_until = clock_timestamp() + interval '${AUDIT_STATEMENT_MS} milliseconds'
     where claimed_until < clock_timestamp() and (
       checked_at is null
       or checked_at < date_trunc('day', clock_timestamp() - $1 * interval '1 hour', 'UTC') + $1 * interval '1 hour'
       or checked_at < clock_timestamp() - interval '10 minutes' and exists (select from audit_finding))
     returning clock_timestamp() as began`,
    [hour],
  );

/** Replaces the findings from before `began` by those of a full audit; returns the new ones. */
export async function saveFullAudit(tx: Tx, began: string, findings: Finding[]): Promise<Finding[]> {
  const found = await saveFindings(tx, findings);
  await rows(tx, 'delete from audit_finding where seen_at < $1', [began]);
  await rows(tx, `update audit_whole set checked_at = $1, claimed_until = '-infinity'`, [began]);
  return found;
}

/** Times are Unix seconds, 0 for never. */
export interface Figures {
  findings: number;
  /** When the newest transfers were audited. */
  audited: number;
  /** Start of the last full audit; time of the installation before the first one. */
  rechecked: number;
}

export const findFigures = (reader: Reader): Promise<Figures> =>
  requiredRow<Figures>(
    reader,
    `select (select count(*) from audit_finding) as findings,
       coalesce(extract(epoch from audited_at), 0)::float8 as audited,
       extract(epoch from coalesce(checked_at, known_at))::float8 as rechecked
     from audit_mark, audit_whole`,
  );
