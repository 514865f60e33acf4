import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventData } from '@tutoring/shared/contract/events';
import { user } from '@tutoring/shared/testing/user';
import { eventually } from '@tutoring/shared/testing/wait';
import { call, startMessaging, startFakeService, uuidOf, type Messaging } from './kit.ts';

/* A batch of call events is processed with a few statements, with the same result as one event after the other. */

type CallChanged = EventData<'call.changed'>;

let identity: Awaited<ReturnType<typeof startFakeService>>;
let messaging: Messaging;
beforeAll(async () => {
  identity = await startFakeService({});
  messaging = await startMessaging({ IDENTITY_URL: identity.url });
});
afterAll(async () => {
  await messaging.stop();
  await identity.stop();
});

const consumed = async (ids: string[]) =>
  (await messaging.service.rows('select from inbox where event_id = any($1)', [ids])).length;
async function receiveTogether(calls: CallChanged[]): Promise<string[]> {
  const ids = await messaging.service.receiveTogether('call.changed', calls);
  await eventually('all are consumed', async () => (await consumed(ids)) === ids.length);
  return ids;
}

const pushesTo = (userId: number) =>
  messaging.service.rows<{ kind: string; body: string }>('select kind, body from push where user_id = $1 order by id', [
    userId,
  ]);
const roomsOf = (studentId: number) =>
  messaging.service.rows<{ uuid: string }>('select uuid from room where student_id = $1 order by uuid', [studentId]);
const now = () => new Date().toISOString();

test('each transaction creates the rooms of its calls in one statement, and publishes them with the context of their calls', async () => {
  const { service } = messaging;
  const pairs = Array.from({ length: 60 }, (_none, index) => ({
    student: 1_001 + 2 * index,
    teacher: 1_002 + 2 * index,
  }));
  for (const { student, teacher } of pairs) {
    identity.answers[`/internal/users/${student}`] = user(student, 'student');
    identity.answers[`/internal/users/${teacher}`] = user(teacher, 'teacher');
  }
  await service.asOwner(`
    create table statement ();
    grant insert on statement to public;
    create function count_statement() returns trigger language plpgsql as
      $$ begin insert into statement default values; return null; end $$;
    create trigger counted after insert on room for each statement execute function count_statement();
    create trigger counted after insert on user_copy for each statement execute function count_statement();
    create trigger counted after insert on call_copy for each statement execute function count_statement()`);
  const ids = await receiveTogether(pairs.map(({ student, teacher }) => call(student, teacher)));
  const [made] = await service.rows<{ rooms: number; transactions: number }>(
    'select count(*) as rooms, count(distinct xmin::text) as transactions from room where student_id > 1000',
  );
  // Statements of rolled-back transactions are not counted.
  const statements = await service.asOwner('select from statement');
  expect(made!.rooms).toBe(60);
  expect(statements.length).toBeLessThanOrEqual(3 * made!.transactions);
  const published = await service.rows<{ subject: string; name: string; request: string }>(
    `select subject, name, context ->> 'requestId' as request from outbox
     where name in ('room.changed', 'room.created') order by id`,
  );
  for (const [index, { student, teacher }] of pairs.entries()) {
    // An event without a request id is its own context: its id is used.
    const request = ids[index];
    expect(published.filter((event) => event.request === request)).toEqual([
      { subject: 'events.room.changed', name: 'room.changed', request },
      { subject: `live.user.${student}.${teacher}`, name: 'room.created', request },
    ]);
  }
});

