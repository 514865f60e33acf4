import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceConfig } from '../contract/config.ts';
import { rows } from '../kit/database/sql.ts';
import { publish } from '../contract/publish.ts';
import { retryDeadLetters } from '../kit/events/consume/retry.ts';
import { on } from '../contract/subscriptions.ts';
import { defineService } from '../contract/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';

let broken = true;
let service: TestService;

beforeAll(async () => {
  const definition = defineService({
    name: 'wallet',
    config: serviceConfig,
    migrations: new URL('../../services/wallet/migrations/', import.meta.url),
    build: () => ({
      routes: [],
      subscriptions: [
        on('setting.changed', async (tx, { name }) => {
          if (broken && name === 'poison') throw new Error('a bug');
          const insert = `insert into idempotency_key (caller, scope, key, fingerprint) values ('consumed', 'test', $1, '')`;
          await rows(tx, insert, [name]);
        }),
      ],
    }),
  });
  service = await startTestService(definition);
});
afterAll(() => service.stop());

const letters = () => service.rows<{ name: string }>('select name from dead_letter');
const consumed = async () =>
  (await service.rows<{ key: string }>(`select key from idempotency_key where scope = 'test'`)).map(({ key }) => key);
const retry = (name?: string) =>
  retryDeadLetters({
    consumer: 'wallet',
    name,
    manager: service.service.database.manager,
    bus: service.service.bus,
  });

test('retried dead letters stay dead letters until their bug is fixed, and then take effect once', async () => {
  await service.service.database.transact((tx) =>
    publish(tx, [{ name: 'setting.changed', data: { name: 'poison', value: 1, version: 1 } }]),
  );
  const buried = () => eventually('a dead letter', async () => (await letters()).length === 1);
  await buried();
  expect(await retry('user.changed')).toBe(0);
  expect(await retry('setting.changed')).toBe(1);
  // The bug is still there.
  await buried();
  expect(await consumed()).toEqual([]);

  broken = false;
  expect(await retry()).toBe(1);
  await eventually('the event is consumed', async () => (await consumed()).length > 0);
  expect(await letters()).toEqual([]);
  expect(await retry()).toBe(0);
  expect(await consumed()).toEqual(['poison']);
});
