import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROVIDERS } from '../src/providers/registry.ts';
import { payoutsOf, type Payouts } from './payouts.ts';
import type { Wallet } from './wallet.ts';

/* An installation whose providers take deposits and pay nobody. */

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  const sandbox = PROVIDERS.pop()!;
  const withoutPayouts: typeof sandbox = {
    ...sandbox,
    create: async (config) => {
      const { payouts: _, ...provider } = (await sandbox.create(config))!;
      return provider;
    },
  };
  PROVIDERS.push(withoutPayouts);
  const { startWallet } = await import('./wallet.ts');
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
});
afterAll(() => wallet.stop());

test('makes no batch for a provider, and claims nothing', async () => {
  const [id] = await payouts.manyWithdrawals(1, { method: 'momo' });
  const { status, body } = await payouts.make([id!], { format: 'provider' });
  expect([status, body.message]).toEqual([
    409,
    `No payment provider pays out by the method of withdrawal ${id!}. Nothing was changed.`,
  ]);
  expect(await payouts.status(id!)).toBe('initiated');
});

test('does not export a batch that was made while a provider paid, and its payouts can still be settled', async () => {
  const ids = await payouts.manyWithdrawals(2, { method: 'momo' });
  const batch = (await payouts.make(ids)).body.id;
  await wallet.service.asOwner(`update payout_batch set format = 'provider' where id = $1`, [batch]);
  await payouts.act(batch, 'approve');
  const { status, body } = await payouts.act(batch, 'export');
  expect([status, body.message]).toEqual([409, expect.stringContaining('No payment provider pays out')]);
  expect((await payouts.batch(batch)).items).toMatchObject({ waiting: 2, sent: 0 });
  expect((await payouts.act(batch, 'cancel')).body.status).toBe('canceled');
});

test('lets a person settle what was sent to a provider that is gone, once it is overdue', async () => {
  const batch = await payouts.exported(await payouts.manyWithdrawals(1, { method: 'momo' }));
  const [{ id }] = await payouts.items(batch);
  const leave = (overdue: string) =>
    wallet.service.asOwner(
      `update payout_item set provider = 'gone', payout_key = 'k', sending_at = app_now(),
         ask_at = app_now() + $2::interval where id = $1`,
      [id, overdue],
    );
  const settle = async () =>
    (await payouts.settle(batch, id, { status: 'failed', message: 'The operator is closed.' })).status;
  await leave('1 hour');
  expect(await settle()).toBe(409);
  await leave('-1 second');
  expect(await settle()).toBe(200);
});
