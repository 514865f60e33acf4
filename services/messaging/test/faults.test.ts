import { rows } from '@tutoring/shared/kit/database/sql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { startMessaging, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
  await messaging.service.asOwner(
    `create function break_down() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`,
  );
});
afterAll(() => messaging.stop());

const stored = (uuid: string) => messaging.service.rows('select id from message where room_uuid = $1', [uuid]);
const createdEvents = async (uuid: string) =>
  (await messaging.service.live()).filter(
    ({ event, data }) => event === 'message.created' && data['room_uuid'] === uuid,
  );

test.each(['outbox', 'push', 'idempotency_key'])(
  'a failed write to %s rolls everything back; the retry creates one message and its events',
  async (table) => {
    const ids = { outbox: 10, push: 20, idempotency_key: 30 }[table]!;
    const { uuid, student } = await messaging.pair(ids, ids + 1);
    await messaging.service.receive('devices.changed', { user_id: ids + 1, device_keys: ['k'], version: 1 });
    const send = () =>
      student.post(`/api/rooms/${uuid}/messages`, { message: 'x', client_message_id: 'c' }, { 'idempotency-key': 'k' });
    await messaging.service.asOwner(
      `create trigger crash before insert or update on ${table} for each row execute function break_down()`,
    );
    const failed = await send();
    expect([failed.status, failed.body]).toEqual([500, { code: 'internal', message: 'Server Error' }]);
    expect([await stored(uuid), await createdEvents(uuid)]).toEqual([[], []]);
    await messaging.service.asOwner(`drop trigger crash on ${table}`);
    const answers = [await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect([(await stored(uuid)).length, (await createdEvents(uuid)).length]).toEqual([1, 2]);
  },
);

test('after a lost response the same client_message_id returns the message, even with another key', async () => {
  const { uuid, student } = await messaging.pair(40, 41);
  const body = { message: 'x', client_message_id: 'c' };
  const first = await student.post(`/api/rooms/${uuid}/messages`, body, { 'idempotency-key': 'a' });
  const again = await student.post(`/api/rooms/${uuid}/messages`, body, { 'idempotency-key': 'b' });
  expect(again.body).toEqual(first.body);
  expect(await stored(uuid)).toHaveLength(1);
});

test('senders whose database connections are cut get a 500 or 503, and retries create exactly one message each', async () => {
  const { uuid, student } = await messaging.pair(50, 51);
  const ids = Array.from({ length: 60 }, (_none, index) => `c${index}`);
  const persist = async (client_message_id: string) => {
    const send = () => student.post(`/api/rooms/${uuid}/messages`, { message: client_message_id, client_message_id });
    return eventually(`${client_message_id} is sent`, async () => {
      const answer = await send();
      if (answer.status === 200) return answer;
      expect([503, 500]).toContain(answer.status);
      return false;
    });
  };
  let next = 0;
  let connectionsCut = 0;
  const cutEvery = 12;
  const sender = async () => {
    const answers = [];
    for (let nr = next++; nr < ids.length; nr = next++) {
      const cut = nr % cutEvery === cutEvery / 2 ? messaging.service.cutConnections() : undefined;
      answers.push(await persist(ids[nr]!));
      connectionsCut += (await cut) ?? 0;
    }
    return answers;
  };
  const answers = (await Promise.all(Array.from({ length: 10 }, sender))).flat();
  expect(connectionsCut).toBeGreaterThan(0);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(60);
  const messages = await messaging.service.rows<{ message: string }>(
    'select message from message where room_uuid = $1',
    [uuid],
  );
  expect(messages.map(({ message }) => message).sort()).toEqual([...ids].sort());
  const announced = (await createdEvents(uuid)).map(({ to, data }) => `${to} ${String(data['id'])}`);
  expect([announced.length, new Set(announced).size]).toEqual([120, 120]);
});

test('a message gets its id only after its room is locked, so ids rise in commit order', async () => {
  const { uuid, student, teacher } = await messaging.pair(60, 61);
  await student.post(`/api/rooms/${uuid}/messages`, { message: 'first' });
  const lastAllocated = async () =>
    (await messaging.service.asOwner('select last_value from message_id_seq'))[0]!['last_value'];
  const before = await lastAllocated();
  const { database } = messaging.service.service;
  const sends = await database.transact(async (tx) => {
    await rows(tx, 'select from room where uuid = $1 for update', [uuid]);
    // A send that waits too long for the room is refused; `insist` retries it.
    const send = (side: typeof student) => side.post(`/api/rooms/${uuid}/messages`, { message: 'next' });
    const waiting = [student, teacher].map((side) => retryWhile503(() => send(side)));
    await eventually('a send waits for the room', async () => {
      const blocked = await messaging.service.asOwner(
        `select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`,
      );
      return blocked.length > 0;
    });
    expect(await lastAllocated()).toBe(before);
    return waiting;
  });
  expect((await Promise.all(sends)).map(({ status }) => status)).toEqual([200, 200]);
});

test('a locked room delays only its own senders', async () => {
  const [locked, free] = [await messaging.pair(70, 71), await messaging.pair(72, 73)];
  const send = ({ uuid, student }: typeof free, id?: string) =>
    student.post(`/api/rooms/${uuid}/messages`, { message: 'hello', ...(id && { client_message_id: id }) });
  const { database } = messaging.service.service;
  const waiting = await database.transact(async (tx) => {
    await rows(tx, 'select from room where uuid = $1 for update', [locked.uuid]);
    // A send that waits too long for the room is refused; `insist` retries it.
    const late = retryWhile503(() => send(locked, 'late'));
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await send(free)).status).toBe(200);
    expect(await stored(locked.uuid)).toEqual([]);
    return [late];
  });
  expect((await waiting[0]!).status).toBe(200);
  expect(await stored(locked.uuid)).toHaveLength(1);
});
