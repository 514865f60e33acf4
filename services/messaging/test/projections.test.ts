import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventData, EventName } from '@tutoring/shared/contract/events';
import { resync } from '@tutoring/shared/kit/events/operate/resync';
import { eventually } from '@tutoring/shared/testing/wait';
import { user } from '@tutoring/shared/testing/user';
import { startMessaging, uuidOf, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

const balance = (user_id: number, available: number, version: number) => ({
  user_id,
  balance: available,
  held: 0,
  available,
  currency: 'XOF',
  version,
});

test('an event with an older version than the copy changes nothing', async () => {
  const { receive, rows } = messaging.service;
  await receive('user.changed', user(1, 'teacher', { name: 'New', domains: ['A', 'B'], version: 5 }));
  await receive('user.changed', user(1, 'teacher', { name: 'Old', version: 4 }));
  await receive('balance.changed', balance(1, 70, 5));
  await receive('balance.changed', balance(1, 60, 4));
  await receive('devices.changed', { user_id: 1, device_keys: ['new'], version: 5 });
  await receive('devices.changed', { user_id: 1, device_keys: ['old'], version: 4 });
  await receive('setting.changed', { name: 'message_max_length', value: 50, version: 5 });
  await receive('setting.changed', { name: 'message_max_length', value: 40, version: 4 });
  expect(await rows('select name, domains, version from user_copy')).toEqual([
    { name: 'New', domains: ['A', 'B'], version: 5 },
  ]);
  expect(await rows('select available, version from balance_copy')).toEqual([{ available: 70, version: 5 }]);
  expect(await rows('select device_keys, version from device_copy')).toEqual([{ device_keys: ['new'], version: 5 }]);
  expect(await rows('select value, version from setting_copy')).toEqual([{ value: 50, version: 5 }]);
  expect(await rows('select * from dead_letter')).toEqual([]);
});

describe('events resync', () => {
  const ids = Array.from({ length: 25 }, (_none, index) => index + 100);
  const snapshotsOf: { [Name in EventName]?: EventData<Name>[] } = {
    'user.changed': ids.map((id) => user(id, id % 2 ? 'student' : 'teacher', { name: `Né ${id}`, version: id })),
    'balance.changed': ids.map((id) => balance(id, id * 10, id)),
    'devices.changed': ids.map((id) => ({ user_id: id, device_keys: [`a${id}`, `b${id}`], version: id })),
    'setting.changed': [{ name: 'show_contact_details', value: 1, version: 3 }],
  };
  const TABLES = ['user_copy', 'balance_copy', 'device_copy', 'setting_copy'];
  const copies = () => Promise.all(TABLES.map((table) => messaging.service.rows(`select * from ${table} order by 1`)));

  async function resyncAll() {
    const { bus, database } = messaging.service.service;
    for (const name of Object.keys(snapshotsOf) as EventName[]) {
      const items = snapshotsOf[name] ?? [];
      const snapshots = {
        [name]: async function* () {
          yield* items;
        },
      };
      await resync({ name, consumer: 'messaging', snapshots, manager: database.manager, bus });
    }
  }

  test('rebuilds every copy exactly, from empty tables and over existing rows', async () => {
    await messaging.service.asOwner(`truncate ${TABLES.join(', ')}`);
    for (const [name, items] of Object.entries(snapshotsOf))
      for (const item of items)
        await messaging.service.receive(name as 'user.changed', item as EventData<'user.changed'>);
    const before = await copies();
    await messaging.service.asOwner(`truncate ${TABLES.join(', ')}`);
    await resyncAll();
    const complete = async () => (await copies()).every((rows, index) => rows.length === before[index]!.length);
    await eventually('the copies are back', complete);
    expect(await copies()).toEqual(before);
    await resyncAll();
    await messaging.service.receive('user.changed', user(1, 'student'));
    const again = await copies();
    again[0] = again[0]!.filter((row) => (row as { id: number }).id !== 1);
    expect(again).toEqual(before);
  });

  test('publishes every room', async () => {
    await messaging.service.asOwner(
      `insert into room (uuid, student_id, teacher_id) select gen_random_uuid(), n, 1 from generate_series(1000, 2099) n`,
    );
    const { uuid } = await messaging.pair(500, 501);
    expect(uuid).toBe(uuidOf(500, 501));
    const { bus, database, parts } = messaging.service.service;
    const options = { consumer: 'nobody', snapshots: parts.snapshots ?? {}, manager: database.manager, bus };
    expect(await resync({ ...options, name: 'room.changed' })).toBe(1_101);
  });
});
