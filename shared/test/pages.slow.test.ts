import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { serviceConfig } from '../src/process/config.ts';
import { saveNewerSet } from '../src/database/copies.ts';
import type { Tx } from '../src/database/open.ts';
import { rows } from '../src/database/sql.ts';
import { AppError } from '../src/errors.ts';
import { resync } from '../src/events/operate/resync.ts';
import { on, onSnapshots, type Subscription } from '../src/events/consume/subscription.ts';
import { createLogger } from '../src/process/logger.ts';
import { defineService, startService, type RunningService } from '../src/service.ts';
import { startTestService, type TestService } from '../src/testing/service.ts';
import { eventually } from '../src/testing/wait.ts';

/* What is published again for one service comes in pages: a page is taken in like a set, and each of its events counts. */

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

async function join(subscription: Subscription): Promise<void> {
  const logger = createLogger('wallet', 'silent');
  replicas.push(await startService(consuming([subscription]), service.config, logger));
}

interface Setting {
  name: string;
  version: number;
}
const versions = (name: string, last: number): Setting[] =>
  Array.from({ length: last }, (_none, index) => ({ name, version: index + 1 }));
const nouns = (version: number, count: number): Setting[] =>
  Array.from({ length: count }, (_none, index) => ({ name: `noun ${index}`, version }));

/** Publishes these settings again. */
const resyncSettings = (settings: Setting[]) =>
  resync({
    name: 'setting.changed',
    consumer: 'wallet',
    snapshots: {
      'setting.changed': async function* () {
        for (const { name, version } of settings) yield await Promise.resolve({ name, value: version, version });
      },
    },
    manager: service.service.database.manager,
    bus: service.service.bus,
  });

const SAVE = saveNewerSet('setting_copy', ['name'], ['name', 'value', 'version']);
const copies = onSnapshots('setting.changed', (tx, settings) => rows(tx, SAVE, [JSON.stringify(settings)]));
/** Counts how often each version took effect, and in which order. */
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
const haveConsumed = (count: number) => eventually(`${count} are consumed`, async () => (await consumed()) === count);
const published = async () => {
  const { jsm, named } = service.service.bus;
  return (await jsm.streams.info(named('events'))).state;
};

test('a thousand nouns are a few messages, each taken in by one transaction', async () => {
  expect(await resyncSettings(nouns(1, 1_000))).toBe(1_000);
  expect((await published()).messages).toBe(4);
  await join(copies);
  await haveConsumed(1_000);
  expect(await service.rows('select count(distinct xmin::text)::int as n from inbox')).toEqual([{ n: 4 }]);
  expect(await service.rows('select count(*)::int as n from setting_copy')).toEqual([{ n: 1_000 }]);
});

test('pages of long events stay below the largest message of the broker', async () => {
  const long = Array.from({ length: 20 }, (_none, index) => ({ name: `${index}${'€'.repeat(100_000)}`, version: 1 }));
  expect(await resyncSettings(long)).toBe(20);
  expect((await published()).messages).toBe(10);
});

test('a poisonous event takes nothing of its page with it, and goes to the dead letters alone', async () => {
  await resyncSettings([...versions('noun', 30), { name: 'poison', version: 1 }, ...versions('noun', 60).slice(30)]);
  await join(
    on('setting.changed', async (tx, setting) => {
      await write(tx, setting);
      if (setting.name === 'poison') throw new Error('a bug');
    }),
  );
  const dead = () => service.rows<{ message: object }>('select message from dead_letter');
  await eventually('a dead letter', async () => (await dead()).length === 1);
  await haveConsumed(60);
  expect(await effects('poison')).toEqual([]);
  expect((await effects('noun')).sort((one, other) => one - other)).toEqual(
    versions('noun', 60).map(({ version }) => version),
  );
  expect((await dead())[0]!.message).toMatchObject({ name: 'setting.changed', data: { name: 'poison' } });
  await eventually('the page is settled', async () => {
    const { jsm, named } = service.service.bus;
    return (await jsm.consumers.info(named('events'), named('wallet-resync'))).num_ack_pending === 0;
  });
});

