import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { startDesk, type Desk } from './desk-kit.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const HOUR = 3_600;
const DAY = 24 * HOUR;
const AVATAR = 'http://public.test/api/assets/avatar.png';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const detail = async (path: string) => (await desk.ada.get(path)).body;
const events = async (path: string) => (await detail(path)).timeline.map(({ event }: { event: string }) => event);

describe('a message of a person', () => {
  test('opens a case, which the list, the detail and the live event show alike', async () => {
    const { id, api } = await desk.person();
    const sent = await api.post('/api/support/messages', { message: 'Help, I paid twice' });
    const [found] = await desk.casesOf(id);
    expect(found).toEqual({
      id: expect.any(Number),
      room_uuid: sent.body.room_uuid,
      user: { id, name: `Sam ${id}`, photo: AVATAR, platform: 'student' },
      state: 'open',
      assignee: null,
      labels: [],
      snoozed_until: null,
      subject: 'Help, I paid twice',
      waiting_since: sent.body.created_at,
      first_reply_at: null,
      resolved_at: null,
      reopened: 0,
      rating: null,
      last_message: { ...sent.body, time: expect.any(String) },
      unread: 1,
      version: 1,
      created_at: sent.body.created_at,
      updated_at: TIME,
    });
    const path = `/api/admin/desk/cases/${found!.id}`;
    expect(await detail(path)).toEqual({
      ...found,
      last_message: { ...sent.body, time: expect.any(String) },
      notes: [],
      timeline: [{ event: 'opened', by: null, at: TIME, from: null, to: null }],
      others: [],
    });
    expect(await desk.caseEvents(found!.id)).toEqual([
      {
        to: 'admins',
        event: 'desk.case',
        data: { ...found, last_message: { ...sent.body, time: expect.any(String) } },
      },
    ]);
  });

  test('of an open case that waits changes nothing and publishes nothing', async () => {
    const asked = await desk.asks();
    await asked.api.post('/api/support/messages', { message: 'And?' });
    const [found] = await desk.casesOf(asked.id);
    expect(found).toMatchObject({ waiting_since: asked.case['waiting_since'], unread: 2, version: 1 });
    expect(await desk.caseEvents(asked.case.id)).toHaveLength(1);
  });

  test('reopens a case that was resolved lately, and opens another one later', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'resolved' });
    try {
      await desk.service.shiftClock(71 * HOUR);
      const again = await asked.api.post('/api/support/messages', { message: 'Me again' });
      expect(await desk.casesOf(asked.id)).toMatchObject([
        { id: asked.case.id, state: 'open', reopened: 1, resolved_at: null, waiting_since: again.body.created_at },
      ]);
      await desk.ada.put(asked.path, { state: 'resolved' });
      await desk.service.shiftClock(71 * HOUR + 73 * HOUR);
      await asked.api.post('/api/support/messages', { message: 'Something else' });
      expect(await desk.casesOf(asked.id)).toMatchObject([
        { state: 'open', subject: 'Something else', reopened: 0 },
        { id: asked.case.id, state: 'resolved' },
      ]);
      const [latest] = await desk.casesOf(asked.id);
      const { others } = await detail(`/api/admin/desk/cases/${latest!.id}`);
      expect(others).toMatchObject([{ id: asked.case.id }]);
      expect((await detail(asked.path)).others).toEqual([]);
      expect(await events(asked.path)).toEqual(['opened', 'state', 'reopened', 'state']);
    } finally {
      await desk.service.shiftClock(0);
    }
  });

  test('wakes a snoozed case, whose assignee stays', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'snoozed', assignee_id: 2 });
    await asked.api.post('/api/support/messages', { message: 'And?' });
    expect((await desk.casesOf(asked.id))[0]).toMatchObject({ state: 'open', assignee: { id: 2, name: 'Bob' } });
    expect(await events(asked.path)).toEqual(['opened', 'snoozed', 'assigned', 'woken']);
  });

  test('that is repeated opens no second case', async () => {
    const { id, api } = await desk.person();
    const body = { message: 'Help', client_message_id: 'c' };
    await Promise.all([1, 2, 3].map(() => api.post('/api/support/messages', body)));
    expect(await desk.casesOf(id)).toHaveLength(1);
  });
});

