import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countUnread } from '../src/rooms/room-store.ts';
import { user } from '@tutoring/shared/testing/user';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { startMessaging, type Messaging } from './kit.ts';
import { scaled } from '@tutoring/shared/testing/scale';

const RUNS = scaled(300, 15);

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

type Who = 'student' | 'teacher';
type Step =
  | { kind: 'send'; by: Who; times: number; retries: number }
  | { kind: 'retry'; back: number }
  | { kind: 'list' | 'detail' | 'read'; by: Who }
  | { kind: 'readUpTo'; by: Who; at: number }
  | { kind: 'page'; by: Who; before: number; limit: number };

const who = fc.constantFrom<Who>('student', 'teacher');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    by: who,
    times: fc.integer({ min: 1, max: 4 }),
    retries: fc.integer({ min: 0, max: 2 }),
  }),
  fc.record({ kind: fc.constant('retry' as const), back: fc.nat(20) }),
  fc.record({ kind: fc.constantFrom('list' as const, 'detail' as const, 'read' as const), by: who }),
  fc.record({ kind: fc.constant('readUpTo' as const), by: who, at: fc.nat(20) }),
  fc.record({ kind: fc.constant('page' as const), by: who, before: fc.nat(20), limit: fc.integer({ min: 1, max: 5 }) }),
);

const other = (side: Who): Who => (side === 'student' ? 'teacher' : 'student');

/** A simple model of unread counts: messages in order, and the read cursor of each side. */
class Model {
  readonly messages: { id: number; by: Who; clientId: string }[] = [];
  readonly readUpTo = { student: 0, teacher: 0 };
  sort = () => this.messages.sort((a, b) => a.id - b.id);
  read(by: Who, upTo: number) {
    const newest = this.messages.at(-1)?.id ?? 0;
    this.readUpTo[by] = Math.max(this.readUpTo[by], Math.min(upTo, newest));
  }
  isRead = (message: { id: number; by: Who }) => message.id <= this.readUpTo[other(message.by)];
  unread = (side: Who) => this.messages.filter((message) => message.by !== side && !this.isRead(message)).length;
  at = (index: number) => this.messages[this.messages.length === 0 ? 0 : index % this.messages.length];
}

let nextId = 1_000;

async function play(steps: Step[]): Promise<void> {
  const studentId = (nextId += 2);
  const { uuid, ...sides } = await messaging.pair(studentId, studentId + 1);
  const idOf = { student: studentId, teacher: studentId + 1 };
  const path = `/api/rooms/${uuid}/messages`;
  const model = new Model();
  let sent = 0;
  const post = (by: Who, to: string, body: object) => retryWhile503(() => sides[by].post(to, body));
  const send = (by: Who, clientId: string) => post(by, path, { message: clientId, client_message_id: clientId });

  async function sendMany({ by, times, retries }: Step & { kind: 'send' }) {
    const clientIds = Array.from({ length: times }, () => `c${(sent += 1)}`);
    const added = await Promise.all(
      clientIds.map(async (clientId) => {
        const answers = await Promise.all(Array.from({ length: retries + 1 }, () => send(by, clientId)));
        const ids = new Set(answers.map(({ body }) => body.id as number));
        expect(ids.size).toBe(1);
        return { id: [...ids][0]!, by, clientId };
      }),
    );
    model.messages.push(...added);
    model.sort();
  }

  async function listPage(by: Who, query: string, suffix: string) {
    const page = await retryWhile503(() => sides[by].get(`/api/rooms/${uuid}${suffix}${query}`));
    const shown = page.body as { id: number; status: string }[];
    for (const { id, status } of shown) {
      const message = model.messages.find((candidate) => candidate.id === id)!;
      expect([id, status]).toEqual([id, model.isRead(message) ? 'read' : 'unread']);
    }
    model.read(by, shown.at(-1)?.id ?? 0);
  }

  const run: { [Kind in Step['kind']]: (played: Step & { kind: Kind }) => Promise<void> } = {
    send: sendMany,
    retry: async ({ back }) => {
      const message = model.at(back);
      if (message) expect((await send(message.by, message.clientId)).body.id).toBe(message.id);
    },
    list: ({ by }) => listPage(by, '', '/messages'),
    detail: ({ by }) => listPage(by, '', ''),
    page: ({ by, before, limit }) => listPage(by, `?before=${model.at(before)?.id ?? 1}&limit=${limit}`, '/messages'),
    read: async ({ by }) => {
      await post(by, `/api/rooms/${uuid}/read`, {});
      model.read(by, model.messages.at(-1)?.id ?? 0);
    },
    readUpTo: async ({ by, at }) => {
      const upTo = model.at(at)?.id ?? 1;
      await post(by, `/api/rooms/${uuid}/read`, { up_to: upTo });
      model.read(by, upTo);
    },
  };
  for (const current of steps) {
    await run[current.kind](current as never);
    for (const side of ['student', 'teacher'] as const) {
      const counted = await countUnread(messaging.service.service.database.manager, idOf[side]);
      expect([current, side, counted]).toEqual([current, side, model.unread(side)]);
      expect([current, side, (await sides[side].get('/api/rooms/unread')).body]).toEqual([
        current,
        side,
        { total: counted, support: 0, rooms: counted === 0 ? [] : [{ room_uuid: uuid, unread: counted }] },
      ]);
    }
  }
}

test('any interleaving of sends, retries and reads gives the unread counts of a simple model', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), play), {
    numRuns: RUNS,
    endOnFailure: true,
  });
}, 600_000);

describe('GET api/rooms/unread', () => {
  test('lists rooms with unread messages and support, latest activity first; marks nothing as read', async () => {
    const { service, meet, pair } = messaging;
    await meet(user(501, 'student'));
    const client = service.api.student(501);
    const none = await client.get('/api/rooms/unread');
    const [first, second, third] = [await pair(501, 502), await pair(501, 503), await pair(501, 504)];
    for (const by of [first, second, first]) await by.teacher.post(`/api/rooms/${by.uuid}/messages`, { message: 'x' });
    await client.post(`/api/rooms/${third.uuid}/messages`, { message: 'mine' });
    await client.post('/api/support/messages', { message: 'help' });
    const [support] = await service.rows<{ uuid: string }>('select uuid from support_room where user_id = 501');
    await service.api.admin().post(`/api/admin/rooms/${support!.uuid}/messages`, { message: 'yes?' });
    const some = await client.get('/api/rooms/unread');
    expect(JSON.parse(none.text)).toEqual({ total: 0, support: 0, rooms: [] });
    expect(some.text).toBe(
      JSON.stringify({
        total: 4,
        support: 1,
        rooms: [
          { room_uuid: first.uuid, unread: 2 },
          { room_uuid: second.uuid, unread: 1 },
        ],
      }),
    );
    expect((await client.get('/api/rooms/unread')).body).toEqual(some.body);
    await client.get('/api/support/messages');
    await client.get(`/api/rooms/${first.uuid}`);
    expect((await client.get('/api/rooms/unread')).body).toEqual({
      total: 1,
      support: 0,
      rooms: [{ room_uuid: second.uuid, unread: 1 }],
    });
  });

  test.each([
    ['an anonymous caller', 'anonymous', 401],
    ['an administrator', 'admin', 403],
  ] as const)('%s is refused', async (_name, who, status) => {
    const { api } = messaging.service;
    const client = who === 'admin' ? api.admin('su') : api.anonymous;
    expect((await client.get('/api/rooms/unread')).status).toBe(status);
  });
});
