import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, data, payDeposit, register, TIMESTAMP, UUID, type Person } from './people.ts';
import { startSystem, type System } from './system.ts';

/*
 * One lesson, from two registrations to a paid withdrawal, through the gateway and five real processes. The steps share
 * their story: each test is a chapter and runs after the one before.
 */

let system: System;
let student: Person;
let teacher: Person;
let admin: string;
let roomUuid: string;
let identifier: string;

const ok = (payload: unknown) => ({ success: true, statusCode: 200, data: payload });
const as = (person: Person | string) => {
  const token = typeof person === 'string' ? person : person.token;
  return {
    get: (path: string) => system.request('GET', path, { token }),
    post: (path: string, body?: unknown) => system.request('POST', path, { token, body: body ?? {} }),
    put: (path: string, body: unknown) => system.request('PUT', path, { token, body }),
  };
};
/** Moves the clock by which calls are billed to now plus `seconds`. */
const callClock = (seconds: number) =>
  system.sql(
    'calls',
    'insert into app_clock (shift) values (make_interval(secs => $1)) on conflict (only_row) do update set shift = excluded.shift',
    [seconds],
  );
const balance = async (person: Person) => (await as(person).get('api/wallet')).body;

beforeAll(async () => {
  system = await startSystem();
}, 60_000);
afterAll(async () => {
  await system.stop();
});

test('a student and a teacher register, verify by code and log in', async () => {
  student = await register(system, 'student', 'Awa Diallo');
  teacher = await register(system, 'teacher', 'Kossi Mensah');
  const me = (await as(teacher).get('api/me')).body;
  expect(me).toEqual(
    ok({
      id: teacher.id,
      name: 'Kossi Mensah',
      email: 'kossi.mensah@example.com',
      phone_number: '+22890445566',
      platform: 'teacher',
      gauth_type: 'email',
      solde: 0,
      photo: `${system.url}/api/assets/avatar.svg`,
      address: '',
      city: '',
      country: '',
      about_me: '',
      status: 'active',
      level_study: null,
      subjects_interest: '',
      plan_id: expect.any(Number),
      domains: expect.stringMatching(/^.+, .+$/),
      experience: 4,
      availability: '',
      bio: 'Teaches with patience',
      verified: '0',
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    }),
  );
});

test('an administrator logs in, verifies the teacher and sets the commission', async () => {
  admin = await adminToken(system);
  const verified = await as(admin).put(`api/admin/users/${teacher.id}`, { verified: true });
  expect(verified.body).toMatchObject({ success: true, statusCode: 200, data: { id: teacher.id, verified: '1' } });
  expect((await as(teacher).get('api/me')).body.data.verified).toBe('1');

  const settings = data<{ data: { id: number; name: string }[] }>(
    await as(admin).post('api/admin/settingsall', { pageItems: 50 }),
  );
  for (const [name, value] of [
    ['commission_percent', 10],
    ['min_withdrawal', 100],
  ] as const) {
    const { id } = settings.data.find((setting) => setting.name === name)!;
    const changed = await as(admin).put(`api/admin/settings/${id}`, { value });
    expect(changed.body).toEqual(
      ok({ id, name, value, description: expect.any(String), created_at: TIMESTAMP, updated_at: TIMESTAMP }),
    );
  }
});

test('the student tops up through the sandbox provider', async () => {
  const deposit = await as(student).post('api/deposits', { amount: 10_000, method: 'card' });
  expect(deposit.body).toEqual(
    ok({
      id: expect.any(Number),
      user_id: student.id,
      amount: 10_000,
      currency: 'XOF',
      status: 'pending',
      method: 'card',
      ref: expect.any(String),
      details: null,
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
      user: { id: student.id, name: 'Awa Diallo', email: student.email, phone_number: '+22890112233' },
      checkout_url: expect.stringMatching(new RegExp(`^${system.url}/`)),
    }),
  );
  const webhook = await payDeposit(system, deposit.body.data.id);
  expect([webhook.status, webhook.body]).toEqual([200, { received: true }]);
  expect((await payDeposit(system, deposit.body.data.id)).body).toEqual({ received: true });
  expect(await balance(student)).toEqual(ok({ balance: 10_000, available: 10_000, held: 0, currency: 'XOF' }));
});

