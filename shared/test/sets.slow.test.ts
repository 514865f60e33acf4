import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { serviceConfig } from '../src/process/config.ts';
import { saveNewerSet } from '../src/database/copies.ts';
import type { Tx } from '../src/database/open.ts';
import { rows } from '../src/database/sql.ts';
import { AppError } from '../src/errors.ts';
import { markPublished } from '../src/events/publish/outbox.ts';
import { on, onSnapshots, type Subscription } from '../src/events/consume/subscription.ts';
import { createLogger } from '../src/process/logger.ts';
import { defineService, startService, type RunningService } from '../src/service.ts';
import { startTestService, type TestService } from '../src/testing/service.ts';
import { eventually } from '../src/testing/wait.ts';

/* A consumer takes what has arrived in together: one transaction, all or none. */

const consuming = (subscriptions: Subscription[] = []) =>
  defineService({
    name: 'wallet',
    config: serviceConfig,
    migrations: new URL('../../services/wallet/migrations/', import.meta.url),
    build: () => ({ routes: [], subscriptions }),
  });

/** Has the database and the streams, and consumes nothing itself. */
let service: TestService;
const replicas: RunningService[] = [];
beforeEach(async () => {
  service = await startTestService(consuming());
});
afterEach(async () => {
  for (const replica of replicas.splice(0)) await replica.stop();
  await service.stop();
});

async function join(subscription: Subscription): Promise<RunningService> {
  const logger = createLogger('wallet', 'silent');
  const replica = await startService(consuming([subscription]), service.config, logger);
  replicas.push(replica);
  return replica;
}

interface Setting {
  name: string;
  version: number;
  id?: string;
}

async function publishSettings(settings: Setting[]): Promise<void> {
  const { js, subject } = service.service.bus;
  await Promise.all(
    settings.map(async ({ name, version, id = randomUUID() }) => {
      const data = { name, value: version, version };
      const message = { id, name: 'setting.changed', data, context: {}, created_at: new Date().toISOString() };
      await js.publish(subject('events.setting.changed'), JSON.stringify(message));
    }),
  );
}
const versions = (name: string, last: number): Setting[] =>
  Array.from({ length: last }, (_none, index) => ({ name, version: index + 1 }));

const SAVE = saveNewerSet('setting_copy', ['name'], ['name', 'value', 'version']);
const copies = onSnapshots('setting.changed', (tx, settings) => rows(tx, SAVE, [JSON.stringify(settings)]));

/** Counts how often each value took effect, and in which order. */
const WRITE = `insert into idempotency_key (caller, scope, key, fingerprint) values ('consumed', $1, uuidv7()::text, $2)`;
const write = (tx: Tx, { name, version }: Setting) => rows(tx, WRITE, [name, String(version)]);
const effects = async (name: string) =>
  (
    await service.rows<{ version: string }>(
      'select fingerprint as version from idempotency_key where scope = $1 order by key',
      [name],
    )
  ).map(({ version }) => Number(version));

const consumed = async () => (await service.rows<{ n: number }>('select count(*) as n from inbox'))[0]!.n;
const transactions = async () =>
  (await service.rows<{ n: number }>('select count(distinct xmin::text) as n from inbox'))[0]!.n;
const haveConsumed = (count: number) => eventually(`${count} are consumed`, async () => (await consumed()) === count);

test('events that wait are taken in together, each noun keeps its newest version', async () => {
  await publishSettings([...versions('one', 100), ...versions('two', 100), ...versions('three', 40)]);
  await join(copies);
  await haveConsumed(240);
  // A few, as they come from the broker; one by one they would be 240.
  expect(await transactions()).toBeLessThan(80);
  expect(await service.rows('select name, value from setting_copy order by name')).toEqual([
    { name: 'one', value: 100 },
    { name: 'three', value: 40 },
    { name: 'two', value: 100 },
  ]);
});

