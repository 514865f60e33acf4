import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { clerk, startDesk, type Desk } from './desk-kit.ts';

/* Clerks and people who act in the same second. */

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const ROUNDS = 8;
const live = async (id: number) => (await desk.casesOf(id)).filter(({ state }) => state !== 'resolved');
const timeline = async (path: string): Promise<{ event: string; from: string | null; to: string | null }[]> =>
  (await desk.ada.get(path)).body.timeline;
type Answer = { status: number };
/** Sends all at once; each again while the service is too busy for it. */
const atOnce = (sends: (() => ReturnType<Desk['reply']>)[]) => Promise.all(sends.map((send) => retryWhile503(send)));
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((one, other) => one - other);

describe('two clerks in the same second', () => {
  test('assign: the last one wins, and of two who expect the version one is refused', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await desk.asks();
      const body = { expected_version: 1 };
      const answers = await atOnce([
        () => desk.ada.put(asked.path, { ...body, assignee_id: 1 }),
        () => desk.bob.put(asked.path, { ...body, assignee_id: 2 }),
      ]);
      expect(statuses(answers)).toEqual([200, 409]);
      const winner = answers.findIndex(({ status }) => status === 200) + 1;
      const loser = answers.find(({ status }) => status === 409)!;
      expect(loser.body.message).toBe(`This was changed by ${winner === 1 ? 'Ada' : 'Bob'} in the meantime.`);
      expect((await desk.casesOf(asked.id))[0]).toMatchObject({ assignee: { id: winner }, version: 2 });
    }
  });

  test('reply: both messages are sent, one of them is the first reply and takes the case', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await desk.asks();
      const uuid = asked.case.room_uuid;
      const answers = await atOnce([
        () => desk.reply(uuid, { message: 'a' }, desk.ada),
        () => desk.reply(uuid, { message: 'b' }, desk.bob),
      ]);
      expect(statuses(answers)).toEqual([200, 200]);
      const first = answers.toSorted((one, other) => one.body.id - other.body.id)[0]!.body;
      expect((await desk.casesOf(asked.id))[0]).toMatchObject({
        ...{ first_reply_at: first.created_at, assignee: { id: first.sender_id }, version: 2 },
      });
    }
  });

  test('snooze, resolve, assign and reply: every change is in the timeline, and none is lost', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await desk.asks();
      const answers = await atOnce([
        () => desk.ada.put(asked.path, { state: 'snoozed' }),
        () => desk.bob.put(asked.path, { state: 'resolved' }),
        () => desk.ada.put(asked.path, { assignee_id: 1 }),
        () => desk.bob.put(asked.path, { labels: ['x'] }),
        () => desk.reply(asked.case.room_uuid),
      ]);
      // Snoozing after resolving is refused; everything else is possible in any order.
      expect(statuses(answers.slice(1))).toEqual([200, 200, 200, 200]);
      expect([200, 409]).toContain(answers[0]!.status);
      const [found] = await desk.casesOf(asked.id);
      expect(found).toMatchObject({ state: 'resolved', labels: ['x'] });
      const states = (await timeline(asked.path)).filter(({ event }) => ['state', 'snoozed'].includes(event));
      expect(states.map(({ event }) => event)).toEqual(answers[0]!.status === 200 ? ['snoozed', 'state'] : ['state']);
      expect((await desk.caseEvents(asked.case.id)).map(({ data }) => data['version'])).toEqual(
        Array.from({ length: Number(found!.version) }, (_, index) => index + 1),
      );
    }
  });

  test('begin a case for the same person: one of them does', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await desk.person();
      const body = { user_id: id, message: 'Hello' };
      const answers = await atOnce([desk.ada, desk.bob].map((who) => () => who.post('/api/admin/desk/cases', body)));
      expect(statuses(answers)).toEqual([200, 409]);
      expect(await live(id)).toHaveLength(1);
    }
  });
});

describe('a message of the person', () => {
  test('in the moment of resolving leaves a live case exactly if it comes after', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await desk.asks();
      const [resolved, sent] = await atOnce([
        () => desk.reply(asked.case.room_uuid, { message: 'Done.', resolve: true }),
        () => asked.api.post('/api/support/messages', { message: 'Wait' }),
      ]);
      expect(statuses([resolved!, sent!])).toEqual([200, 200]);
      const isLater = sent!.body.id > resolved!.body.id;
      const [found, ...more] = await desk.casesOf(asked.id);
      expect(more).toEqual([]);
      expect(found).toMatchObject(
        isLater
          ? { state: 'open', waiting_since: sent!.body.created_at, reopened: 1 }
          : { state: 'resolved', waiting_since: null, reopened: 0 },
      );
    }
  });

  test('with others and with a case that a clerk begins makes one case', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, api } = await desk.person();
      await atOnce([
        ...[1, 2, 3].map((n) => () => api.post('/api/support/messages', { message: `m${n}` })),
        () => desk.ada.post('/api/admin/desk/cases', { user_id: id, message: 'Hello' }),
      ]);
      expect(await live(id)).toHaveLength(1);
    }
  });

  test('in the moment in which a case is opened again by a clerk leaves one case', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const asked = await desk.asks();
      await desk.ada.put(asked.path, { state: 'resolved' });
      const [opened, sent] = await atOnce([
        () => desk.ada.put(asked.path, { state: 'open' }),
        () => asked.api.post('/api/support/messages', { message: 'Again' }),
      ]);
      expect(statuses([opened!, sent!])).toEqual([200, 200]);
      expect(await live(asked.id)).toMatchObject([{ id: asked.case.id, reopened: 1 }]);
    }
  });
});

test('a case that is assigned in the moment in which its assignee loses the right stays with nobody', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = 60 + round;
    await desk.service.receive('admin.changed', clerk(id, 'Eve'));
    const asked = await desk.asks();
    const [assigned] = await Promise.all([
      retryWhile503(() => desk.ada.put(asked.path, { assignee_id: id })),
      desk.service.receive('admin.changed', clerk(id, 'Eve', { roles: ['finance'], version: 2 })),
    ]);
    expect([200, 422]).toContain(assigned.status);
    expect((await desk.casesOf(asked.id))[0]!.assignee).toBeNull();
  }
});

test('the database itself refuses a second live case of a person', async () => {
  const asked = await desk.asks();
  await expect(
    desk.service.asOwner(
      `insert into support_case (room_uuid, user_id, state, subject, opened_at, created_at, updated_at)
       select room_uuid, user_id, 'snoozed', '', opened_at, created_at, updated_at from support_case where id = $1`,
      [asked.case.id],
    ),
  ).rejects.toThrow('support_case_live');
});
