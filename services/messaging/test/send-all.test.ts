import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { rows } from '@tutoring/shared/kit/database/sql';
import { outgoing, type Outgoing } from '../src/conversation/outgoing.ts';
import { sendAll, type Answer } from '../src/conversation/conversation-service.ts';
import { user } from '@tutoring/shared/testing/user';
import { startMessaging, uuidOf, type Messaging } from './kit.ts';

const [SAM, TARA, NAMELESS, BANNED, GONE, STRANGER] = [1, 2, 4, 5, 6, 7];

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
  const { service, pair, meet } = messaging;
  for (const teacher of [TARA, NAMELESS, GONE]) await pair(SAM, teacher);
  await pair(BANNED, TARA);
  await meet(
    user(NAMELESS, 'teacher', { name: '', version: 2 }),
    user(BANNED, 'student', { status: 'banned', version: 2 }),
  );
  await meet(user(GONE, 'teacher', { deleted: true, version: 2 }));
  const devices = { [SAM]: ['sam'], [TARA]: ['tara 1', 'dead', 'tara 2'], [NAMELESS]: ['dead'], [GONE]: ['gone'] };
  for (const [id, device_keys] of Object.entries(devices))
    await service.receive('devices.changed', { user_id: Number(id), device_keys, version: 1 });
  await service.rows(`insert into dead_device (device_key) values ('dead')`);
});
afterAll(() => messaging.stop());

function message(student: number, teacher: number, senderId: number, text: string, client?: string): Outgoing {
  const roomUuid = uuidOf(student, teacher);
  const body = { message: text, type: 'message' as const, ...(client && { client_message_id: client }) };
  return outgoing({ roomUuid, senderId, context: { requestId: text } }, body);
}

const EARLIER = [message(SAM, TARA, SAM, 'from before', 'before'), message(SAM, GONE, TARA, 'by none of them')];
const MIXTURE: [Outgoing, Answer['is']][] = [
  [message(SAM, TARA, SAM, 'one'), 'sent'],
  [message(SAM, TARA, TARA, 'two', 'a'), 'sent'],
  [message(SAM, TARA, SAM, 'three', 'a'), 'sent'],
  [message(SAM, NAMELESS, SAM, 'four', 'a'), 'sent'],
  [message(SAM, TARA, SAM, 'three again', 'a'), 'repeated'],
  [message(SAM, TARA, SAM, 'before again', 'before'), 'repeated'],
  [message(SAM, GONE, SAM, 'to nobody', 'gone'), 'recipient_barred'],
  [message(SAM, GONE, SAM, 'to nobody again', 'gone'), 'recipient_barred'],
  [message(BANNED, TARA, BANNED, 'by a banned one'), 'sender_barred'],
  [message(BANNED, TARA, TARA, 'to a banned one', 'banned'), 'recipient_barred'],
  [message(SAM, TARA, STRANGER, 'not a member', 'a'), 'not_found'],
  [message(SAM, STRANGER, SAM, 'no such room'), 'not_found'],
  [message(SAM, TARA, SAM, 'one'), 'sent'],
  [message(SAM, NAMELESS, NAMELESS, 'five', 'a'), 'sent'],
  [message(SAM, TARA, TARA, 'two again', 'a'), 'repeated'],
  [message(SAM, NAMELESS, SAM, 'six'), 'sent'],
  [message(SAM, TARA, SAM, 'before once more', 'before'), 'repeated'],
];

