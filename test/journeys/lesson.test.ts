import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectBus } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, payDeposit, register, type Person } from './people.ts';
import {
  acceptedCall,
  claimed,
  decided,
  newRoom,
  ok,
  partner,
  pendingDeposit,
  teacherProfile,
  TIMESTAMP,
  undecided,
  unreadMessage,
  withdrawal,
} from './shapes.ts';
import { SOON_MS, startSystem, type System } from './system.ts';

/*
 * One lesson, from two registrations to a paid withdrawal, through five real processes. The tests depend on each other
 * and run in this order; the last one is about two other people.
 */

let system: System;
let student: Person;
let teacher: Person;
let admin: string;
let roomUuid: string;
let identifier: string;
let acceptId: string;

const me = (person: Person) => as(system, person.token);
const balance = async (person: Person) => (await me(person).get('api/wallet')).body;
/** Sets the clock that calls are billed by to this many seconds after the acceptance, however long the tests have taken. */
const letPass = (seconds: number) =>
  system.sql(
    'calls',
    `insert into app_clock (shift) select accepted_at + make_interval(secs => $2) - clock_timestamp()
     from call where identifier = $1 on conflict (only_row) do update set shift = excluded.shift`,
    [identifier, seconds],
  );
const wallet = (total: number, held: number) => ok({ balance: total, available: total - held, held, currency: 'XOF' });

beforeAll(async () => {
  system = await startSystem({ level: 'debug' });
});
afterAll(async () => {
  await system.stop();
});

test('a student and a teacher register, verify by code and log in', async () => {
  student = await register(system, 'student', 'Awa Diallo');
  teacher = await register(system, 'teacher', 'Kossi Mensah');
  expect((await me(teacher).get('api/me')).body).toEqual(
    ok(teacherProfile(teacher, `${system.url}/api/assets/avatar.png`)),
  );
});

test('an administrator logs in, verifies the teacher and sets the commission', async () => {
  admin = await adminToken(system);
  const su = as(system, admin);
  const verified = await su.put(`api/admin/users/${teacher.id}`, { verified: true });
  expect(verified.body).toMatchObject({ success: true, statusCode: 200, data: { id: teacher.id, verified: '1' } });
  expect((await me(teacher).get('api/me')).body.data.verified).toBe('1');

  const settings = data<{ data: { id: number; name: string }[] }>(
    await su.post('api/admin/settingsall', { pageItems: 50 }),
  );
  for (const [name, value] of [
    ['commission_percent', 10],
    ['min_withdrawal', 100],
  ] as const) {
    const { id } = settings.data.find((setting) => setting.name === name)!;
    const changed = await su.put(`api/admin/settings/${id}`, { value });
    const description = expect.any(String) as unknown;
    expect(changed.body).toEqual(ok({ id, name, value, description, created_at: TIMESTAMP, updated_at: TIMESTAMP }));
  }
  // The events about the teacher came before. The terms of a call are those of its acceptance.
  const copied = `select from setting_copy where name = 'commission_percent' and value = 10`;
  await eventually('calls has the commission', async () => (await system.sql('calls', copied)).length > 0);
});

test('the student tops up through the sandbox provider', async () => {
  const deposit = await me(student).post('api/deposits', { amount: 10_000, method: 'card' });
  const checkout = expect.stringMatching(new RegExp(`^${system.url}/`)) as unknown;
  expect(deposit.body).toEqual(ok({ ...pendingDeposit(student, 10_000), checkout_url: checkout }));
  const webhook = await payDeposit(system, deposit.body.data.id);
  expect([webhook.status, webhook.body]).toEqual([200, { received: true }]);
  expect((await payDeposit(system, deposit.body.data.id)).body).toEqual({ received: true });
  expect(await balance(student)).toEqual(wallet(10_000, 0));
});

test('the student opens a room with the teacher', async () => {
  const room = await me(student).post('api/rooms', { teacher_id: teacher.id });
  expect(room.body).toEqual(ok(newRoom(student, teacher)));
  roomUuid = room.body.data.uuid;
});

