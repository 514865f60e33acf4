import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { resync } from '@tutoring/shared/kit/events/operate/resync';
import { SETTINGS } from '@tutoring/shared/contract/settings';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, type TestIdentity } from './identity.ts';
import { serve, type LocalServer } from './issuer.ts';

const peers = { down: false };
const none = { initiated: 0, pending: 0, success: 0, failed: 0, canceled: 0 };
/** Daily figures of wallet, calls and messaging. */
const DAYS = [
  {
    date: '2026-02-28',
    ...{ deposits: 500, withdrawals: 20, charged: 90, commission: 9, refunded: 1 },
    ...{ calls: 3, seconds: 119, messages: 7 },
    ...{ bookings: 5, confirmed_bookings: 3, missed_bookings: 1, reviews: 3, stars: 14 },
  },
];
let others: LocalServer;
let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  others = await serve(({ pathname }) =>
    peers.down || !pathname.startsWith('/internal/stats')
      ? { status: 503, body: {} }
      : pathname === '/internal/stats/days'
        ? { body: DAYS }
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
  test('statistics are collected from the services; one that is down contributes its last figures', async () => {
    // A busy service does not answer in time.
    const first = await eventually('every service has answered', async () => {
      const answer = await su.api.get('/api/admin/stats');
      const { deposits, calls, rooms } = answer.body;
      return [deposits.count, calls.count, rooms].every((count) => count > 0) && answer;
    });
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
    peers.down = true;
    const figures = { ...first.body, as_of: expect.any(String) };
    expect((await su.api.get('/api/admin/stats')).body).toEqual(figures);
    await service.restart();
    expect((await su.api.get('/api/admin/stats')).body).toEqual(figures);
    peers.down = false;
  });
});

describe('daily statistics', () => {
  const daily = (from: string, to: string) => su.api.get(`/api/admin/stats/daily?from=${from}&to=${to}`);
  const nothing = {
    ...{ new_students: 0, new_teachers: 0, deposits: 0, withdrawals: 0, charged: 0, commission: 0, refunded: 0 },
    ...{ calls: 0, minutes: 0, messages: 0 },
    ...{ bookings: 0, confirmed_bookings: 0, missed_bookings: 0, reviews: 0, rating: 0 },
  };

  test('daily statistics have one row per day, oldest first, with zeros for days without figures', async () => {
    const account = (id: number, platform: string, at: string) =>
      `(${id}, '${platform}', 'email', 'n', 'd${id}', 'd${id}', '', '${at}')`;
    await service.asOwner(`insert into account
        (id, platform, gauth_type, name, email, email_key, phone_number, created_at)
      values ${account(900_001, 'student', '2026-02-27T00:00:00Z')},
        ${account(900_002, 'student', '2026-02-27T23:59:59.999999Z')},
        ${account(900_003, 'teacher', '2026-02-28T00:00:00Z')},
        ${account(900_004, 'teacher', '2026-03-02T00:00:00Z')}`);
    expect((await daily('2026-02-26', '2026-03-01')).body).toEqual([
      { date: '2026-02-26', ...nothing },
      { date: '2026-02-27', ...nothing, new_students: 2 },
      {
        date: '2026-02-28',
        ...{ new_students: 0, new_teachers: 1, deposits: 500, withdrawals: 20, charged: 90, commission: 9 },
        ...{ refunded: 1, calls: 3, minutes: 1, messages: 7 },
        ...{ bookings: 5, confirmed_bookings: 3, missed_bookings: 1, reviews: 3, rating: 4.67 },
      },
      { date: '2026-03-01', ...nothing },
    ]);
  });

  test('more than 366 days, or `from` after `to`, are a 422', async () => {
    expect((await daily('2024-01-01', '2024-12-31')).body).toHaveLength(366);
    const long = await daily('2024-01-01', '2025-01-01');
    expect([long.status, long.body.errors]).toEqual([422, { to: ['The to field must be within 366 days of from.'] }]);
    const reversed = await daily('2024-01-02', '2024-01-01');
    expect([reversed.status, Object.keys(reversed.body.errors)]).toEqual([422, ['to']]);
    expect((await su.api.get('/api/admin/stats/daily')).body.errors).toHaveProperty('from');
    const students = service.api.student(1);
    expect((await students.get('/api/admin/stats/daily?from=2024-01-01&to=2024-01-01')).status).toBe(403);
  });

  test('daily statistics are a 503 while a service is down', async () => {
    peers.down = true;
    expect((await daily('2024-01-01', '2024-01-02')).status).toBe(503);
    peers.down = false;
  });
});

test('all snapshots of identity can be published again', async () => {
  await service.user({ platform: 'teacher' });
  const { bus, database, parts } = service.service;
  const counts = await Promise.all(
    ['user.changed', 'devices.changed', 'admin.changed', 'setting.changed', 'plan.changed'].map((name) =>
      resync({ name, consumer: 'wallet', snapshots: parts.snapshots!, manager: database.manager, bus }),
    ),
  );
  expect(counts[0]).toBeGreaterThan(0);
  expect(counts[3]).toBe(Object.keys(SETTINGS).length);
});
