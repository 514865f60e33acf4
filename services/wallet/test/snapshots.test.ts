import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalogue, type EventName } from '@tutoring/shared/contract/events';
import { startWallet, type Wallet } from './wallet.ts';

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
  await wallet.topUp(1, 5000);
  await wallet.service.api.student(1).post('/api/deposits', { amount: 300 });
  await wallet.charge({ call: 'c', step: 1, student: 1, teacher: 2, amount: 2000, percent: 10, next: 50 });
  for (const amount of [500, 20]) await wallet.service.api.admin('su').post('/api/admin/calls/c/refund', { amount });
  await wallet.withdraw(2, 1000);
});
afterAll(() => wallet.stop());

test.each<[EventName, number]>([
  ['balance.changed', 2],
  ['deposit.changed', 2],
  ['withdrawal.changed', 1],
  ['refunds.changed', 1],
])('events resync publishes %s with the data of its last event', async (name, count) => {
  const { service } = wallet.service;
  const { schema, key } = catalogue[name];
  const last = new Map<unknown, unknown>();
  for (const data of await wallet.service.published(name)) last.set((data as Record<string, unknown>)[key], data);
  const snapshots: unknown[] = [];
  const all = await service.parts.snapshots![name]!(service.database.manager);
  for await (const item of all) snapshots.push(schema.parse(item));
  expect(snapshots).toHaveLength(count);
  expect(snapshots).toEqual(expect.arrayContaining([...last.values()]));
});
