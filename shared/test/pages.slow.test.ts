import { expect, test } from '@jest/globals';
import { AppError } from '../kit/errors.ts';
import { on } from '../contract/subscriptions.ts';
import { eventually } from '../testing/wait.ts';
import { consumeSettings, copies, versions, write, type Setting } from './settings-consumer.ts';

/* Events that are published again for one service come in pages; a page is consumed like a batch. */

const settings = consumeSettings();
const { allIsSettled, consumed, effects, failures, haveConsumed, join, leave, transactions } = settings;
const { publishSettings, resyncSettings, service } = settings;

const nouns = (version: number, count: number): Setting[] =>
  Array.from({ length: count }, (_none, index) => ({ name: `noun ${index}`, version }));

const published = async () => {
  const { jsm, named } = service().service.bus;
  return (await jsm.streams.info(named('events-identity'))).state;
};

test('a resync sends a thousand records in four messages, each consumed in one transaction', async () => {
  expect(await resyncSettings(nouns(1, 1_000))).toBe(1_000);
  expect((await published()).messages).toBe(4);
  await join(copies);
  await haveConsumed(1_000);
  expect(await transactions()).toBe(4);
  expect(await service().rows('select count(*)::int as n from setting_copy')).toEqual([{ n: 1_000 }]);
});

test('pages of long events are smaller than the largest message of the broker', async () => {
  const long = Array.from({ length: 20 }, (_none, index) => ({ name: `${index}${'€'.repeat(100_000)}`, version: 1 }));
  expect(await resyncSettings(long)).toBe(20);
  expect((await published()).messages).toBe(10);
});

test('two events of a page that fail in different rounds both become dead letters', async () => {
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
    (await service().rows<{ name: string }>(`select message #>> '{data,name}' as name from dead_letter`)).map(
      ({ name }) => name,
    );
  await eventually('both are dead letters', async () => (await letters()).length === 2);
  expect((await letters()).sort()).toEqual(['poison', 'waits']);
  await allIsSettled();
  expect(await service().rows('select from event_failure')).toEqual([]);
  expect(await effects('noun')).toEqual([1, 2]);
});

test('two replicas, a repeated resync and new events at the same time leave the newest version of each noun', async () => {
  await Promise.all([join(copies), join(copies)]);
  await Promise.all([resyncSettings(nouns(1, 600)), publishSettings(nouns(3, 300)), resyncSettings(nouns(2, 600))]);
  await haveConsumed(1_500);
  expect(
    await service().rows(
      'select version, count(*)::int as n from setting_copy where value = version group by 1 order by 1',
    ),
  ).toEqual([
    { version: 2, n: 300 },
    { version: 3, n: 300 },
  ]);
  expect(await failures()).toEqual([]);
});

test('a page whose replica stops in the middle is consumed by another replica, each event once', async () => {
  const gate = Promise.withResolvers<void>();
  let isReached = false;
  await resyncSettings(versions('noun', 300));
  const first = await join(
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
  const stopped = leave(first);
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
  await publishSettings(versions('new', 1));
  await eventually('the new one is consumed', async () => (await consumed()) === 1);
  expect(await effects('again')).toEqual([]);
  gate.resolve();
  await haveConsumed(601);
  expect(await effects('again')).toEqual(versions('again', 600).map(({ version }) => version));
});
