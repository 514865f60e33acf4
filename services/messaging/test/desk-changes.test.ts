import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rows } from '@tutoring/shared/kit/database/sql';
import { clerk, startDesk, type Desk } from './desk-kit.ts';

const MINUTE = 60;

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const soon = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
const until = (time: string) => ({ state: 'snoozed', snoozed_until: time });
const refusal = ({ status, body }: { status: number; body: { message: string } }) => [status, body.message];

describe('PUT api/admin/desk/cases/{id}', () => {
  test('changes what is sent, as one version and one live event', async () => {
    const asked = await desk.asks();
    const until = soon(3_600);
    const change = {
      state: 'snoozed',
      snoozed_until: until,
      assignee_id: '2',
      labels: ['a', 'b', 'a'],
      subject: 'New',
    };
    const { status, body } = await desk.ada.put(asked.path, change);
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ state: 'snoozed', snoozed_until: `${until.slice(0, -1)}000Z`, assignee: { id: 2, name: 'Bob' } },
        ...{ labels: ['a', 'b'], subject: 'New', version: 2 },
      },
    ]);
    const [, changed, ...more] = await desk.caseEvents(asked.case.id);
    expect([changed!.data, more]).toEqual([{ ...body, last_message: expect.anything() }, []]);
    expect((await desk.ada.get(asked.path)).body.timeline.slice(1)).toMatchObject([
      { event: 'snoozed', by: { id: 1, name: 'Ada' }, from: null, to: `${until.slice(0, -1)}000Z` },
      { event: 'assigned', by: { id: 1 }, from: null, to: 'Bob' },
      { event: 'labels', from: '', to: 'a, b' },
      { event: 'subject', from: null, to: null },
    ]);
  });

  test('changes nothing and sends nothing for what is so already', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'snoozed', snoozed_until: soon(3_600), labels: ['x'] });
    const { body: before } = await desk.ada.get(asked.path);
    for (const same of [{ state: 'snoozed' }, { labels: ['x'] }, { assignee_id: null }, {}, { subject: 'Help' }])
      expect((await desk.bob.put(asked.path, same)).body).toMatchObject({ version: 2, updated_at: before.updated_at });
    expect(await desk.caseEvents(asked.case.id)).toHaveLength(2);
  });

  test('with another version than expected is refused by the name of who changed it', async () => {
    const asked = await desk.asks();
    await desk.bob.put(asked.path, { labels: ['bob'], expected_version: 1 });
    expect(refusal(await desk.ada.put(asked.path, { labels: ['ada'], expected_version: 1 }))).toEqual([
      ...[409, 'This was changed by Bob in the meantime.'],
    ]);
    expect((await desk.ada.put(asked.path, { labels: ['ada'], expected_version: 0 })).status).toBe(409);
    const french = { 'accept-language': 'fr' };
    expect((await desk.ada.put(asked.path, { state: 'open', expected_version: 1 }, french)).body.message).toBe(
      'Entre-temps, Bob a modifié cet élément.',
    );
    expect((await desk.ada.put(asked.path, { labels: ['ada'] })).body).toMatchObject({ labels: ['ada'], version: 3 });
  });

  test('counts neither messages of the person nor reading as versions', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'snoozed' });
    await asked.api.post('/api/support/messages', { message: 'And?' });
    await desk.ada.get(`/api/admin/rooms/${asked.case.room_uuid}`);
    expect((await desk.ada.get(asked.path)).body).toMatchObject({ state: 'open', version: 2, unread: 0 });
  });

  test('follows the transitions', async () => {
    const asked = await desk.asks();
    const to = async (state: string) => {
      const { status, body } = await desk.ada.put(asked.path, { state });
      return status === 200 ? [status, body.state, body.reopened] : [status];
    };
    expect(await to('resolved')).toEqual([200, 'resolved', 0]);
    expect(refusal(await desk.ada.put(asked.path, { state: 'snoozed' }))).toEqual([
      ...[409, 'A resolved case cannot be snoozed.'],
    ]);
    expect(await to('open')).toEqual([200, 'open', 1]);
    expect(await to('snoozed')).toEqual([200, 'snoozed', 1]);
    expect(await to('open')).toEqual([200, 'open', 1]);
    expect(await to('snoozed')).toEqual([200, 'snoozed', 1]);
    expect(await to('resolved')).toEqual([200, 'resolved', 1]);
    const other = await desk.ada.post('/api/admin/desk/cases', { user_id: asked.id, message: 'x' });
    expect(refusal(await desk.ada.put(asked.path, { state: 'open' }))).toEqual([
      ...[409, 'This person already has an open case.'],
    ]);
    await desk.ada.put(`/api/admin/desk/cases/${other.body.id}`, { state: 'resolved' });
    expect(await to('open')).toEqual([200, 'open', 2]);
    expect((await desk.ada.get(asked.path)).body.timeline.map(({ event }: { event: string }) => event)).toEqual([
      ...['opened', 'state', 'reopened', 'snoozed', 'woken', 'snoozed', 'state', 'reopened'],
    ]);
  });

  test.each<[string, () => object, string]>([
    ['a past time', () => ({ state: 'snoozed', snoozed_until: soon(-60) }), 'snoozed_until'],
    ['more than a year', () => ({ state: 'snoozed', snoozed_until: soon(367 * 86_400) }), 'snoozed_until'],
    ['a past time with an offset of twenty hours', () => until('2020-01-01T00:00:00+20:00'), 'snoozed_until'],
    ['a time of the year 0', () => until('0000-01-01T00:00:00Z'), 'snoozed_until'],
    ['no time', () => ({ state: 'snoozed', snoozed_until: 'tomorrow' }), 'snoozed_until'],
    ['a time of an open case', () => ({ snoozed_until: soon(60) }), 'snoozed_until'],
    ['an unknown state', () => ({ state: 'closed' }), 'state'],
    ['eleven labels', () => ({ labels: Array.from({ length: 11 }, (_, n) => `l${n}`) }), 'labels'],
    ['a label of 41 characters', () => ({ labels: ['x'.repeat(41)] }), 'labels.0'],
    ['a subject of 121 characters', () => ({ subject: 'x'.repeat(121) }), 'subject'],
    ['an unknown assignee', () => ({ assignee_id: 77 }), 'assignee_id'],
    ['an assignee without desk', () => ({ assignee_id: 3 }), 'assignee_id'],
    ['an inactive assignee', () => ({ assignee_id: 4 }), 'assignee_id'],
  ])('%s is a 422', async (_what, body, field) => {
    await desk.service.receive('admin.changed', clerk(3, 'Cleo', { roles: ['finance'] }));
    await desk.service.receive('admin.changed', clerk(4, 'Dan', { status: 'inactive' }));
    const asked = await desk.asks();
    const { status, body: answer } = await desk.ada.put(asked.path, body());
    expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]]);
    expect((await desk.ada.get(asked.path)).body.version).toBe(1);
  });

  test('takes a time with any offset', async () => {
    const asked = await desk.asks();
    const local = soon((20 + 1) * 3_600).replace('Z', '+20:00');
    const { status, body } = await desk.ada.put(asked.path, until(local));
    expect([status, Date.parse(body.snoozed_until)]).toEqual([200, Date.parse(local)]);
  });

  test('with a time that fits no case is a 422, whatever the case is', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'resolved' });
    for (const path of [asked.path, '/api/admin/desk/cases/987654'])
      for (const time of [soon(-60), soon(367 * 86_400)])
        expect((await desk.ada.put(path, { ...until(time), expected_version: 77 })).status).toBe(422);
    expect((await desk.ada.put(asked.path, { ...until(soon(60)), expected_version: 77 })).status).toBe(409);
  });

  test('opening a resolved case again keeps the wait of a question that nobody has answered', async () => {
    const reopen = async (asked: { path: string }) => {
      await desk.ada.put(asked.path, { state: 'resolved' });
      return (await desk.ada.put(asked.path, { state: 'open' })).body.waiting_since;
    };
    const asked = await desk.asks();
    await asked.api.post('/api/support/messages', { message: 'And?' });
    expect(await reopen(asked)).toBe(asked.case['waiting_since']);
    await desk.reply(asked.case.room_uuid);
    expect(await reopen(asked)).toBeNull();
    const second = await asked.api.post('/api/support/messages', { message: 'No' });
    expect(await reopen(asked)).toBe(second.body.created_at);
    await desk.ada.put(asked.path, { state: 'resolved' });
    const begun = await desk.ada.post('/api/admin/desk/cases', { user_id: asked.id, message: 'Hello' });
    await asked.api.post('/api/support/messages', { message: 'Yes' });
    await desk.reply(asked.case.room_uuid);
    expect(await reopen({ path: `/api/admin/desk/cases/${begun.body.id}` })).toBeNull();
  });

  test('of an unknown case is a 404', async () => {
    for (const id of ['0', '987654', 'x'])
      expect(refusal(await desk.ada.put(`/api/admin/desk/cases/${id}`, {}))).toEqual([404, 'Case not found.']);
  });
});

