import { openDatabase, type Database, type Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { createLogger } from '@tutoring/shared/process/logger';
import { statusTotals } from '../services/wallet/src/stats/stats-store.ts';
import { withWallets } from './wallet-place.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const READS = 50;
const WRITERS = 16;
const TURNS = 4;
const TURN_MS = 1_500;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The median time of one look. */
async function cost(database: Database, work: (tx: Tx) => Promise<unknown>): Promise<string> {
  const took: number[] = [];
  for (let nr = 0; nr < READS; nr += 1) {
    const began = performance.now();
    await database.transact(work);
    took.push(performance.now() - began);
  }
  return `${median(took).toFixed(2)} ms`;
}

const bySize = async (database: Database, size: number) => {
  const fill = (tx: Tx) =>
    rows(
      tx,
      `insert into deposit (user_id, amount, currency, status, provider)
     select g, 10, 'XOF', (array['initiated', 'pending', 'success', 'failed', 'canceled'])[g % 5 + 1], 'sandbox'
     from generate_series((select count(*) from deposit) + 1, ${size}) g`,
    );
  await database.transact(fill, { statementMs: 600_000 });
  await database.source.query('vacuum analyze deposit');
  const counting = (tx: Tx) => rows(tx, 'select status, count(*), sum(amount) from deposit group by status');
  const told = await cost(database, (tx) => statusTotals(tx, 'deposit'));
  console.log(`${size} | ${await cost(database, counting)} | ${told}`);
};

/** Writers that change deposits' statuses, each its own rows, in turns with the counters and without. */
async function byWriters(database: Database): Promise<void> {
  const rates: Record<string, number[]> = { with: [], without: [] };
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const way of ['with', 'without']) {
      await rows(database.manager, `alter table deposit ${way === 'with' ? 'enable' : 'disable'} trigger user`);
      const end = performance.now() + TURN_MS;
      let done = 0;
      const write = async (writer: number) => {
        for (let nr = 1; performance.now() < end; nr += 1, done += 1)
          await database.transact((tx) =>
            rows(
              tx,
              `update deposit set status = case status when 'failed' then 'canceled' else 'failed' end where id = $1`,
              [writer * 500 + (nr % 500) + 1],
            ),
          );
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
      rates[way]?.push((done / TURN_MS) * 1_000);
    }
  const slots = await row<{ most: number }>(
    database.manager,
    'select max(slots) as most from (select count(*) as slots from tally group by name) t',
  );
  const [having, lacking] = [median(rates['with'] ?? []), median(rates['without'] ?? [])];
  console.log(
    `${WRITERS} writers: ${having.toFixed(0)} changes of status a second with counters, ${lacking.toFixed(0)} without, ` +
      `ratio ${(having / lacking).toFixed(2)}; at most ${slots?.most} slots of a counter`,
  );
}

/** `npm run bench -- statistics`: totals of deposits by status, counted and from the counters, and what these cost. */
export async function run(): Promise<void> {
  await withWallets([''], async ([place]) => {
    const logger = createLogger('bench', 'silent');
    const database = await openDatabase({ url: place!.ownerUrl, name: 'bench', pool: WRITERS, logger });
    try {
      // For searches; its upkeep would take longer than the bench.
      await rows(database.manager, 'drop index deposit_find');
      console.log('deposits | counting takes | the counters take');
      for (const size of SIZES) await bySize(database, size);
      await byWriters(database);
    } finally {
      await database.close();
    }
  });
}
