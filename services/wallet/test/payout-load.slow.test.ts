import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MAX_ITEMS } from '../src/batches/batch.ts';
import { MAX_LINES } from '../src/results/report.ts';
import { payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

const MIB = 2 ** 20;

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
});
afterAll(() => wallet.stop());

/** A file with the items of a batch and lines about unknown payouts, `MAX_LINES` together. */
const fileOf = (batch: number, ids: number[]) => {
  const lines = Array.from({ length: MAX_LINES }, (_, index) =>
    index < ids.length ? `W${ids[index]}-${batch},paid,B-${index},1000` : `W${index}-999,paid,,`,
  );
  return ['reference,status,provider_ref,amount', ...lines].join('\n');
};

test.each([
  ['one payout of each teacher', MAX_ITEMS],
  ['many payouts of few teachers', 3],
])(`${MAX_LINES} lines are read and applied with flat memory, with %s`, async (_what, teachers) => {
  const ids = await payouts.manyWithdrawals(MAX_ITEMS, { teachers });
  const batch = await payouts.exported(ids);
  const file = fileOf(batch, ids);
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const { body } = await payouts.results(batch, file);
  expect(body.counts).toMatchObject({ paid: MAX_ITEMS, unknown_reference: MAX_LINES - MAX_ITEMS });
  const applied = await payouts.apply(batch, body.import_id);
  const seconds = (performance.now() - start) / 1_000;
  expect(applied.body).toEqual({ applied: MAX_ITEMS, skipped: MAX_LINES - MAX_ITEMS });
  process.stderr.write(
    `read and applied in ${seconds.toFixed(1)} s, ${Math.round((process.memoryUsage().rss - before) / MIB)} MiB\n`,
  );
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * MIB);
  expect(await payouts.batch(batch)).toMatchObject({ status: 'closed', items: { paid: MAX_ITEMS } });
});
