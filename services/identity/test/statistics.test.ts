import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resync } from '@tutoring/shared/events/resync';
import { SETTINGS } from '../src/settings/setting.ts';
import { startIdentity, type TestIdentity } from './identity.ts';
import { serve, type LocalServer } from './issuer.ts';

const world = { down: false };
let others: LocalServer;
let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  others = await serve(({ pathname }) =>
    world.down || pathname !== '/internal/stats'
      ? { status: 503, body: {} }
      : {
          body: {
            deposits: { count: 2, amount: 300, by_status: { success: 1, failed: 1 } },
            withdrawals: { count: 1, amount: 50, by_status: { pending: 1 } },
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