test('the student opens a room with the teacher', async () => {
  const room = await as(student).post('api/rooms', { teacher_id: teacher.id });
  expect(room.body).toEqual(
    ok({
      uuid: UUID,
      rtc_token: null,
      student: {
        id: student.id,
        name: 'Awa Diallo',
        email: student.email,
        level_study: null,
        subjects_interest: '',
        photo: expect.any(String),
      },
      teacher: {
        id: teacher.id,
        name: 'Kossi Mensah',
        email: teacher.email,
        domains: expect.any(String),
        experience: 4,
        availability: null,
        photo: expect.any(String),
      },
      last_message: null,
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    }),
  );
  roomUuid = room.body.data.uuid;
});

test('they chat', async () => {
  const sent = await as(student).post(`api/rooms/${roomUuid}/messages`, { message: 'Bonjour 👋', type: 'message' });
  const message = {
    id: expect.any(Number),
    room_uuid: roomUuid,
    sender_id: student.id,
    message: 'Bonjour 👋',
    time: '1 second ago',
    status: 'unread',
    type: 'message',
    message_link: null,
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
  };
  expect(sent.body).toEqual(ok(message));
  expect((await as(teacher).get(`api/rooms/${roomUuid}/messages`)).body).toEqual(ok([message]));

  const answer = await as(teacher).post(`api/rooms/${roomUuid}/messages`, {
    message: 'Prêt pour la leçon',
    type: 'message',
  });
  expect(answer.body.data.sender_id).toBe(teacher.id);
  const detail = await as(student).get(`api/rooms/${roomUuid}`);
  expect(detail.body.data).toHaveLength(2);
  const [, last] = detail.body.data;
  expect(last).not.toHaveProperty('sender_id');
  expect(last.sender).toEqual({
    id: teacher.id,
    name: 'Kossi Mensah',
    email: teacher.email,
    solde: 0,
    level_study: null,
    subjects_interest: '',
    phone_number: '',
    photo: expect.any(String),
    address: '',
    city: '',
    country: '',
    about_me: '',
    status: 'active',
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
  });
  const rooms = (await as(student).get('api/rooms')).body.data;
  expect(rooms[0].last_message).toMatchObject({ sender_id: teacher.id, message: 'Prêt pour la leçon', status: 'read' });
});

test('the student rings and the teacher accepts', async () => {
  const init = await as(student).post('api/call/init', { teacher_user_id: teacher.id, call_type: 'video' });
  expect(init.body).toEqual(
    ok({ message: expect.any(String), channel: roomUuid, token: expect.stringMatching(/^007/) }),
  );

  const accept = await as(teacher).post('api/call/accept', { student_user_id: student.id, call_type: 'video' });
  const service = {
    id: expect.any(Number),
    name: 'VIDEO',
    iterator: '60',
    base_cost: '100',
    iterator_cost: '50',
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
  };
  const plan = {
    id: expect.any(Number),
    name: expect.any(String),
    points: expect.any(Number),
    image_cost: expect.any(Number),
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
  };
  expect(accept.body).toEqual(
    ok({
      transaction: {
        id: expect.any(Number),
        identifier: expect.any(String),
        service_id: expect.any(Number),
        student_id: student.id,
        teacher_id: teacher.id,
        plan_id: expect.any(Number),
        total_cost: 0,
        total_duration: null,
        created_at: TIMESTAMP,
        updated_at: TIMESTAMP,
        teacher: {
          id: teacher.id,
          name: 'Kossi Mensah',
          plan_id: expect.any(Number),
          domains: expect.stringMatching(/^.+, .+$/),
          experience: 4,
          availability: '',
          bio: 'Teaches with patience',
          verified: '1',
          created_at: TIMESTAMP,
          updated_at: TIMESTAMP,
          transactions_count: 1,
        },
        service,
        plan,
      },
      service,
      channel: roomUuid,
      token: init.body.data.token,
    }),
  );
  identifier = accept.body.data.transaction.identifier;
  expect((await as(student).get('api/rooms')).body.data[0].rtc_token).toBe(init.body.data.token);
});

