import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDatabaseProxy } from '@tutoring/shared/testing/database-proxy';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { infra } from '@tutoring/shared/testing/infra';
import type { TestService } from '@tutoring/shared/testing/service';
import { user } from '@tutoring/shared/testing/user';
import { startLessons, type Lessons } from '../../services/calls/test/lessons.ts';
import { startIdentity, type TestIdentity } from '../../services/identity/test/identity.ts';
import { startMessaging, type Messaging } from '../../services/messaging/test/kit.ts';
import { startWallet, type Wallet } from '../../services/wallet/test/wallet.ts';

/* The connection to the database is lost after COMMIT has been executed, before its answer arrives. */

let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let identity: TestIdentity;
let wallet: Wallet;
let lessons: Lessons;
let messaging: Messaging;
let last = 100;

beforeAll(async () => {
  proxy = await startDatabaseProxy(infra().databaseUrl);
  const options = { databaseThrough: proxy.through, jobless: true };
  identity = await startIdentity({}, options);
  wallet = await startWallet({}, options);
  lessons = await startLessons({}, options);
  messaging = await startMessaging({ IDENTITY_URL: lessons.identity.url }, undefined, options);
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 100, version: 1 });
});
afterAll(async () => {
  await Promise.all([identity.end(), wallet.stop(), lessons.stop(), messaging.stop()]);
  await proxy.stop();
});

/**
 * A request to an idempotent route, and the number of its effects. `scope` is stored with the key; another release that
 * runs at the same time must find it.
 */
interface Case {
  service: TestService;
  scope: string;
  post: (headers?: Record<string, string>) => Promise<TestResponse>;
  effects: () => Promise<number>;
}

const counting = (service: TestService, from: string, parameter: unknown) => async () => {
  const [found] = await service.rows<{ count: number }>(`select count(*) from ${from}`, [parameter]);
  return found!.count;
};

/** A student, and a teacher who has earned 500 in the call. */
async function paidCall() {
  const [student, teacher] = [(last += 1), (last += 1)];
  await wallet.topUp(student, 1_000);
  const call = `lost-${student}`;
  await wallet.charge({ call, step: 1, student, teacher, amount: 500 });
  return { student, teacher, call };
}

/** A room of two new people. */
const room = () => messaging.pair((last += 1), (last += 1));

