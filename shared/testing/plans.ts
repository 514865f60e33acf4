import type { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { row, rows, type Tx } from '../kit/database/sql.ts';
import { infra, sql, withDatabase } from './infra.ts';
import type { TestService } from './service.ts';
import { eventually } from './wait.ts';

/** Enough rows for the planner to use the same indexes as with millions. */
export const ROWS = 20_000;
export const fromSeries = (rows: number) => `from generate_series(1, ${rows}) as g`;
export const FROM_SERIES = fromSeries(ROWS);

/** Rows for the tables that all services have. */
const SHARED = {
  outbox: `(subject, name, aggregate_id, aggregate_version, data, context, sent_at)
    select 'events.x', 'x', g, 0, '{}', '{}', clock_timestamp() ${FROM_SERIES}`,
  inbox: `(consumer, event_id) select 'x', gen_random_uuid() ${FROM_SERIES}`,
  dead_letter: `(consumer, event_id, name, message, error) select 'x', gen_random_uuid(), 'x', '{}', '' ${FROM_SERIES}`,
  event_failure: `(consumer, event_id) select 'x', gen_random_uuid() ${FROM_SERIES}`,
  idempotency_key: `(caller, scope, key, fingerprint) select 'x', 'x', g, 'x' ${FROM_SERIES}`,
};
const SHARED_SMALL = ['app_clock', 'migrations', 'lease'];

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** A statement that the service ran, including statements in functions and triggers, and its plan. */
interface Explained {
  statement: string;
  plan: Plan;
}

/** Settings by which the server sends a notice with the plan of each statement, also in functions. */
const EXPLAIN = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Also reports the blocks that a statement reads, which slows all statements down. */
const EXPLAIN_BLOCKS = {
  ...EXPLAIN,
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
};

/** The service's database, as a superuser. */
const asSuperuser = ({ ownerUrl }: TestService, statement: string) =>
  sql(withDatabase(infra().databaseUrl, new URL(ownerUrl).pathname.slice(1)), statement);

/** Other open transactions, including autovacuum: vacuum must keep the rows that they may still read. */
const OTHERS = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and (backend_xid is not null or backend_xmin is not null)`;

/** Vacuums the tables, or all. Waits first until no other transaction can see the dead rows. */
export async function vacuum(service: TestService, tables = ''): Promise<void> {
  await eventually('no other transaction', async () => (await asSuperuser(service, OTHERS)).length === 0);
  await service.asOwner(`vacuum analyze ${tables}`);
}

/** Returns a list to which all further statements of the service are added. */
async function explainAll(service: TestService, settings: Record<string, string>): Promise<Explained[]> {
  const name = new URL(service.ownerUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings))
    await asSuperuser(service, `alter database ${name} set ${setting} = '${value}'`);
  const explained: Explained[] = [];
  const readPlan = ({ message = '' }: { message?: string | undefined }) => {
    const json = message.indexOf('{');
    if (!message.startsWith('duration:') || json === -1) return;
    const { 'Query Text': text, Plan: plan } = JSON.parse(message.slice(json)) as { 'Query Text': string; Plan: Plan };
    explained.push({ statement: text.replaceAll(/\s+/g, ' '), plan });
  };
  const { pool } = service.service.database;
  (pool as unknown as EventEmitter).on('connect', (client: pg.Client) => client.on('notice', readPlan));
  await service.cutConnections();
  // The pool may not have noticed yet that these connections have ended.
  service.service.database.dropIdle();
  await setImmediate();
  return explained;
}

const sum = (blocks: number[]) => blocks.reduce((total, of) => total + of, 0);

/**
 * Returns a function that runs work and returns the number of blocks (cached or not) that the statements matching
 * `which` read. `combined`: how to combine the statements; by default their sum, which may include the same ones of
 * jobs.
 */
export async function blocksReader(service: TestService, combined: (blocks: number[]) => number = sum) {
  const explained = await explainAll(service, EXPLAIN_BLOCKS);
  return async (which: RegExp, work: () => Promise<unknown>): Promise<number> => {
    explained.length = 0;
    await work();
    const read = explained.filter(({ statement }) => which.test(statement));
    if (read.length === 0) throw new Error(`nothing that matches ${which} was explained`);
    return combined(read.map(({ plan }) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']));
  };
}

/**
 * Fills the growing tables, runs a step of every job except `except`, then `also`. Returns the statements that scanned
 * one of those tables sequentially, as `table: statement`. Throws when a table of the schema is neither in `growing`
 * (table to the SQL after `insert into <table>`; filled in this order) nor in `small`.
 */
export async function scansOfJobs(
  service: TestService,
  options: { growing: Record<string, string>; small: string[]; except?: string[]; also?: () => Promise<unknown> },
): Promise<string[]> {
  const growing = { ...SHARED, ...options.growing };
  const known = [...Object.keys(growing), ...SHARED_SMALL, ...options.small];
  const tables = await service.asOwner(`select tablename as name from pg_tables where schemaname = 'public'`);
  const unknown = tables.map(({ name }) => String(name)).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`do these tables grow: ${unknown.join(', ')}?`);

  for (const [table, rows] of Object.entries(growing)) await service.asOwner(`insert into ${table} ${rows}`);
  await vacuum(service);
  const explained = await explainAll(service, EXPLAIN);
  for (const job of service.service.jobs.filter(({ name: own }) => !options.except?.includes(own)))
    await job.run().catch((error: unknown) => {
      throw new Error(`job ${job.name} failed`, { cause: error });
    });
  await options.also?.();
  if (explained.length === 0) throw new Error('nothing was explained');
  const scans = explained.flatMap(({ statement, plan }) =>
    nodes(plan)
      .filter(({ 'Node Type': type, 'Relation Name': table = '' }) => type === 'Seq Scan' && table in growing)
      .map(({ 'Relation Name': table }) => `${table}: ${statement}`),
  );
  return [...new Set(scans)];
}

/** Number of rows of a table that `work` reads, with or without an index. */
export const rowsRead = (service: TestService, table: string, work: (tx: Tx) => Promise<unknown>): Promise<number> =>
  service.service.database.transact(async (tx) => {
    await rows(tx, 'set local max_parallel_workers_per_gather = 0');
    const read = async () =>
      (await row<{ read: number }>(
        tx,
        `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint as read
         from pg_stat_xact_user_tables where relname = $1`,
        [table],
      ))!.read;
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });

/** Number of partitions of a table that `work` scans. */
export const partitionsRead = (
  service: TestService,
  table: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> =>
  service.service.database.transact(async (tx) => {
    const scans = () =>
      rows<{ relid: number; scans: number }>(
        tx,
        'select relid, seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_xact_user_tables where relname = $1',
        [table],
      );
    const before = new Map((await scans()).map(({ relid, scans: count }) => [relid, count]));
    await work(tx);
    return (await scans()).filter(({ relid, scans: count }) => count > (before.get(relid) ?? 0)).length;
  });