test('at most 1,000 unread messages are counted', async () => {
  const asked = await desk.asks();
  const insert = (count: number) =>
    desk.service.asOwner(
      `with m as (insert into support_message (room_uuid, sender_id, by_staff, message, type, created_at)
         select $1, $2, false, 'x', 'message', app_now() from generate_series(1, $3) returning id)
       update support_room set user_last_id = (select max(id) from m) where uuid = $1`,
      [asked.case.room_uuid, asked.id, count],
    );
  await insert(998);
  expect((await detail(asked.path)).unread).toBe(999);
  await insert(2);
  expect((await detail(asked.path)).unread).toBe(1_000);
});

describe('a reply', () => {
  test('ends the waiting and takes an unassigned case', async () => {
    const asked = await desk.asks();
    const reply = await desk.reply(asked.case.room_uuid, { message: 'How?' }, desk.bob);
    expect(Object.keys(reply.body)).not.toContain('resolve');
    expect((await desk.casesOf(asked.id))[0]).toMatchObject({
      ...{ waiting_since: null, first_reply_at: reply.body.created_at, assignee: { id: 2, name: 'Bob' }, version: 2 },
    });
    const second = await desk.reply(asked.case.room_uuid);
    expect(second.status).toBe(200);
    expect((await desk.casesOf(asked.id))[0]).toMatchObject({
      first_reply_at: reply.body.created_at,
      assignee: { id: 2 },
      version: 2,
    });
  });

  test('with `resolve` resolves the case in one change, and asks the person for a rating', async () => {
    const asked = await desk.asks();
    const before = (await desk.caseEvents(asked.case.id)).length;
    await desk.reply(asked.case.room_uuid, { message: 'Done.', resolve: true });
    expect((await desk.casesOf(asked.id))[0]).toMatchObject({ state: 'resolved', resolved_at: TIME, version: 2 });
    expect(await desk.caseEvents(asked.case.id)).toHaveLength(before + 1);
    const told = (await desk.service.live()).filter(({ to }) => to === `user.${asked.id}`);
    expect(told.at(-1)).toEqual({
      to: `user.${asked.id}`,
      event: 'support.resolved',
      data: { case_id: asked.case.id, can_rate: true },
    });
    expect((await asked.api.get('/api/support/messages')).body).toHaveLength(2);
  });

  test('without a live case only sends, with `resolve` too', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'resolved' });
    const before = (await desk.casesOf(asked.id))[0]!;
    expect((await desk.reply(asked.case.room_uuid, { message: 'PS', resolve: 1 })).status).toBe(200);
    const after = (await desk.casesOf(asked.id))[0]!;
    expect({ ...after, last_message: null }).toEqual({ ...before, last_message: null });
  });

  test('on a snoozed case counts, and leaves it snoozed', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'snoozed' });
    await desk.reply(asked.case.room_uuid);
    expect((await desk.casesOf(asked.id))[0]).toMatchObject({ state: 'snoozed', waiting_since: null, version: 3 });
  });
});

