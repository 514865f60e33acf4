import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { AppError } from '../kit/errors.ts';
import { on } from '../contract/subscriptions.ts';
import { eventually } from '../testing/wait.ts';
import { consumeSettings, copies, versions, write } from './settings-consumer.ts';

/* A consumer handles a batch (the messages that have arrived, or a page) in one transaction. */

const settings = consumeSettings();
const { allIsSettled, consumed, consumer, effects, failures, haveConsumed, join, transactions } = settings;
const { publishSettings, resyncSettings, service } = settings;

test('waiting events are consumed in batches, and each noun keeps its newest version', async () => {
  await publishSettings([...versions('one', 100), ...versions('two', 100), ...versions('three', 40)]);
  await join(copies);
  await haveConsumed(240);
  // The size of a batch depends on the broker; without batches there would be 240.
  expect(await transactions()).toBeLessThan(80);
  expect(await service().rows('select name, value from setting_copy order by name')).toEqual([
    { name: 'one', value: 100 },
    { name: 'three', value: 40 },
    { name: 'two', value: 100 },
  ]);
});

test('an event that is twice in a batch, or already in the inbox, takes effect once', async () => {
  const [known, twice] = [randomUUID(), randomUUID()];
  await service().rows(`insert into inbox (consumer, event_id) values ('wallet', $1)`, [known]);
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

describe.each([
  ['batch', publishSettings],
  ['page', resyncSettings],
])('in a %s', (_what, publishTogether) => {
  test('an event that always fails becomes a dead letter, and the others take effect once and in order', async () => {
    await publishTogether([...versions('noun', 30), { name: 'poison', version: 1 }, ...versions('noun', 60).slice(30)]);
    await join(
      on('setting.changed', async (tx, setting) => {
        await write(tx, setting);
        if (setting.name === 'poison') throw new Error('a bug');
      }),
    );
    const dead = () => service().rows<{ message: object }>('select message from dead_letter');
    await eventually('a dead letter', async () => (await dead()).length === 1);
    // The last of the others may come in a later batch.
    await haveConsumed(60);
    expect(await effects('poison')).toEqual([]);
    expect(await effects('noun')).toEqual(versions('noun', 60).map(({ version }) => version));
    expect((await dead())[0]!.message).toMatchObject({ name: 'setting.changed', data: { name: 'poison' } });
    await allIsSettled();
  });

  test('an event that waits for another service does not delay the others', async () => {
    await publishTogether([...versions('noun', 30), { name: 'asks', version: 1 }, ...versions('noun', 60).slice(30)]);
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
    expect(await failures()).toEqual([]);
  });
});

test('a batch whose replica is lost between commit and ack takes effect once', async () => {
  await publishSettings(versions('noun', 30));
  const ready = Promise.withResolvers<void>();
  const first = await join(
    on('setting.changed', async (tx, setting) => {
      await ready.promise;
      await write(tx, setting);
      tx.commit!.published.add('events');
    }),
  );
  // Disconnects at the commit, so that the acks are lost.
  first.database.onPublished(() => {
    void first.bus.close();
    void first.bus.connection.close();
  });
  ready.resolve();
  await eventually('something is consumed', async () => (await consumed()) > 0);
  const begun = await consumed();
  await join(on('setting.changed', async (tx, setting) => void (await write(tx, setting))));
  await publishSettings([{ name: 'after', version: 1 }]);
  await allIsSettled();
  expect(await effects('noun')).toEqual(versions('noun', 30).map(({ version }) => version));
  expect(await effects('after')).toEqual([1]);
  expect((await consumer()).delivered.consumer_seq).toBeGreaterThanOrEqual(31 + begun);
});

test('two replicas that share the events end with the newest version of each noun', async () => {
  const names = Array.from({ length: 25 }, (_none, index) => `noun ${index}`);
  await Promise.all([join(copies), join(copies)]);
  for (let version = 1; version <= 40; version += 1) await publishSettings(names.map((name) => ({ name, version })));
  await haveConsumed(1_000);
  expect(
    await service().rows('select distinct value, version from setting_copy where name = any($1)', [names]),
  ).toEqual([{ value: 40, version: 40 }]);
  expect(await failures()).toEqual([]);
});