/** All rows that a send has written. Ids become indices and times comparisons, because they differ between runs. */
async function writtenRows(tx: Tx, results: Answer[]) {
  const messages = await rows<{ id: number; at: string }>(
    tx,
    `select id, created_at as at, room_uuid, sender_id, message, type, message_link, client_message_id from message order by id`,
  );
  const indexOf = (id: unknown) => messages.findIndex((stored) => stored.id === Number(id));
  const isTimeOf = (id: unknown, at: unknown) => messages[indexOf(id)]?.at === at;
  const outbox = await rows<{ data: Record<string, unknown> }>(
    tx,
    `select subject, name, aggregate_id, aggregate_version, data, context from outbox where name = 'message.created' order by id`,
  );
  const pushes = await rows<{ message_id: number }>(
    tx,
    `select (data ->> 'message_id')::bigint as message_id, user_id, device_key, kind, title, body, data - 'message_id' as data,
       expires_at - (select m.created_at from message m where m.id = (data ->> 'message_id')::bigint) as lifetime
     from push order by id`,
  );
  const rooms = await rows<{ student_last_id: number; teacher_last_id: number; at: string }>(
    tx,
    'select uuid, student_last_id, teacher_last_id, updated_at as at from room order by uuid',
  );
  return {
    results: results.map((one) => {
      if (!('shown' in one)) return one;
      const { id, created_at, updated_at, ...shown } = one.shown;
      const times = [isTimeOf(id, created_at), isTimeOf(id, updated_at)];
      return { ...one, shown: { ...shown, id: indexOf(id), times } };
    }),
    messages: messages.map((one) => ({ ...one, id: indexOf(one.id), at: undefined })),
    outbox: outbox.map((one) => ({
      ...one,
      data: {
        ...one.data,
        id: indexOf(one.data['id']),
        created_at: isTimeOf(one.data['id'], one.data['created_at']),
        updated_at: isTimeOf(one.data['id'], one.data['updated_at']),
      },
    })),
    pushes: pushes.map((one) => ({ ...one, message_id: indexOf(one.message_id) })),
    rooms: rooms.map(({ at, ...one }) => ({
      ...one,
      student_last_id: indexOf(one.student_last_id),
      teacher_last_id: indexOf(one.teacher_last_id),
      at: isTimeOf(Math.max(one.student_last_id, one.teacher_last_id), at),
    })),
  };
}

class RolledBack extends Error {}

/** Sends messages, and executes the writes of the COMMIT immediately. */
async function send(tx: Tx, items: Outgoing[]): Promise<{ answers: Answer[]; pushed: boolean }> {
  let pushed = false;
  const answers = await sendAll(tx, items, () => (pushed = true));
  for (const { sql, parameters, done } of tx.commit!.lastWrites.splice(0)) done(await rows(tx, sql, parameters));
  // Lets the continuations of the writes run.
  await Promise.resolve();
  return { answers, pushed };
}

/** Runs `work` in a transaction that is rolled back. Returns the rows that it has written. */
async function rolledBack(work: (tx: Tx) => Promise<Answer[]>) {
  let left: Awaited<ReturnType<typeof writtenRows>> | undefined;
  const transaction = messaging.service.service.database.transact(async (tx) => {
    await send(tx, EARLIER);
    left = await writtenRows(tx, await work(tx));
    throw new RolledBack();
  });
  await expect(transaction).rejects.toThrow(RolledBack);
  return left!;
}

test('a batch of messages writes the same rows as single sends', async () => {
  const items = MIXTURE.map(([item]) => item);
  const pushed: boolean[] = [];
  const sendAndRecord = async (tx: Tx, some: Outgoing[]) => {
    const sending = await send(tx, some);
    pushed.push(sending.pushed);
    return sending.answers;
  };
  const together = await rolledBack((tx) => sendAndRecord(tx, items));
  const oneByOne = await rolledBack(async (tx) => {
    const results: Answer[] = [];
    for (const item of items) results.push(...(await sendAndRecord(tx, [item])));
    return results;
  });
  expect(together).toEqual(oneByOne);
  expect(together.results.map(({ is }) => is)).toEqual(MIXTURE.map(([, verdict]) => verdict));
  expect(together.messages.map((one) => (one as Record<string, unknown>)['message'])).toEqual([
    'from before',
    'one',
    'two',
    'three',
    'four',
    'one',
    'five',
    'six',
  ]);
  expect(together.outbox.map((one) => (one as Record<string, unknown>)['context'])).toEqual(
    together.messages.map((one) => ({ requestId: (one as Record<string, unknown>)['message'] })),
  );
  expect(together.pushes.map(({ message_id }) => message_id)).toEqual([0, 0, 1, 1, 2, 3, 3, 5, 5, 6]);
  expect(pushed).toEqual([
    // First the batch, then the single messages.
    true,
    true,
    true,
    true,
    false,
    ...Array.from({ length: 8 }, () => false),
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('an empty batch is accepted', async () => {
  expect((await rolledBack(async (tx) => (await send(tx, [])).answers)).results).toEqual([]);
});
