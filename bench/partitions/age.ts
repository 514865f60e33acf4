import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { row, rows, sweep } from '@tutoring/shared/database/sql';
import { createLogger } from '@tutoring/shared/logger';
import { cpuSeconds } from '../calls/load.ts';
import { provision, startPostgres } from '../../deploy/local/servers.ts';

/** Rows of one statement, as many as a set of events has at most. */
const AT_ONCE = 256;
const PASSWORDS = { wallet_owner: 'o'.repeat(24), wallet_service: 's'.repeat(24) };

interface Aged {
  /** For how many turns a row stays: days, or hours. */
  kept: number;
  age: string;
  /** Adds `AT_ONCE` rows of the time $1. */
  insert: string[];
  /** The share of rows that are gone when autovacuum comes. */
  vacuumAt: number;
}

const TABLES: Record<string, Aged> = {
  inbox: {
    kept: 15,
    age: 'received_at',
    insert: [
      `insert into inbox (consumer, event_id, received_at)
       select 'wallet', uuidv7($1::timestamptz - clock_timestamp()), $1 from generate_series(1, ${AT_ONCE})`,
    ],
    vacuumAt: 0.2,
  },
  outbox: {
    kept: 14,
    age: 'sent_at',
    insert: [
      `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, created_at)
       select 'events.balance.changed', 'balance.changed', n, 0, jsonb_build_object('text', repeat('x', 200)), '{}', $1
       from generate_series(1, ${AT_ONCE}) n`,
      'update outbox set sent_at = $1 where sent_at is null',
    ],
    vacuumAt: 0.02,
  },
  idempotency_key: {
    kept: 24,
    age: 'created_at',
    insert: [
      `insert into idempotency_key (caller, scope, key, fingerprint, status, answer, created_at)
       select 'user:' || n, 'POST /api/deposits', gen_random_uuid(), md5(n::text), 200, repeat('x', 300), $1
       from generate_series(1, ${AT_ONCE}) n`,
    ],
    vacuumAt: 0.2,
  },
};

/** What work costs: bytes of WAL, and the CPU of the connections that do it. */
function meter(reader: Database, pids: number[]) {
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const wal = async () =>
    (await row<{ at: number }>(reader.manager, `select pg_current_wal_insert_lsn() - '0/0' as at`))!.at;
  const total = { wal: 0, cpu: 0, rows: 0 };
  return {
    total,
    async of(work: () => Promise<number>) {
      const [cpuBefore, walBefore] = [cpu(), await wal()];
      total.rows += await work();
      total.cpu += cpu() - cpuBefore;
      total.wal += (await wal()) - walBefore;
    },
  };
}

const pidOf = async ({ manager }: Database) =>
  (await row<{ pid: number }>(manager, 'select pg_backend_pid() as pid'))!.pid;

async function churn(service: Database, owner: Database, table: string, perTurn: number): Promise<void> {
  const { kept, age, insert, vacuumAt } = TABLES[table]!;
  await rows(owner.manager, `alter table ${table} set (autovacuum_enabled = off)`);
  await rows(owner.manager, 'set statement_timeout = 0');
  const pids = [await pidOf(service), await pidOf(owner)];
  const [added, removed] = [meter(service, pids), meter(service, pids)];
  const bytes = async () =>
    (await row<{ bytes: number }>(owner.manager, `select pg_total_relation_size('${table}') as bytes`))!.bytes;
  const timeOf = (turn: number) => new Date(Date.now() - (2 * kept - turn) * 86_400_000).toISOString();
  const count = Math.ceil(perTurn / AT_ONCE) * AT_ONCE;
  const live = count * kept;
  let [dead, vacuums, full] = [0, 0, 0];
  const add = async (turn: number) => {
    for (let done = 0; done < count; done += AT_ONCE)
      for (const statement of insert) await rows(service.manager, statement, [timeOf(turn)]);
    return count;
  };
  const remove = async (turn: number) => {
    const before = `${age} < '${timeOf(turn - kept + 1)}'::timestamptz - interval '1 hour'`;
    while (await sweep(service.manager, { table, age, where: before }));
    // Marking an event leaves a dead row too.
    dead += count * insert.length;
    if (dead > vacuumAt * live) {
      await rows(owner.manager, `vacuum ${table}`);
      dead = 0;
      vacuums += 1;
    }
    return count;
  };
  for (let turn = 0; turn < 2 * kept; turn += 1) {
    await added.of(() => add(turn));
    if (turn >= kept) await removed.of(() => remove(turn));
    if (turn === kept - 1) {
      await rows(owner.manager, `vacuum ${table}`);
      full = await bytes();
    }
  }
  const left = (await row<{ n: number }>(owner.manager, `select count(*) as n from ${table}`))!.n;
  if (left !== live) throw new Error(`${left} rows are left instead of ${live}`);
  const each = ({ total: { wal, cpu, rows: done } }: ReturnType<typeof meter>) =>
    `${Math.round(wal / done)} bytes of WAL, ${((cpu / done) * 1e6).toFixed(1)} µs of CPU`;
  console.log(
    `  ${table}: ${live.toLocaleString('en')} rows live; ${Math.round(full / live)} bytes each when filled, ${Math.round((await bytes()) / live)} after all of them were replaced (${vacuums} vacuums)`,
  );
  console.log(`    a row: added ${each(added)}; removed, with its share of the vacuums, ${each(removed)}`);
}

/** What it costs to remove old rows one by one, which partitions by time would save. */
export async function benchAge(perTurn: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-age-'));
  const postgres = await startPostgres({ dataDir: folder, durable: true, log: () => undefined });
  try {
    const { wallet } = await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS });
    await migrate(wallet!.ownerUrl, new URL('../../services/wallet/migrations/', import.meta.url));
    const logger = createLogger('bench', 'silent');
    const open = (url: string) => openDatabase({ url, name: 'bench', pool: 1, logger });
    const [service, owner] = await Promise.all([open(wallet!.serviceUrl), open(wallet!.ownerUrl)]);
    for (const table of Object.keys(TABLES)) await churn(service, owner, table, perTurn);
    await Promise.all([service.close(), owner.close()]);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