test('a batch with several states of a call queues the same notifications as single events; older states have no effect', async () => {
  await messaging.meet(user(11, 'student'), user(12, 'teacher'), user(13, 'student'), user(14, 'teacher'));
  const { service } = messaging;
  for (const user_id of [12, 14]) await service.receive('devices.changed', { user_id, device_keys: ['k'], version: 1 });
  // Keeps notifications in the queue.
  await service.asOwner(`
    create function keep() returns trigger language plpgsql as $$ begin new.next_attempt_at = 'infinity'; return new; end $$;
    create trigger keep before insert on push for each row execute function keep();`);
  const first = call(11, 12);
  const second = call(11, 12, { identifier: 'second' });
  const other = call(13, 14);
  await receiveTogether([
    first,
    other,
    { ...first, state: 'missed', ended_at: now(), version: 2 },
    second,
    { ...first, state: 'missed', ended_at: now(), version: 2 },
    { ...first, version: 1 },
  ]);
  expect(await pushesTo(12)).toEqual([
    { kind: 'missed_call', body: 'Missed call' },
    { kind: 'incoming_call', body: 'Incoming video call' },
  ]);
  expect(await pushesTo(14)).toEqual([{ kind: 'incoming_call', body: 'Incoming video call' }]);
  expect(await roomsOf(11)).toEqual([{ uuid: uuidOf(11, 12) }]);
  // The queued rings are deleted, and notifications of their ends are queued.
  await receiveTogether([
    { ...other, state: 'active', accepted_at: now(), version: 2 },
    { ...second, state: 'rejected', ended_at: now(), version: 2 },
    { ...other, state: 'ended', accepted_at: now(), ended_at: now(), version: 3 },
    { ...other, version: 1 },
  ]);
  expect(await pushesTo(12)).toEqual([
    { kind: 'missed_call', body: 'Missed call' },
    { kind: 'call_over', body: 'The call was rejected' },
  ]);
  expect(await pushesTo(14)).toEqual([{ kind: 'call_over', body: 'The call was accepted' }]);
  expect(
    await service.rows(`select identifier, state, version from call_copy where room_uuid = any($1) order by 1`, [
      [uuidOf(11, 12), uuidOf(13, 14)],
    ]),
  ).toEqual([
    { identifier: 'call-11-12', state: 'missed', version: 2 },
    { identifier: 'call-13-14', state: 'ended', version: 3 },
    { identifier: 'second', state: 'rejected', version: 2 },
  ]);
});

test('a call of another namespace or of people whom identity cannot return does not delay other calls', async () => {
  const { service } = messaging;
  await messaging.meet(
    ...[21, 23, 27].map((id) => user(id, 'student')),
    ...[22, 24, 28].map((id) => user(id, 'teacher')),
  );
  identity.state.away = true;
  const ids = await service.receiveTogether('call.changed', [
    call(21, 22),
    call(23, 24, { channel: uuidOf(1, 1) }),
    call(25, 26),
    call(27, 28),
    call(21, 22, { state: 'canceled', ended_at: now(), version: 2 }),
  ]);
  const [one, foreign, asking, another, canceled] = ids;
  await eventually('the others are consumed', async () => (await consumed([one!, another!, canceled!])) === 3);
  expect([await roomsOf(21), await roomsOf(27)]).toEqual([[{ uuid: uuidOf(21, 22) }], [{ uuid: uuidOf(27, 28) }]]);
  expect([await roomsOf(23), await roomsOf(25), await consumed([foreign!, asking!])]).toEqual([[], [], 0]);
  identity.state.away = false;
  identity.answers['/internal/users/25'] = user(25, 'student');
  identity.answers['/internal/users/26'] = user(26, 'teacher');
  await eventually('the waiting call is consumed', async () => (await consumed([asking!])) === 1);
  expect(await roomsOf(25)).toEqual([{ uuid: uuidOf(25, 26) }]);
  const rooms = (await service.published('room.changed')).map(({ uuid }) => uuid);
  expect(rooms.filter((uuid) => [uuidOf(21, 22), uuidOf(27, 28), uuidOf(25, 26)].includes(uuid)).toSorted()).toEqual(
    [uuidOf(21, 22), uuidOf(27, 28), uuidOf(25, 26)].toSorted(),
  );
});
