import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/process/names';
import { eventually } from '@tutoring/shared/testing/wait';
import { payDeposit } from '../journeys/people.ts';
import type { System } from '../journeys/system.ts';
import { startLesson, systemOf } from './lesson.ts';
import { load, percentile, type Kind } from './load.ts';
import { deploy, type Deployment } from './replicas.ts';

/*
 * `npm run test:ops`: every service is replaced, replica by replica, under 100 requests a second for a minute. No request
 * fails, and each confirmed write is stored exactly once. OPS_SECONDS and OPS_RATE change the load.
 */

const SECONDS = Number(process.env['OPS_SECONDS'] ?? 60);
const RATE = Number(process.env['OPS_RATE'] ?? 100);

let deployment: Deployment;
let system: System;

beforeAll(async () => {
  deployment = await deploy(2);
  system = systemOf(deployment);
}, 180_000);
afterAll(() => deployment.stop(), 120_000);

test('no request fails while every replica of every service is replaced', async () => {
  const { student, teacher, room, call } = await startLesson(system);
  const kind = (name: string, method: string, path: string, token: string, body?: () => unknown): Kind => ({
    name,
    send: async () => {
      const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
      const answer = await system.request(method, path, { token, headers, ...(body && { body: body() }) });
      if (answer.status === 200 && answer.body?.success === true) return undefined;
      return `${answer.status} ${answer.text.slice(0, 300)}`;
    },
  });
  /** Few deposits may be unpaid at a time. */
  const payOne: Kind = {
    name: 'deposit',
    send: async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const made = await system.request('POST', 'api/deposits', {
        token: student.token,
        headers,
        body: { amount: 500 },
      });
      if (made.body?.success !== true) return `${made.status} ${made.text.slice(0, 300)}`;
      const paid = await payDeposit(system, (made.body.data as { id: number }).id);
      return paid.status === 200 ? undefined : `${paid.status} ${paid.text.slice(0, 300)}`;
    },
  };
  let message = 0;
  const kinds = [
    kind('profile', 'GET', 'api/me', student.token),
    kind('teachers', 'GET', 'api/teachers', student.token),
    kind('wallet', 'GET', 'api/wallet', student.token),
    payOne,
    kind('rooms', 'GET', 'api/rooms', teacher.token),
    kind('message', 'POST', `api/rooms/${room}/messages`, student.token, () => ({
      message: `Line ${(message += 1)}`,
      type: 'message',
    })),
    kind('services', 'GET', 'api/services', student.token),
    kind('calls', 'GET', 'api/calls', teacher.token),
    kind('bill', 'POST', 'api/call/bill', teacher.token, () => ({ identifier: call })),
  ];

  const started = Date.now();
  let rolled = false;
  const roll = async () => {
    const exits: Record<string, (number | null)[]> = {};
    for (const name of [...SERVICES, 'gateway'] as const) exits[name] = await deployment.roll(name);
    return exits;
  };
  const rolling = roll().finally(() => (rolled = true));
  const report = await load(kinds, RATE, () => rolled && Date.now() - started > SECONDS * 1_000);
  const exits = await rolling;

  const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => percentile(report, share));
  process.stdout.write(
    `${report.durations.length} requests in ${Math.round((Date.now() - started) / 1000)} s, ` +
      `${report.failures.length} failed; p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms\n`,
  );
  expect(report.failures.slice(0, 20)).toEqual([]);
  expect(exits).toEqual(Object.fromEntries([...SERVICES, 'gateway'].map((name) => [name, [0, 0]])));

  const count = async (service: 'messaging' | 'wallet', statement: string) =>
    Number((await deployment.sql(service, statement))[0]?.['count']);
  expect(await count('messaging', `select count(*) from message`)).toBe(report.sent.get('message'));
  // Plus the deposit that the student paid before the load.
  expect(await count('wallet', `select count(*) from deposit`)).toBe(report.sent.get('deposit')! + 1);
  for (const service of SERVICES) {
    await eventually(`every event of ${service} is sent`, async () => {
      const [row] = await deployment.sql(service, 'select count(*) from outbox where sent_at is null');
      return Number(row?.['count']) === 0;
    });
    expect(await deployment.sql(service, 'select name, error from dead_letter')).toEqual([]);
  }
}, 600_000);