test('both send and read messages', async () => {
  const path = `api/rooms/${roomUuid}/messages`;
  const sent = await me(student).post(path, { message: 'Bonjour 👋', type: 'message' });
  expect(sent.body).toEqual(ok(unreadMessage(roomUuid, student, 'Bonjour 👋')));
  expect((await me(teacher).get(path)).body).toEqual(ok([unreadMessage(roomUuid, student, 'Bonjour 👋')]));

  const answer = await me(teacher).post(path, { message: 'Prêt pour la leçon', type: 'message' });
  expect(answer.body).toEqual(ok(unreadMessage(roomUuid, teacher, 'Prêt pour la leçon')));
  const [first, last, ...more] = (await me(student).get(`api/rooms/${roomUuid}`)).body.data;
  expect([first.status, last.status, more]).toEqual(['read', 'unread', []]);
  const { sender_id: _replaced, ...rest } = unreadMessage(roomUuid, teacher, 'Prêt pour la leçon');
  expect(last).toEqual({ ...rest, sender: partner(teacher) });
  const [room] = (await me(student).get('api/rooms')).body.data;
  expect(room.last_message).toMatchObject({ sender_id: teacher.id, message: 'Prêt pour la leçon', status: 'read' });
});

test('the student rings and the teacher accepts', async () => {
  const stream = await system.listen(teacher.token);
  const init = await me(student).post('api/call/init', { teacher_user_id: teacher.id, call_type: 'video' });
  const token = expect.stringMatching(/^007/) as unknown;
  expect(init.body).toEqual(ok({ message: expect.any(String), channel: roomUuid, token }));
  const ringing = await eventually('the teacher receives the ring', () =>
    stream.events.find((event) => event.event === 'call.ringing'),
  );
  expect(ringing.data).toMatchObject({
    channel: roomUuid,
    call_type: 'video',
    student_id: student.id,
    teacher_id: teacher.id,
  });
  stream.close();
  const roomToken = async () => (await me(student).get('api/rooms')).body.data[0].rtc_token as unknown;
  await eventually('the room has the token while it rings', async () => (await roomToken()) === init.body.data.token);

  const { token: bearer, password } = student;
  const leave = await system.request('DELETE', 'api/me', { token: bearer, body: { password, forfeit: true } });
  expect(leave.body).toMatchObject({ statusCode: 409, message: 'The account cannot be deleted during a call.' });
  const accept = await me(teacher).post('api/call/accept', { student_user_id: student.id, call_type: 'video' });
  expect(accept.body).toEqual(ok(acceptedCall(student, teacher, roomUuid, init.body.data.token)));
  identifier = accept.body.data.transaction.identifier;
  acceptId = accept.headers.get('x-request-id') ?? '';
  await eventually('the room still has the token', async () => (await roomToken()) === init.body.data.token);
});

test('the id of a request is in the logs of all processes, in the outbox and in NATS', async () => {
  const row = `select count(*)::int as rows from outbox where name = 'call.changed' and context ->> 'requestId' = $1`;
  expect(await system.sql('calls', row, [acceptId])).toEqual([{ rows: 1 }]);
  await eventually('all processes have logged the id', () => system.processesThatLogged(acceptId).length === 5);

  const logger = createLogger('test', 'silent');
  const bus = await connectBus({ url: system.natsUrl, prefix: 'tutoring', name: 'test', limits: testLimits, logger });
  const query = { last_by_subj: bus.subject('events.call.changed') };
  const message = await bus.jsm.streams.getMessage(bus.named('events-calls'), query);
  expect(message?.json()).toMatchObject({ context: { requestId: acceptId } });
  await bus.close();
});

test('the server bills each step once', async () => {
  const bill = () => me(teacher).post('api/call/bill', { identifier });
  expect((await bill()).body).toEqual(ok([]));
  expect((await bill()).body).toEqual(ok([]));
  expect(await balance(student)).toEqual(wallet(9_850, 50));
  expect(await balance(teacher)).toEqual(wallet(135, 0));

  await letPass(61);
  expect((await bill()).body).toEqual(ok([]));
  expect(await balance(student)).toEqual(wallet(9_800, 50));
  expect(await balance(teacher)).toEqual(wallet(180, 0));
});

test('the student ends the call and the due steps are settled', async () => {
  await letPass(130);
  const end = () => me(student).post('api/call/end', { room_uuid: roomUuid, identifier });
  expect((await end()).body).toEqual(ok([]));
  expect((await end()).body).toEqual(ok([]));

  const settled = await eventually('the call is settled', async () => {
    const call = (await me(student).get(`api/calls/${identifier}`)).body.data;
    return call.total_cost === 250 && call;
  });
  expect(settled).toMatchObject({ identifier, state: 'ended', call_type: 'video', channel: roomUuid, steps: 3 });
  expect(settled.total_duration).toBeGreaterThanOrEqual(130);
  expect(settled.total_duration).toBeLessThan(180);
  await eventually('the hold is released', async () => (await balance(student)).data.held === 0);
  expect(await balance(student)).toEqual(wallet(9_750, 0));
  expect(await balance(teacher)).toEqual(wallet(225, 0));

  const late = await me(teacher).post('api/call/bill', { identifier });
  const message = expect.stringContaining('cannot be billed') as unknown;
  expect([late.status, late.body]).toEqual([200, { success: false, statusCode: 500, message }]);
});