test('the server bills step by step, each step once', async () => {
  const bill = () => as(teacher).post('api/call/bill', { identifier });
  expect((await bill()).body).toEqual(ok([]));
  expect((await bill()).body).toEqual(ok([]));
  expect(await balance(student)).toEqual(ok({ balance: 9_850, available: 9_800, held: 50, currency: 'XOF' }));
  expect(await balance(teacher)).toEqual(ok({ balance: 135, available: 135, held: 0, currency: 'XOF' }));

  await callClock(61);
  expect((await bill()).body).toEqual(ok([]));
  expect((await balance(student)).data.balance).toBe(9_800);
  expect((await balance(teacher)).data.balance).toBe(180);
});

test('the student ends the call and what was due is settled', async () => {
  await callClock(130);
  const end = await as(student).post('api/call/end', { room_uuid: roomUuid, identifier });
  expect(end.body).toEqual(ok([]));
  expect((await as(student).post('api/call/end', { room_uuid: roomUuid, identifier })).body).toEqual(ok([]));

  const settled = await eventually('the call is settled', async () => {
    const call = (await as(student).get(`api/calls/${identifier}`)).body.data;
    return call.total_cost === 250 && call;
  });
  expect(settled).toMatchObject({
    identifier,
    state: 'ended',
    call_type: 'video',
    channel: roomUuid,
    student_id: student.id,
    teacher_id: teacher.id,
    steps: 3,
  });
  expect(settled.total_duration).toBeGreaterThanOrEqual(130);
  expect(settled.total_duration).toBeLessThan(140);
  await eventually('the hold is released', async () => (await balance(student)).data.held === 0);
  expect(await balance(student)).toEqual(ok({ balance: 9_750, available: 9_750, held: 0, currency: 'XOF' }));
  expect(await balance(teacher)).toEqual(ok({ balance: 225, available: 225, held: 0, currency: 'XOF' }));

  const late = await as(teacher).post('api/call/bill', { identifier });
  expect([late.status, late.body]).toEqual([
    200,
    { success: false, statusCode: 500, message: expect.stringContaining('cannot be billed') },
  ]);
});

test('the teacher withdraws and the administrator pays out', async () => {
  const refused = await as(teacher).post('api/withdrawals', {
    amount: 500,
    method: 'mobile_money',
    account: '+22890445566',
  });
  expect(refused.body).toMatchObject({ success: false, statusCode: 402 });

  const request = await as(teacher).post('api/withdrawals', {
    amount: 200,
    method: 'mobile_money',
    account: '+22890445566',
  });
  const withdrawal = {
    id: expect.any(Number),
    user_id: teacher.id,
    amount: 200,
    currency: 'XOF',
    status: 'initiated',
    method: 'mobile_money',
    account: '+22890445566',
    ref: null,
    details: null,
    created_at: TIMESTAMP,
    updated_at: TIMESTAMP,
    user: { id: teacher.id, name: 'Kossi Mensah', email: teacher.email, phone_number: '+22890445566' },
  };
  expect(request.body).toEqual(ok(withdrawal));
  expect(await balance(teacher)).toEqual(ok({ balance: 225, available: 25, held: 200, currency: 'XOF' }));

  const { id } = request.body.data;
  const decide = (status: string, more = {}) => as(admin).put(`api/admin/withdrawals/${id}`, { status, ...more });
  expect((await decide('pending')).body).toEqual(ok({ ...withdrawal, status: 'pending' }));
  const paid = await decide('success', { ref: 'BANK-77', details: 'Paid by transfer' });
  expect(paid.body).toEqual(ok({ ...withdrawal, status: 'success', ref: 'BANK-77', details: 'Paid by transfer' }));
});

test('both final balances agree with the ledger', async () => {
  expect(await balance(student)).toEqual(ok({ balance: 9_750, available: 9_750, held: 0, currency: 'XOF' }));
  expect(await balance(teacher)).toEqual(ok({ balance: 25, available: 25, held: 0, currency: 'XOF' }));
  await eventually(
    'the profile knows the balance',
    async () => (await as(student).get('api/me')).body.data.solde === 9_750,
  );
});

test('after logout the token is over within a second', async () => {
  expect((await as(student).post('api/auth/logout')).body).toEqual(ok({ message: expect.any(String) }));
  await eventually(
    'the token is refused',
    async () => (await as(student).get('api/me')).body.statusCode === 401,
    1_000,
  );
  const refused = await as(student).get('api/me');
  expect([refused.status, refused.body]).toEqual([
    200,
    { success: false, statusCode: 401, message: 'Unauthenticated.' },
  ]);
});