test('an event that is in a set twice, or in the inbox already, has one effect', async () => {
  const [known, twice] = [randomUUID(), randomUUID()];
  await service.rows(`insert into inbox (consumer, event_id) values ('wallet', $1)`, [known]);
  await publishSettings([
    ...versions('other', 20),
    { name: 'noun', version: 1, id: twice },
    { name: 'noun', version: 2, id: known },
    { name: 'noun', version: 1, id: twice },
    { name: 'noun', version: 3 },
  ]);
  await join(on('setting.changed', async (tx, setting) => void (await write(tx, setting))));
  await haveConsumed(23);
  expect(await effects('noun')).toEqual([1, 3]);
});

test('a poisonous event takes nothing with it: the rest of its set has its effect once, in order', async () => {
  await publishSettings([...versions('noun', 30), { name: 'poison', version: 1 }, ...versions('noun', 60).slice(30)]);
  await join(
    on('setting.changed', async (tx, setting) => {
      await write(tx, setting);
      if (setting.name === 'poison') throw new Error('a bug');
    }),
  );
  const dead = () => service.rows<{ message: object }>('select message from dead_letter');
  await eventually('a dead letter', async () => (await dead()).length === 1);
  expect(await effects('poison')).toEqual([]);
  expect(await effects('noun')).toEqual(versions('noun', 60).map(({ version }) => version));
  expect((await dead())[0]!.message).toMatchObject({ name: 'setting.changed', data: { name: 'poison' } });
  expect(await consumed()).toBe(60);
});

test('an event that waits for another service keeps nothing else of its set waiting, however long', async () => {
  await publishSettings([...versions('noun', 30), { name: 'asks', version: 1 }, ...versions('noun', 60).slice(30)]);
  let isAway = true;
  await join(
    on('setting.changed', async (tx, setting) => {
      await write(tx, setting);
      if (setting.name === 'asks' && isAway) throw new AppError('unavailable', 'identity is away');
    }),
  );
  await haveConsumed(60);
  expect(await effects('noun')).toEqual(versions('noun', 60).map(({ version }) => version));
  isAway = false;
  await haveConsumed(61);
  expect(await effects('asks')).toEqual([1]);
  expect(await service.rows('select from dead_letter union all select from event_failure')).toEqual([]);
});

test('a set whose replica is lost between commit and acknowledgement has no second effect', async () => {
  await publishSettings(versions('noun', 30));
  const ready = Promise.withResolvers<void>();
  const first = await join(
    on('setting.changed', async (tx, setting) => {
      await ready.promise;
      await write(tx, setting);
      markPublished(tx, ['events.setting.changed']);
    }),
  );
  // At the commit: what is acknowledged from now on goes nowhere.
  first.database.onPublished(() => {
    void first.bus.close();
    void first.bus.connection.close();
  });
  ready.resolve();
  await eventually('something is consumed', async () => (await consumed()) > 0);
  const begun = await consumed();
  await join(on('setting.changed', async (tx, setting) => void (await write(tx, setting))));
  await publishSettings([{ name: 'after', version: 1 }]);
  await eventually('nothing is in flight', async () => {
    const { bus } = service.service;
    const { num_ack_pending, num_pending } = await bus.jsm.consumers.info(bus.named('events'), bus.named('wallet'));
    return num_ack_pending + num_pending === 0;
  });
  expect(await effects('noun')).toEqual(versions('noun', 30).map(({ version }) => version));
  expect(await effects('after')).toEqual([1]);
  const { bus } = service.service;
  const { delivered } = await bus.jsm.consumers.info(bus.named('events'), bus.named('wallet'));
  expect(delivered.consumer_seq).toBeGreaterThanOrEqual(31 + begun);
});

test('two replicas that share the events end with the newest version of each noun', async () => {
  const names = Array.from({ length: 25 }, (_none, index) => `noun ${index}`);
  await Promise.all([join(copies), join(copies)]);
  for (let version = 1; version <= 40; version += 1) await publishSettings(names.map((name) => ({ name, version })));
  await haveConsumed(1_000);
  expect(await service.rows('select distinct value, version from setting_copy where name = any($1)', [names])).toEqual([
    { value: 40, version: 40 },
  ]);
  expect(await service.rows('select from dead_letter union all select from event_failure')).toEqual([]);
});
