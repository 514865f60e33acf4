import type { Database, Reader, ReadOnly, Tx } from '@tutoring/shared/database/open';
import { one, row, rows } from '@tutoring/shared/database/sql';
import { AUDIT_STATEMENT_MS, AUDIT_STEP_STATEMENT_MS } from '../deadlines.ts';
import { CHECKS, MOVES, SEAL, type Finding } from './check-store.ts';
import { findWrong } from './scope-store.ts';

/**
 * The whole audit, each check in a snapshot of its own. It only reads: a standby can answer it, and nothing waits for it
 * as for a transaction that writes.
 */
export const audit = (database: ReadOnly) =>
  database.transact(
    async (reader) => {
      await rows(reader, 'set transaction read only');
      await rows(reader, `set local work_mem = '128MB'`);
      const findings: Finding[] = [];
      for (const [name, check] of Object.entries(CHECKS))
        findings.push(...(await findWrong(reader, { tables: {}, checks: { [name]: check } })));
      const counted = await one<{ accounts: number; transfers: number }>(
        reader,
        'select (select count(*) from account) as accounts, (select count(*) from transfer) as transfers',
      );
      return { ...counted, findings };
    },
    { statementMs: AUDIT_STATEMENT_MS },
  );

/**
 * A step in one snapshot, that reads by index whatever PostgreSQL believes about the size of a table that has just
 * grown.
 */
export const inStep = <T>(database: Database, work: (tx: Tx) => Promise<T>) =>
  database.transact(
    async (tx) => {
      await rows(tx, 'set transaction isolation level repeatable read');
      await rows(tx, 'set local enable_seqscan = off');
      return work(tx);
    },
    { statementMs: AUDIT_STEP_STATEMENT_MS },
  );

/** How far new transfers are audited; `settled`: up to where none can appear any more. */
export interface Mark {
  block: number;
  chain: string;
  compared_to: number;
  settled: number;
}

/** Locks the mark; undefined when another replica has it, or has just been there. */
export const lockMark = (tx: Tx): Promise<Mark | undefined> =>
  row<Mark>(
    tx,
    `select m.block, m.chain, m.compared_to, s.counted_to as settled from audit_mark m cross join ledger_day_mark s
     where m.due_at <= clock_timestamp() for update of m skip locked`,
  );

/** `nextInMs`: the next step is due then. `isThrough`: nothing new is left, and all accounts were compared. */
export const saveMark = (tx: Tx, { block, chain, compared_to }: Mark, next: { inMs: number; isThrough: boolean }) =>
  rows(
    tx,
    `update audit_mark set block = $1, chain = $2, compared_to = $3,
       due_at = clock_timestamp() + $4 * interval '1 millisecond',
       audited_at = case when $5 then clock_timestamp() else audited_at end`,
    [block, chain, compared_to, next.inMs, next.isThrough],
  );

export interface Block {
  block: number;
  after_id: number;
  up_to_id: number;
  chain: string;
}

/** Seals the next settled transfers, at most `limit` of them; undefined when there are none. */
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

/** Returns those that were not known before. */
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
 * Whether a whole audit is due: none since this hour (UTC) was last reached, or ten minutes after one while there are
 * findings, so that what was mended goes. Nobody else begins one while it may run. Returns when it begins.
 */
export const claimWhole = (database: Database, hour: number): Promise<{ began: string } | undefined> =>
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

/** What a whole audit has found takes the place of what was known before it began; returns what is new. */
export async function saveWhole(tx: Tx, began: string, findings: Finding[]): Promise<Finding[]> {
  const found = await saveFindings(tx, findings);
  await rows(tx, 'delete from audit_finding where seen_at < $1', [began]);
  await rows(tx, `update audit_whole set checked_at = $1, claimed_until = '-infinity'`, [began]);
  return found;
}

/** Times are in Unix time, 0 for never. */
export interface Figures {
  findings: number;
  /** When the newest transfers were audited. */
  audited: number;
  /** Since when everything has been checked as a whole or, before it was for the first time, since the beginning. */
  rechecked: number;
}

export const findFigures = (reader: Reader): Promise<Figures> =>
  one<Figures>(
    reader,
    `select (select count(*) from audit_finding) as findings,
       coalesce(extract(epoch from audited_at), 0)::float8 as audited,
       extract(epoch from coalesce(checked_at, known_at))::float8 as rechecked
     from audit_mark, audit_whole`,
  );
