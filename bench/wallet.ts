import { rows } from '@tutoring/shared/kit/database/sql';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { pageWindow } from '@tutoring/shared/kit/http/declare/page';
import { openDatabase, type Database, type Tx } from '@tutoring/shared/kit/database/open';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { startService } from '@tutoring/shared/kit/service';
import { signerTowards, testKeys } from '@tutoring/shared/testing/keys';
import { wallet } from '../services/wallet/src/app.ts';
import { createCharging } from '../services/wallet/src/charges/charge-service.ts';
import { listTransactions } from '../services/wallet/src/ledger/statement-store.ts';
import { createPaymentList } from '../services/wallet/src/payments/payment-store.ts';
import { provision, startNats, startPostgres } from '../deploy/local/servers.ts';
import { randomCharge, chargeScript, seedPeople } from './wallet-charges.ts';

const PEOPLE = { students: 20_000, teachers: 4_000 };
const CONNECTIONS = [1, 16, 64];
const SECRET = '0123456789abcdef0123456789abcdef';
const logger = createLogger('bench', 'silent');
const print = (line: string) => console.log(line);

interface Bench {
  adminUrl: string;
  natsUrl: string;
  folder: string;
}
interface DatabaseUrls {
  serviceUrl: string;
  ownerUrl: string;
}