test('the teacher withdraws and the administrator pays out', async () => {
  const ask = (amount: number) =>
    me(teacher).post('api/withdrawals', { amount, method: 'mobile_money', account: teacher.phone });
  expect((await ask(500)).body).toMatchObject({ success: false, statusCode: 402 });

  const request = await ask(200);
  expect(request.body).toEqual(ok(withdrawal(teacher, 200)));
  expect(await balance(teacher)).toEqual(wallet(225, 200));

  const { id } = request.body.data;
  const decide = (status: string, more = {}) =>
    as(system, admin).put(`api/admin/withdrawals/${id}`, { status, ...more });
  expect((await decide('pending')).body).toEqual(
    ok({ ...withdrawal(teacher, 200), status: 'pending', ...claimed, ...undecided }),
  );
  const paper = { ref: 'BANK-77', details: 'Paid by transfer' };
  expect((await decide('success', paper)).body).toEqual(
    ok({ ...withdrawal(teacher, 200), status: 'success', ...paper, ...claimed, ...decided }),
  );
});

test('both final balances are correct, in the wallet and in the profile', async () => {
  expect(await balance(student)).toEqual(wallet(9_750, 0));
  expect(await balance(teacher)).toEqual(wallet(25, 0));
  await eventually('the profile', async () => (await me(student).get('api/me')).body.data.solde === 9_750);
});

test('after logout the token is refused before its cached check expires', async () => {
  expect((await me(student).post('api/auth/logout')).body).toEqual(ok({ message: expect.any(String) }));
  const refused = { success: false, statusCode: 401, message: 'Unauthenticated.' };
  const answer = await eventually(
    'the token is refused',
    async () => {
      const asked = await me(student).get('api/me');
      return asked.body.statusCode === 401 && asked;
    },
    SOON_MS,
  );
  expect([answer.status, answer.body]).toEqual([200, refused]);
});

test('a block stops a ringing call and applies in every service until it is lifted', async () => {
  const yao = await register(system, 'student', 'Yao Amegah');
  const afi = await register(system, 'teacher', 'Afi Lawson');
  const deposit = data<{ id: number }>(await me(yao).post('api/deposits', { amount: 1000 }));
  await payDeposit(system, deposit.id);
  const init = () => me(yao).post('api/call/init', { teacher_user_id: afi.id, call_type: 'audio' });
  const { uuid } = data<{ uuid: string }>(await me(yao).post('api/rooms', { teacher_id: afi.id }));
  const write = () => me(afi).post(`api/rooms/${uuid}/messages`, { message: 'Bonjour' });
  const [listener, admins] = [await system.listen(yao.token), await system.listen(admin)];
  await eventually('the call rings', async () => (await init()).body.statusCode === 200);

  data(await me(afi).put(`api/blocks/${yao.id}`));
  expect((await write()).body).toMatchObject({ statusCode: 409, message: 'You cannot write to this person.' });
  await eventually('the call stops ringing', () => listener.events.some(({ event }) => event === 'call.rejected'));
  expect((await init()).body).toMatchObject({ statusCode: 409, message: 'The teacher is already in a call.' });
  const [call] = data<{ identifier: string }[]>(await me(yao).get('api/calls'));
  const about = { user_id: afi.id, reason: 'abuse', room_uuid: uuid, identifier: call!.identifier };
  const report = data<{ id: number }>(await me(yao).post('api/reports', about));
  await eventually('administrators receive the report', () =>
    admins.events.some(({ event, data: created }) => event === 'report.created' && created['id'] === report.id),
  );

  data(await me(afi).delete(`api/blocks/${yao.id}`));
  data(await write());
  expect(data(await me(yao).get('api/rooms/unread'))).toEqual({
    total: 1,
    support: 0,
    rooms: [{ room_uuid: uuid, unread: 1 }],
  });
  await eventually('the call rings again', async () => (await init()).body.statusCode === 200);
  listener.close();
  admins.close();
});