describe('an administrator', () => {
  test('begins a case with a message, which the person gets', async () => {
    const { id, api } = await desk.person();
    const begun = await desk.ada.post('/api/admin/desk/cases', { user_id: id, message: 'About your refund' });
    expect([begun.status, begun.body]).toEqual([
      200,
      expect.objectContaining({ state: 'open', unread: 0, version: 1 }),
    ]);
    expect(begun.body).toMatchObject({
      assignee: { id: 1, name: 'Ada' },
      subject: 'About your refund',
      waiting_since: null,
      first_reply_at: begun.body.created_at,
    });
    expect((await api.get('/api/support/messages')).body).toMatchObject([{ message: 'About your refund' }]);
    const twice = await desk.bob.post('/api/admin/desk/cases', { user_id: id, message: 'And this' });
    expect([twice.status, twice.body.message]).toEqual([409, 'This person already has an open case.']);
    expect((await api.get('/api/support/messages')).body).toHaveLength(1);
  });

  test('begins a case for a banned person, not for a deleted, an unknown or none', async () => {
    const [banned, deleted] = [await desk.person(), await desk.person()];
    await desk.messaging.meet(
      user(banned.id, 'student', { status: 'banned', version: 2 }),
      user(deleted.id, 'student', { deleted: true, version: 2 }),
    );
    const begin = async (body: object) => (await desk.ada.post('/api/admin/desk/cases', body)).status;
    expect(await begin({ user_id: banned.id, message: 'x' })).toBe(200);
    expect(await begin({ user_id: deleted.id, message: 'x' })).toBe(409);
    expect(await begin({ user_id: deleted.id })).toBe(422);
    expect(await begin({ user_id: 987_654, message: 'x' })).toBe(422);
    expect(await begin({ user_id: banned.id, message: 'x'.repeat(5_001) })).toBe(422);
  });

  test('repeats with the same key without a second message', async () => {
    const { id, api } = await desk.person();
    const key = { 'idempotency-key': `begin-${id}` };
    const body = { user_id: id, message: 'Once' };
    const first = await desk.ada.post('/api/admin/desk/cases', body, key);
    const second = await desk.ada.post('/api/admin/desk/cases', body, key);
    expect([first.status, second.body.id]).toEqual([200, first.body.id]);
    expect((await api.get('/api/support/messages')).body).toHaveLength(1);
  });
});

describe('a rating', () => {
  const rate = (api: Desk['ada'], body: object) => api.post('/api/support/rating', body);

  test('is of the last resolved case, within seven days, and can be changed until then', async () => {
    const asked = await desk.asks();
    expect((await rate(asked.api, { score: 5 })).status).toBe(409);
    await desk.reply(asked.case.room_uuid, { message: 'Done.', resolve: true });
    const { version } = (await desk.casesOf(asked.id))[0]!;
    const rated = await rate(asked.api, { score: 4, comment: 'Fine' });
    expect([rated.status, rated.body]).toEqual([200, { message: 'Thank you for your rating.' }]);
    expect((await desk.casesOf(asked.id))[0]).toMatchObject({ rating: { score: 4, comment: 'Fine' }, version });
    await rate(asked.api, { score: 5 });
    const sent = (await desk.caseEvents(asked.case.id)).length;
    await rate(asked.api, { score: 5 });
    expect(await desk.caseEvents(asked.case.id)).toHaveLength(sent);
    expect((await detail(asked.path)).timeline.slice(-2)).toMatchObject([
      { event: 'rated', by: null, from: null, to: '4' },
      { event: 'rated', by: null, from: '4', to: '5' },
    ]);
    try {
      await desk.service.shiftClock(7 * DAY + 60);
      expect((await rate(asked.api, { score: 1 })).status).toBe(409);
    } finally {
      await desk.service.shiftClock(0);
    }
  });

  test('is refused while a case lives that was resolved later', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'resolved' });
    await rate(asked.api, { score: 4 });
    const { body: second } = await desk.ada.post('/api/admin/desk/cases', { user_id: asked.id, message: 'Hello' });
    const path = `/api/admin/desk/cases/${second.id}`;
    expect((await rate(asked.api, { score: 3 })).status).toBe(200);
    for (const state of ['resolved', 'open']) await desk.ada.put(path, { state });
    expect((await rate(asked.api, { score: 1 })).status).toBe(409);
    await desk.ada.put(path, { state: 'resolved' });
    await rate(asked.api, { score: 2 });
    expect([await detail(path), await detail(asked.path)]).toMatchObject([
      { rating: { score: 2 } },
      { rating: { score: 3 } },
    ]);
  });

  test.each([{}, { score: 0 }, { score: 6 }, { score: 'x' }, { score: 5, comment: 'x'.repeat(2_001) }])(
    '%j is a 422',
    async (body) => {
      const { api } = await desk.person();
      expect((await rate(api, body)).status).toBe(422);
    },
  );
});