const CASES: Record<string, () => Promise<Case>> = {
  'post /api/admin/invitations': async () => {
    const email = `invited${(last += 1)}@example.com`;
    const body = { email, name: 'Ada Mensah', roles: ['support'] };
    return {
      service: identity,
      scope: 'POST /api/admin/invitations',
      post: (headers) => identity.api.admin('su').post('/api/admin/invitations', body, headers),
      effects: counting(identity, 'admin_invitation where email = $1', email),
    };
  },
  'post /api/deposits': async () => {
    const student = (last += 1);
    return {
      service: wallet.service,
      scope: 'POST /api/deposits',
      post: (headers) => wallet.service.api.student(student).post('/api/deposits', { amount: 300 }, headers),
      effects: counting(wallet.service, 'deposit where user_id = $1', student),
    };
  },
  'post /api/withdrawals': async () => {
    const { teacher } = await paidCall();
    return {
      service: wallet.service,
      scope: 'POST /api/withdrawals',
      post: (headers) => wallet.withdraw(teacher, 300, headers),
      effects: counting(wallet.service, 'withdrawal where user_id = $1', teacher),
    };
  },
  'post /api/admin/calls/{identifier}/refund': async () => {
    const { call } = await paidCall();
    const path = `/api/admin/calls/${call}/refund`;
    return {
      service: wallet.service,
      scope: `POST /api/admin/calls/${call}/refund`,
      post: (headers) => wallet.service.api.admin('su').post(path, { amount: 200 }, headers),
      effects: counting(
        wallet.service,
        `transfer where kind = 'refund' and starts_with(reference, $1)`,
        `call:${call}:`,
      ),
    };
  },
  'post /api/bookings': async () => {
    const parties = await lessons.pair();
    const body = {
      teacher_id: parties.teacher,
      starts_at: '2031-05-01T09:00:00.000000Z',
      minutes: 60,
      call_type: 'video',
    };
    return {
      service: lessons.service,
      scope: 'POST /api/bookings',
      post: (headers) => lessons.student(parties).post('/api/bookings', body, headers),
      effects: counting(lessons.service, 'booking where student_id = $1', parties.student),
    };
  },
  'post /api/calls/{identifier}/review': async () => {
    const parties = lessons.party();
    const { identifier, channel } = await lessons.begin(parties);
    await lessons.bill(parties, identifier);
    await lessons.end('student', parties, identifier, channel);
    const path = `/api/calls/${identifier}/review`;
    return {
      service: lessons.service,
      scope: `POST /api/calls/${identifier}/review`,
      post: (headers) => lessons.student(parties).post(path, { rating: 5 }, headers),
      effects: counting(lessons.service, 'review where student_id = $1', parties.student),
    };
  },
  'post /api/reports': async () => {
    const reporter = (last += 1);
    const reported = (last += 1);
    await messaging.meet(user(reporter, 'student'), user(reported, 'teacher'));
    const body = { user_id: reported, reason: 'abuse' };
    return {
      service: messaging.service,
      scope: 'POST /api/reports',
      post: (headers) => messaging.service.api.student(reporter).post('/api/reports', body, headers),
      effects: counting(messaging.service, 'report where reporter_id = $1', reporter),
    };
  },
  'post /api/rooms/{uuid}/messages': async () => {
    const { uuid, student } = await room();
    // The scope has the uuid in lower case.
    const path = `/api/rooms/${uuid.toUpperCase()}/messages`;
    return {
      service: messaging.service,
      scope: `POST /api/rooms/${uuid}/messages`,
      post: (headers) => student.post(path, { message: 'Hello' }, headers),
      effects: counting(messaging.service, 'message where room_uuid = $1', uuid),
    };
  },
  'post /api/support/messages': async () => {
    const student = (last += 1);
    await messaging.meet(user(student, 'student'));
    return {
      service: messaging.service,
      scope: 'POST /api/support/messages',
      post: (headers) =>
        messaging.service.api.student(student).post('/api/support/messages', { message: 'x' }, headers),
      effects: counting(messaging.service, 'support_message where sender_id = $1', student),
    };
  },
  'post /api/admin/rooms/{uuid}/messages': async () => {
    const student = (last += 1);
    await messaging.meet(user(student, 'student'));
    await messaging.service.api.student(student).get('/api/support/messages');
    const [opened] = await messaging.service.rows<{ uuid: string }>(
      'select uuid from support_room where user_id = $1',
      [student],
    );
    const path = `/api/admin/rooms/${opened!.uuid.toUpperCase()}/messages`;
    return {
      service: messaging.service,
      scope: `POST /api/admin/rooms/${opened!.uuid}/messages`,
      post: (headers) => messaging.service.api.admin().post(path, { message: 'x' }, headers),
      effects: counting(messaging.service, 'support_message where room_uuid = $1', opened!.uuid),
    };
  },
};

/** Sends a new request for each of its transactions, whose COMMIT gets no answer. Returns the number of transactions. */
async function losingEachCommit(
  route: string,
  headers: Record<string, string>,
  check: (request: Case, answer: TestResponse) => Promise<void>,
): Promise<number> {
  for (let count = 1; ; count += 1) {
    const request = await CASES[route]!();
    const before = proxy.cuts;
    proxy.arm(/COMMIT/, 'after', count);
    const answer = await request.post(headers);
    proxy.disarm();
    if (proxy.cuts === before) return count - 1;
    await check(request, answer);
  }
}

test('every idempotent route is tested here', () => {
  const services = [identity.service, wallet.service.service, lessons.service.service, messaging.service.service];
  const idempotent = services.flatMap(({ parts }) => parts.routes.filter((spec) => spec.idempotent));
  expect(idempotent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(CASES).sort());
});

describe('a lost answer to COMMIT', () => {
  test.each(Object.keys(CASES))('of %s with a key is answered as done, and a repeat gets the answer', async (route) => {
    const headers = { 'idempotency-key': randomUUID() };
    const transactions = await losingEachCommit(route, headers, async (request, answer) => {
      expect([answer.status, await request.effects()]).toEqual([200, 1]);
      const again = await request.post(headers);
      const scopes = 'select distinct scope from idempotency_key where key = $1';
      expect(await request.service.rows(scopes, [headers['idempotency-key']])).toEqual([{ scope: request.scope }]);
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([answer.body, 'true']);
      expect(await request.effects()).toBe(1);
    });
    expect(transactions).toBe(route === 'post /api/deposits' ? 2 : 1);
  });

  // A message without a key is sent in a batch; the client identifies it by `client_message_id`.
  const keyless = Object.keys(CASES).filter((route) => route !== 'post /api/rooms/{uuid}/messages');
  test.each(keyless)('of %s without a key is answered as done', async (route) => {
    await losingEachCommit(route, {}, async (request, answer) => {
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect(await request.effects()).toBe(1);
    });
  });
});