describe('a snoozed case', () => {
  test('wakes when its time is over, once, by whatever replica', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'snoozed', snoozed_until: soon(30 * MINUTE) });
    try {
      await desk.service.runJob('cases');
      expect((await desk.casesOf(asked.id))[0]!.state).toBe('snoozed');
      await desk.service.shiftClock(31 * MINUTE);
      await Promise.all([1, 2, 3].map(() => desk.service.runJob('cases')));
      expect((await desk.casesOf(asked.id))[0]).toMatchObject({ state: 'open', snoozed_until: null, version: 2 });
      const woken = (await desk.ada.get(asked.path)).body.timeline.filter(
        ({ event }: { event: string }) => event === 'woken',
      );
      expect(woken).toMatchObject([{ by: null }]);
      expect(await desk.caseEvents(asked.case.id)).toHaveLength(3);
    } finally {
      await desk.service.shiftClock(0);
    }
  });

  test('wakes although another one cannot', async () => {
    const [broken, sound] = [await desk.asks(), await desk.asks()];
    for (const { path } of [broken, sound]) await desk.ada.put(path, until(soon(30 * MINUTE)));
    await desk.service.asOwner(
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
       create trigger refuse before update on support_case for each row when (old.id = ${broken.case.id}) execute function refuse()`,
    );
    try {
      await desk.service.shiftClock(31 * MINUTE);
      await expect(desk.service.runJob('cases')).rejects.toThrow('refused');
      expect((await desk.casesOf(sound.id))[0]!.state).toBe('open');
    } finally {
      await desk.service.shiftClock(0);
      await desk.service.asOwner('drop trigger refuse on support_case');
    }
  });

  test('without a time waits for the next message', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'snoozed', snoozed_until: null });
    await desk.service.runJob('cases');
    expect((await desk.casesOf(asked.id))[0]!.state).toBe('snoozed');
  });
});

describe('an administrator who loses the right or is deactivated', () => {
  test.each([
    [51, { roles: ['finance'], version: 2 }],
    [52, { status: 'inactive' as const, version: 2 }],
  ])('%i, %j: loses the live cases at once, and keeps the resolved ones', async (id, change) => {
    await desk.service.receive('admin.changed', clerk(id, 'Eve'));
    const [live, done] = [await desk.asks(), await desk.asks()];
    for (const { path } of [live, done]) await desk.ada.put(path, { assignee_id: id });
    await desk.ada.put(done.path, { state: 'resolved' });
    await desk.service.receive('admin.changed', clerk(id, 'Eve', change));
    expect((await desk.casesOf(live.id))[0]).toMatchObject({ assignee: null, version: 2 });
    expect((await desk.casesOf(done.id))[0]).toMatchObject({ assignee: { id, name: 'Eve' } });
    expect((await desk.caseEvents(live.case.id)).at(-1)!.data).toMatchObject({ assignee: null });
    expect((await desk.ada.get(live.path)).body.timeline.at(-1)).toMatchObject({ by: null, from: 'Eve', to: null });
    await done.api.post('/api/support/messages', { message: 'Not yet' });
    expect((await desk.casesOf(done.id))[0]).toMatchObject({ state: 'open', assignee: null });
  });
});

test('the service can delete neither cases nor change their timelines', async () => {
  for (const statement of [
    'delete from support_case',
    'delete from support_case_event',
    'update support_case_event set was = null',
  ])
    await expect(rows(desk.service.service.database.manager, statement)).rejects.toThrow('permission denied');
});
