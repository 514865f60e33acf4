import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serviceConfig } from '../contract/config.ts';
import { rows } from '../kit/database/sql.ts';
import { publish } from '../contract/publish.ts';
import { retryDeadLetters } from '../kit/events/consume/retry.ts';
import { on } from '../contract/subscriptions.ts';
import { defineService } from '../contract/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { eventually } from '../testing/wait.ts';

let broken: string | undefined = 'poison';
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
          if (name === broken) throw new Error('a bug');
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

/** Publishes an event of this setting, and waits until it is a dead letter. */
async function bury(name: string): Promise<void> {
  await service.service.database.transact((tx) =>
    publish(tx, [{ name: 'setting.changed', data: { name, value: 1, version: 1 } }]),
  );
  await eventually('a dead letter', async () => (await letters()).length === 1);
}

test('retried dead letters stay dead letters until their bug is fixed, and then take effect once', async () => {
  await bury('poison');
  expect(await retry('user.changed')).toBe(0);
  expect(await retry('setting.changed')).toBe(1);
  // The bug is still there.
  await eventually('a dead letter', async () => (await letters()).length === 1);
  expect(await consumed()).toEqual([]);

  broken = undefined;
  expect(await retry()).toBe(1);
  await eventually('the event is consumed', async () => (await consumed()).length > 0);
  expect(await letters()).toEqual([]);
  expect(await retry()).toBe(0);
  expect(await consumed()).toEqual(['poison']);
});

test('a dead letter that fails again after a retry which ended before the deletion is not lost', async () => {
  broken = 'venom';
  await bury('venom');
  const time = async () => (await service.rows<{ at: string }>('select created_at as at from dead_letter'))[0]!.at;
  const first = await time();
  await service.asOwner(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
     create trigger refuse before delete on dead_letter for each row execute function refuse()`,
  );
  await expect(retry()).rejects.toThrow('refused');
  await service.asOwner('drop trigger refuse on dead_letter');
  await eventually('it is a dead letter again', async () => (await time()) !== first);

  broken = undefined;
  expect(await retry()).toBe(1);
  await eventually('the event is consumed', async () => (await consumed()).includes('venom'));
  expect(await letters()).toEqual([]);
});