test('two poisonous events of a page that fail in different rounds both go to the dead letters', async () => {
  await resyncSettings([...versions('noun', 2), { name: 'poison', version: 1 }, { name: 'waits', version: 1 }]);
  let tries = 0;
  await join(
    on('setting.changed', async (tx, setting) => {
      await write(tx, setting);
      if (setting.name === 'waits' && ++tries <= 2) throw new AppError('unavailable', 'identity is away');
      if (setting.name !== 'noun') throw new Error('a bug');
    }),
  );
  const letters = async () =>
    (await service.rows<{ name: string }>(`select message #>> '{data,name}' as name from dead_letter order by id`)).map(
      ({ name }) => name,
    );
  await eventually('both are dead letters', async () => (await letters()).length === 2);
  expect(await letters()).toEqual(['poison', 'waits']);
  await eventually('nothing is to be tried again', async () => {
    const { jsm, named } = service.service.bus;
    const consumers = ['wallet-resync', 'wallet-resync'].map((name) =>
      jsm.consumers.info(named('events'), named(name)),
    );
    return (await Promise.all(consumers)).every((consumer) => consumer.num_ack_pending + consumer.num_pending === 0);
  });
  expect(await service.rows('select from event_failure')).toEqual([]);
  expect(await effects('noun')).toEqual([1, 2]);
});

test('an event that waits for another service keeps nothing else of its page waiting', async () => {
  await resyncSettings([...versions('noun', 30), { name: 'asks', version: 1 }, ...versions('noun', 60).slice(30)]);
  let isAway = true;
  await join(
    on('setting.changed', async (tx, setting) => {
      await write(tx, setting);
      if (setting.name === 'asks' && isAway) throw new AppError('unavailable', 'identity is away');
    }),
  );
  await haveConsumed(60);
  isAway = false;
  await haveConsumed(61);
  expect(await effects('asks')).toEqual([1]);
  expect(await effects('noun')).toEqual(versions('noun', 60).map(({ version }) => version));
  expect(await service.rows('select from dead_letter union all select from event_failure')).toEqual([]);
});

test('two replicas, a repeated resync and new events beside it leave the newest version of each noun', async () => {
  await Promise.all([join(copies), join(copies)]);
  const { js, subject } = service.service.bus;
  const change = ({ name, version }: Setting) => {
    const data = { name, value: version, version };
    const event = {
      id: randomUUID(),
      name: 'setting.changed',
      data,
      context: {},
      created_at: new Date().toISOString(),
    };
    return js.publish(subject('events.setting.changed'), JSON.stringify(event));
  };
  await Promise.all([resyncSettings(nouns(1, 600)), ...nouns(3, 300).map(change), resyncSettings(nouns(2, 600))]);
  await haveConsumed(1_500);
  expect(
    await service.rows(
      'select version, count(*)::int as n from setting_copy where value = version group by 1 order by 1',
    ),
  ).toEqual([
    { version: 2, n: 300 },
    { version: 3, n: 300 },
  ]);
  expect(await service.rows('select from dead_letter union all select from event_failure')).toEqual([]);
});

test('a replica that stops in the middle of a page: another one takes it in, each event once', async () => {
  const gate = Promise.withResolvers<void>();
  let isReached = false;
  await resyncSettings(versions('noun', 300));
  await join(
    on('setting.changed', async (tx, setting) => {
      if (setting.version === 100) {
        isReached = true;
        await gate.promise;
        throw new AppError('unavailable', 'stopped');
      }
      await write(tx, setting);
    }),
  );
  await eventually('it is in the middle', () => isReached);
  const stopped = replicas.splice(0)[0]!.stop();
  gate.resolve();
  await stopped;
  await join(on('setting.changed', async (tx, setting) => void (await write(tx, setting))));
  await haveConsumed(300);
  expect((await effects('noun')).sort((one, other) => one - other)).toEqual(
    versions('noun', 300).map(({ version }) => version),
  );
});

test('new events do not wait behind pages', async () => {
  const gate = Promise.withResolvers<void>();
  await resyncSettings(versions('again', 600));
  await join(
    on('setting.changed', async (tx, setting) => {
      if (setting.name === 'again') await gate.promise;
      await write(tx, setting);
    }),
  );
  const { js, subject } = service.service.bus;
  const data = { name: 'new', value: 1, version: 1 };
  const event = { id: randomUUID(), name: 'setting.changed', data, context: {}, created_at: new Date().toISOString() };
  await js.publish(subject('events.setting.changed'), JSON.stringify(event));
  await eventually('the new one is consumed', async () => (await consumed()) === 1);
  expect(await effects('again')).toEqual([]);
  gate.resolve();
  await haveConsumed(601);
  expect(await effects('again')).toEqual(versions('again', 600).map(({ version }) => version));
});