const open = (url: string, pool = 10) => openDatabase({ url, name: 'bench', pool, logger });

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await open(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function newDatabase({ adminUrl }: Bench, prefix: string, seed: string[]): Promise<DatabaseUrls> {
  const passwords = { wallet_owner: 'owner-of-the-bench', wallet_service: 'service-of-the-bench' };
  const urls = (await provision(adminUrl, { names: ['wallet'], passwords, prefix }))['wallet'];
  if (!urls) throw new Error('no database');
  await migrate(urls.ownerUrl, new URL('../services/wallet/migrations/', import.meta.url));
  await withDatabase(urls.ownerUrl, async ({ manager, transact }) => {
    const fill = async (tx: Tx) => {
      for (const statement of seed) await rows(tx, statement);
    };
    await transact(fill, { statementMs: 600_000 });
    for (const table of ['account', 'hold', 'payment', 'transfer']) await rows(manager, `vacuum analyze ${table}`);
  });
  return urls;
}

/** (a) pgbench: the reads and writes of one charge per transaction. */
async function byPgbench(urls: DatabaseUrls, script: string, connections: number, seconds: number): Promise<number> {
  const { stdout } = await promisify(execFile)('pgbench', [
    ...['-n', '-M', 'prepared', '-f', script, '-T', String(seconds)],
    ...['-c', String(connections), '-j', String(Math.min(connections, 2)), urls.serviceUrl],
  ]);
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** (b) The wallet's charging code, in this process. */
const inProcess = (urls: DatabaseUrls, connections: number, seconds: number) =>
  withDatabase(urls.serviceUrl, async (database) => {
    const charge = createCharging({ database, currency: 'XOF' });
    const end = Date.now() + seconds * 1000;
    let done = 0;
    const charging = async () => {
      for (; Date.now() < end; done += 1) await charge(randomCharge(PEOPLE));
    };
    await Promise.all(Array.from({ length: connections }, charging));
    return done / seconds;
  });

/** (c) The whole service, called over HTTP from another thread, while events are relayed to NATS. */
async function overHttp({ natsUrl }: Bench, urls: DatabaseUrls, connections: number, seconds: number): Promise<number> {
  const env = {
    ...{ LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'http://localhost', NATS_URL: natsUrl },
    ...{ IDENTITY_URL: 'http://localhost:9', ...testKeys('wallet'), SANDBOX_WEBHOOK_SECRET: SECRET },
    DATABASE_URL: urls.serviceUrl,
  };
  const service = await startService(wallet, parseConfig(wallet.config, env), logger);
  try {
    const workerData = {
      port: Number(new URL(service.url).port),
      identity: signerTowards('wallet').sign({ kind: 'service', name: 'calls' }),
      connections,
      seconds,
      people: PEOPLE,
    };
    return await new Promise<number>((resolve, reject) => {
      const worker = new Worker(new URL('./wallet-load.ts', import.meta.url), { workerData });
      worker.once('message', resolve).once('error', reject);
    });
  } finally {
    await service.stop();
  }
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function benchCharges(bench: Bench, seconds: number, rounds: number): Promise<void> {
  const urls = await newDatabase(bench, '', seedPeople(PEOPLE));
  const script = join(bench.folder, 'charge.sql');
  await writeFile(script, chargeScript(PEOPLE));
  print(`charges per second, median of ${rounds} alternating rounds of ${seconds} s each, fsync on`);
  print('connections | (a) pgbench | (b) in process | (c) over HTTP | b/a | c/a');
  for (const connections of CONNECTIONS) {
    const methods = [
      () => byPgbench(urls, script, connections, seconds),
      () => inProcess(urls, connections, seconds),
      () => overHttp(bench, urls, connections, seconds),
    ];
    const rates: number[][] = methods.map(() => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [method, measure] of methods.entries()) {
        await withDatabase(urls.ownerUrl, ({ manager }) => rows(manager, 'truncate outbox'));
        rates[method]?.push(await measure());
      }
    }
    const [a = 0, b = 0, c = 0] = rates.map(median);
    const figures = [...[a, b, c].map(Math.round), (b / a).toFixed(2), (c / a).toFixed(2)];
    print([connections, ...figures].join(' | '));
  }
}

/** SQL for users with 100 transfers and 50 payments each. */
const seedHistory = (transfers: number) => [
  `insert into account (user_id, balance) select n, 1000 from generate_series(1, ${transfers / 100}) n`,
  `insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
   select 'deposit', 'deposit:' || n || ':1', -10, n % ${transfers / 100} + 1, 10, now() from generate_series(1, ${transfers}) n`,
  `insert into payment (source, user_id, type, direction, amount, currency, status, ref, created_at, updated_at)
   select 'deposit:' || n, n % ${transfers / 100} + 1, 'deposit', 'in', 10, 'XOF', 'success', 'ref-' || n, now(), now()
   from generate_series(1, ${transfers / 2}) n`,
];

async function p99(times: number, work: (nr: number) => Promise<unknown>): Promise<number> {
  for (let nr = 0; nr < 200; nr += 1) await work(nr);
  const taken: number[] = [];
  for (let nr = 0; nr < times; nr += 1) {
    const start = performance.now();
    await work(nr);
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times * 0.99)] ?? Number.NaN;
}

async function benchLists(bench: Bench): Promise<void> {
  const sizes = [1_000, 1_000_000];
  const databaseUrls = [];
  for (const size of sizes) databaseUrls.push(await newDatabase(bench, `size${size}_`, seedHistory(size)));
  const databases = await Promise.all(databaseUrls.map(({ serviceUrl }) => open(serviceUrl, 2)));
  const any = (size: number) => 1 + Math.floor(Math.random() * (size / 100));
  const lists: [string, (database: Database, size: number) => (nr: number) => Promise<unknown>][] = [
    [
      'statement page',
      ({ manager }, size) =>
        () =>
          listTransactions(manager, any(size), { before: 2 ** 50, limit: 50 }),
    ],
    [
      "a user's payments",
      ({ manager }, size) => {
        const list = createPaymentList();
        return () => list(manager, { user_id: any(size) }, pageWindow({}));
      },
    ],
    [
      'all payments',
      ({ manager }) => {
        const list = createPaymentList();
        return (nr) => list(manager, {}, pageWindow({ page: 1 + (nr % 10) }));
      },
    ],
  ];
  print(`p99 in ms at ${sizes.join(' and ')} transfers`);
  for (const [name, reading] of lists) {
    const found: number[][] = sizes.map(() => []);
    for (let round = 0; round < 5; round += 1)
      for (const [index, database] of databases.entries())
        found[index]?.push(await p99(1_000, reading(database, sizes[index] ?? 0)));
    const [small = 0, large = 0] = found.map(median);
    print(`${name}: ${small.toFixed(2)} and ${large.toFixed(2)}, ratio ${(large / small).toFixed(2)}`);
  }
  await Promise.all(databases.map((database) => database.close()));
}

/** `npm run bench -- wallet [seconds a round] [rounds] [charges | lists]` */
export async function run([seconds = '3', rounds = '3', only]: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'wallet-bench-'));
  const options = { durable: true, log: () => undefined };
  const postgres = await startPostgres({ ...options, dataDir: join(folder, 'postgres') });
  const nats = await startNats({ ...options, dataDir: join(folder, 'nats') });
  try {
    const bench = { adminUrl: postgres.url, natsUrl: nats.url, folder };
    if (only !== 'lists') await benchCharges(bench, Number(seconds), Number(rounds));
    if (only !== 'charges') await benchLists(bench);
  } finally {
    await nats.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
