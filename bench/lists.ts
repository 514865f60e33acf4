import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase, type Reader } from '@tutoring/shared/database/open';
import { createLogger } from '@tutoring/shared/logger';
import { sql } from '@tutoring/shared/testing/infra';
import { provision, startPostgres } from '../deploy/local/servers.ts';
import { createMoneyList } from '../services/wallet/src/records/list-store.ts';
import { load } from './identity/stand.ts';

const SIZES = [5_000, 200_000];
const SECONDS = 1;
const PASSWORDS = { wallet_owner: 'o'.repeat(24), wallet_service: 's'.repeat(24) };

/** Payments from `from` to `to`, of a user to each five; the texts of 1 in 1,000 hold `q9`, that of one `needle`. */
const fill = (from: number, to: number) => [
  `insert into user_copy select n, 'student', 'active', false, (array['Éric', 'Awa', 'María', 'Kofi', 'Aïcha', 'Yao'])[n % 6 + 1]
     || ' ' || substr(md5(n::text), 1, 6), 'u' || n || '@example.com', '+221' || 700000000 + n, 1
   from generate_series(${from / 5 + 1}, ${to / 5}) n`,
  `insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, method, created_at)
   select 's' || n, n / 5 + 1, case when n % 5 < 3 then 'call' else 'deposit' end, 'in', n, 'XOF',
     case when n % 100 = 4 then 'failed' else 'success' end, translate(md5(n::text), '0123456789', 'ghijklmnop'),
     case when n % 5 < 3 then 'video call' when n % 1000 = 4 then 'q9' when n = 1003 then 'needle' end,
     case when n % 5 >= 3 then 'card' end, now() - interval '700 days' + n * interval '10 seconds'
   from generate_series(${from + 1}, ${to}) n`,
];

const page = (items: number, share: number) => Math.max(1, Math.ceil((items / 15) * share));

/** Kinds of requests; those with `many` search a text that is in three of five rows. */
const KINDS: Record<string, (size: number) => Record<string, unknown>> = {
  'all, first page': () => ({}),
  'all, middle page': (size) => ({ page: page(size, 0.5) }),
  'all, last page': (size) => ({ page: page(size, 1) }),
  'a status, middle page': (size) => ({ status: 'failed', page: page(size / 100, 0.5) }),
  'type and status, last page': (size) => ({ type: 'call', status: 'success', page: page(size * 0.6, 1) }),
  'text that hits nothing': () => ({ filter_value: 'zebra' }),
  'text that hits one': () => ({ filter_value: 'needle' }),
  'two letters that hit nothing': () => ({ filter_value: '~~' }),
  'two letters that hit 1 in 1,000': () => ({ filter_value: 'q9' }),
  'text that hits many, first page': () => ({ filter_value: 'video' }),
  'text that hits many, middle page': (size) => ({ filter_value: 'video', page: page(size * 0.6, 0.5) }),
};

async function measure(reader: Reader, size: number) {
  const list = createMoneyList({ table: 'payment', columns: '*' });
  const figures: Record<string, { first: number; p99: number; total: number }> = {};
  for (const [kind, bodyOf] of Object.entries(KINDS)) {
    const ask = () => list(reader, bodyOf(size));
    const began = performance.now();
    const { total } = await ask();
    const first = performance.now() - began;
    figures[kind] = { first, total, p99: (await load(1, SECONDS, ask)).p99 };
  }
  return figures;
}

/**
 * `npm run bench -- lists [sizes]`: p99 of pages of payments by the number of payments, and the ratio to the first size.
 * `first` is the first of its kind: above 100,000 hits the count of a text is kept for a minute.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : SIZES;
  const folder = await mkdtemp(join(tmpdir(), 'bench-lists-'));
  const postgres = await startPostgres({ dataDir: folder, durable: false, log: () => undefined });
  try {
    const { wallet } = await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS });
    if (!wallet) throw new Error('no database');
    await migrate(wallet.ownerUrl, new URL('../services/wallet/migrations/', import.meta.url));
    const logger = createLogger('bench', 'silent');
    const database = await openDatabase({ url: wallet.serviceUrl, name: 'bench', pool: 10, logger });
    let filled = 0;
    let small: Awaited<ReturnType<typeof measure>> | undefined;
    for (const size of sizes) {
      for (const statement of fill(filled, size)) await sql(wallet.ownerUrl, statement);
      await sql(wallet.ownerUrl, `select settle_tally('payment', 1000000)`);
      for (const table of ['payment', 'payment_tally', 'user_copy'])
        await sql(wallet.ownerUrl, `vacuum analyze ${table}`);
      filled = size;
      console.log(`${size.toLocaleString('en')} payments`);
      const figures = await measure(database.manager, size);
      small ??= figures;
      for (const [kind, { first, p99, total }] of Object.entries(figures)) {
        const ratio = p99 / (small[kind]?.p99 ?? p99);
        console.log(
          `  ${kind.padEnd(34)} total ${String(total).padStart(8)}  first ${first.toFixed(1).padStart(7)} ms  p99 ${p99.toFixed(1).padStart(6)} ms  ${ratio.toFixed(1)} x`,
        );
      }
    }
    await database.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
