import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resync } from '@tutoring/shared/events/resync';
import { SETTINGS } from '../src/settings/setting.ts';
import { mergeStats } from '../src/stats/stats.ts';
import { startIdentity, type TestIdentity } from './identity.ts';
import { serve, type LocalServer } from './issuer.ts';

const world = { down: false };
const none = { initiated: 0, pending: 0, success: 0, failed: 0, canceled: 0 };
let others: LocalServer;
let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  others = await serve(({ pathname }) =>
    world.down || pathname !== '/internal/stats'
      ? { status: 503, body: {} }
      : {
          body: {
            deposits: { count: 2, amount: 300, by_status: { ...none, success: 1, failed: 1 } },
            withdrawals: { count: 1, amount: 50, by_status: { ...none, pending: 1 } },
            revenue: 90,
            commission: 9,
            rooms: 4,
            messages: 7,
            count: 3,
            active: 1,
            seconds: 120,
          },
        },
  );
  service = await startIdentity({ WALLET_URL: others.url, CALLS_URL: others.url, MESSAGING_URL: others.url });
  su = await service.su();
});
afterAll(async () => {
  await service.end();
  await others.close();
});

describe('statistics', () => {
  test('are gathered from the services; one that is down contributes what it told last', async () => {
    const first = await su.api.get('/api/admin/stats');
    expect(first.body).toEqual({
      users: expect.any(Number),
      students: expect.any(Number),
      teachers: expect.any(Number),
      admins: expect.any(Number),
      deposits: { count: 2, amount: 300, by_status: { initiated: 0, pending: 0, success: 1, failed: 1, canceled: 0 } },
      withdrawals: {
        count: 1,
        amount: 50,
        by_status: { initiated: 0, pending: 1, success: 0, failed: 0, canceled: 0 },
      },
      calls: { count: 3, active: 1, seconds: 120, revenue: 90, commission: 9 },
      rooms: 4,
      messages: 7,
      as_of: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect(first.body.users).toBe(first.body.students + first.body.teachers);
    world.down = true;
    expect((await su.api.get('/api/admin/stats')).body).toEqual(first.body);
    await service.restart();
    const { as_of: _first, ...before } = first.body;
    const { as_of: _second, ...after } = (await su.api.get('/api/admin/stats')).body;
    expect(after).toEqual(before);
    world.down = false;
  });
});

test('what is missing or strange in what a service told last counts as nothing', () => {
  const own = { users: 2, students: 1, teachers: 1, admins: 1, as_of: '2026-11-22T06:18:02.338838Z' };
  const deposits = { count: 2, amount: '300', by_status: { success: 1, failed: 'x', strange: 4 } };
  expect(mergeStats(own, { wallet: { deposits, revenue: 90 }, calls: { count: 3 } })).toEqual({
    ...own,
    deposits: { count: 2, amount: 0, by_status: { ...none, success: 1 } },
    withdrawals: { count: 0, amount: 0, by_status: none },
    calls: { count: 3, active: 0, seconds: 0, revenue: 90, commission: 0 },
    rooms: 0,
    messages: 0,
  });
});

test('every snapshot that identity owns can be told again', async () => {
  await service.user({ platform: 'teacher' });
  const { bus, database, parts } = service.service;
  const told = await Promise.all(
    ['user.changed', 'devices.changed', 'admin.changed', 'setting.changed', 'plan.changed'].map((name) =>
      resync({ name, consumer: 'wallet', snapshots: parts.snapshots!, manager: database.manager, bus }),
    ),
  );
  expect(told[0]).toBeGreaterThan(0);
  expect(told[3]).toBe(Object.keys(SETTINGS).length);
});
