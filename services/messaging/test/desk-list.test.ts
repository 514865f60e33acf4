import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { clerk, startDesk, type Desk, type ShownCase } from './desk-kit.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

const LIST = '/api/admin/desk/casesall';
const page = async (body: object = {}) => (await desk.ada.post(LIST, body)).body;
const idsOf = async (body: object): Promise<number[]> =>
  (await page({ pageItems: 100, ...body })).data.map(({ id }: ShownCase) => id);

describe('casesall', () => {
  test('lists the longest wait first, then the cases that wait for nobody; or the newest first', async () => {
    const [first, second, third] = [await desk.asks(), await desk.asks(), await desk.asks()];
    await desk.reply(first.case.room_uuid);
    const [a, b, c] = [first, second, third].map((asked) => asked.case.id);
    const only = async (body: object) => (await idsOf(body)).filter((id) => [a, b, c].includes(id));
    expect(await only({})).toEqual([b, c, a]);
    expect(await only({ order: 'asc' })).toEqual([a, c, b]);
    expect(await only({ sort: 'newest' })).toEqual([c, b, a]);
    expect(await only({ sort: 'newest', order: 'asc' })).toEqual([a, b, c]);
  });

  test('filters by state, assignee, label and person; the total is of the filter', async () => {
    const [mine, bobs, free] = [await desk.asks(), await desk.asks(), await desk.asks()];
    await desk.ada.put(mine.path, { assignee_id: 1, labels: ['vip', 'late'] });
    await desk.ada.put(bobs.path, { assignee_id: 2, state: 'snoozed', labels: ['vip'] });
    await desk.ada.put(free.path, { state: 'resolved' });
    const [a, b, c] = [mine, bobs, free].map((asked) => asked.case.id);
    const only = async (body: object) =>
      (await idsOf({ sort: 'newest', order: 'asc', ...body })).filter((id) => [a, b, c].includes(id));
    expect(await only({ state: 'open' })).toEqual([a]);
    expect(await only({ state: 'snoozed' })).toEqual([b]);
    expect(await only({ state: 'resolved' })).toEqual([c]);
    expect(await only({ assignee: 'me' })).toEqual([a]);
    expect(await only({ assignee: 2 })).toEqual([b]);
    expect(await only({ assignee: '2', state: 'open' })).toEqual([]);
    expect(await only({ assignee: 'none' })).toEqual([c]);
    expect(await idsOf({ label: 'vip', sort: 'newest', order: 'asc' })).toEqual([a, b]);
    expect(await page({ label: 'vip', state: 'open' })).toMatchObject({ total: 1, data: [{ id: a }] });
    expect(await page({ user_id: free.id })).toMatchObject({ total: 1, data: [{ id: c }] });
    for (const body of [{}, { state: 'open' }, { assignee: 'me' }, { assignee: 'none', state: 'resolved' }])
      expect((await page(body)).total).toBe((await idsOf(body)).length);
    const two = await page({ pageItems: 2, page: 2 });
    expect([two.current_page, two.data.length, two.total]).toEqual([2, 2, (await page()).total]);
  });

  test.each([
    [{ assignee: 'you' }, 'assignee'],
    [{ assignee: 0 }, 'assignee'],
    [{ state: 'closed' }, 'state'],
    [{ sort: 'oldest' }, 'sort'],
    [{ user_id: 987_654 }, 'user_id'],
  ])('%j is a 422', async (body, field) => {
    const { status, body: answer } = await desk.ada.post(LIST, body);
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]]);
  });

  test('finds messages of both sides, notes and names, without case and accents', async () => {
    const asked = await desk.asks('Zébulon a PAYÉ deux fois, 100%_sûr');
    await desk.messaging.meet(user(asked.id, 'student', { name: 'Ömer Zyx', version: 2 }));
    await desk.reply(asked.case.room_uuid, { message: 'Le virement Xylophone arrive' });
    await desk.ada.post(`${asked.path}/notes`, { text: 'Vérifier chez Quetzalcóatl' });
    for (const q of [
      'zebulon',
      'ZÉBU',
      'a paye deux',
      'xylophone',
      'quetzalcoatl',
      'omer zyx',
      'zy',
      '100%_s',
      '  Zébulon ',
    ])
      expect([q, await idsOf({ q })]).toEqual([q, [asked.case.id]]);
    expect(await idsOf({ filter_value: 'xylophone' })).toEqual([asked.case.id]);
    for (const q of ['zebulonx', '100%xs', 'u' + asked.id + '@example', '+22507', "'; drop"])
      expect([q, await idsOf({ q })]).toEqual([q, []]);
    expect(await page({ q: 'zebulon', state: 'resolved' })).toMatchObject({ total: 0, data: [] });
    expect(await page({ q: 'zebulon', assignee: 'me' })).toMatchObject({ total: 1 });
  });

  test('finds a case by its id, which comes first', async () => {
    const [older, newer] = [await desk.asks(), await desk.asks()];
    const { id } = older.case;
    await desk.ada.post(`${newer.path}/notes`, { text: `The same as case ${id}${id}` });
    await desk.ada.post(`${newer.path}/notes`, { text: `As in #${id}, he waits` });
    for (const order of ['asc', 'desc']) expect((await idsOf({ q: `#${id}`, sort: 'newest', order }))[0]).toBe(id);
    expect((await idsOf({ filter_value: String(id) }))[0]).toBe(id);
    expect(await idsOf({ q: `#${id}`, state: 'resolved' })).toEqual([]);
    expect(await idsOf({ q: '999999999999999' })).toEqual([]);
    expect(await idsOf({ q: '9999999999999999999999' })).toEqual([]);
  });

  test('finds a common name among the few cases that pass a filter', async () => {
    const [first, second] = [await desk.asks(), await desk.asks()];
    for (const { id } of [first, second])
      await desk.messaging.meet(user(id, 'student', { name: 'Common Wyrd', version: 2 }));
    await desk.ada.put(second.path, { labels: ['wyrd'] });
    expect(await page({ q: 'wyrd' })).toMatchObject({ total: 2 });
    expect(await page({ q: 'wyrd', label: 'wyrd' })).toMatchObject({ total: 1, data: [{ id: second.case.id }] });
    expect(await page({ q: 'wyrd', assignee: 'me' })).toMatchObject({ total: 0 });
  });

  test('filters the cases of a name before it takes 300 of them', async () => {
    const asked = await desk.asks();
    await desk.messaging.meet(user(asked.id, 'student', { name: 'Quorra', version: 2 }));
    await desk.service.asOwner(
      `insert into support_case (room_uuid, user_id, state, subject, opened_at, resolved_at, created_at, updated_at)
       select room_uuid, user_id, 'resolved', '', opened_at, opened_at, opened_at, opened_at
       from support_case, generate_series(1, 350) where id = $1`,
      [asked.case.id],
    );
    // The live case becomes the last one of the table.
    await desk.ada.put(asked.path, { labels: ['q'] });
    expect(await page({ q: 'quorra' })).toMatchObject({ total: 300 });
    expect(await page({ q: 'quorra', state: 'open' })).toMatchObject({ total: 1 });
  });
});

test('the agents are the active administrators with the right desk, by name', async () => {
  await desk.service.receive('admin.changed', clerk(3, 'Zoé', { status: 'inactive' }));
  await desk.service.receive('admin.changed', clerk(4, 'Finn', { roles: ['finance'] }));
  await desk.service.receive('admin.changed', clerk(5, 'Éa', { level: 'su', roles: ['all'] }));
  const { body } = await desk.ada.get('/api/admin/desk/agents');
  const known = [1, 2, 3, 4, 5];
  expect(body.filter(({ id }: { id: number }) => known.includes(id))).toEqual([
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
    { id: 5, name: 'Éa' },
  ]);
});

test('counts are of the open cases, and of the snoozed ones', async () => {
  const counts = async (who = desk.ada) => (await who.get('/api/admin/desk/counts')).body;
  const before = await counts();
  const [first, second, third] = [await desk.asks(), await desk.asks(), await desk.asks()];
  await desk.ada.put(first.path, { assignee_id: 1 });
  await desk.ada.put(second.path, { assignee_id: 1, state: 'snoozed' });
  expect(await counts()).toEqual({
    ...{ open: before.open + 2, mine: before.mine + 1 },
    ...{ unassigned: before.unassigned + 1, snoozed: before.snoozed + 1 },
  });
  await desk.ada.put(third.path, { state: 'resolved' });
  expect((await counts(desk.bob)).mine).toBe((await idsOf({ assignee: 2, state: 'open' })).length);
  expect((await counts()).open).toBe((await idsOf({ state: 'open' })).length);
});

describe('stats', () => {
  const path = (from: string, to: string) => `/api/admin/desk/stats?from=${from}&to=${to}`;
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  /** Until tomorrow: the day may end during the tests. */
  const NOW = path(dayAfter(0), dayAfter(1));

  test('have medians, percentiles, scores and agents of the days', async () => {
    const { service } = desk;
    await service.asOwner('alter table support_case disable trigger user');
    const day = (hour: number, second = 0) =>
      `2025-03-05T${String(hour).padStart(2, '0')}:00:${String(second).padStart(2, '0')}Z`;
    for (const [index, wait] of [10, 20, 50].entries())
      await service.asOwner(
        `with made as (
           insert into support_case (room_uuid, user_id, state, subject, opened_at, first_reply_at, resolved_at, resolved_by,
             score, rated_at, created_at, updated_at)
           select uuid, user_id, 'resolved', '', $1, $2, $3, $4, $5::int, case when $5::int > 0 then $3::timestamptz end, $1, $1
           from support_room order by uuid limit 1 returning id)
         insert into support_case_event (case_id, event, by_id, was, becomes, seconds, at)
         select id, 'state', $4, 'open', 'resolved', $6, $3 from made`,
        [day(1), day(1, wait), day(3), index === 2 ? 2 : 1, [5, null, 4][index], 100 * (index + 1)],
      );
    await service.asOwner('alter table support_case enable trigger user');
    const { status, body } = await desk.ada.get(path('2025-03-05', '2025-03-05'));
    expect([status, body]).toEqual([
      200,
      {
        ...{ opened: 3, resolved: 3, reopened: 0, rated: 2, score: '4.5' },
        first_reply: { median: 20, p90: 44 },
        resolution: { median: 200, p90: 280 },
        by_agent: [
          { id: 1, name: 'Ada', resolved: 2, first_reply_median: 15, score: '5.0' },
          { id: 2, name: 'Bob', resolved: 1, first_reply_median: 50, score: '4.0' },
        ],
      },
    ]);
    const nothing = { median: null, p90: null };
    expect((await desk.ada.get(path('2025-03-06', '2025-03-07'))).body).toEqual({
      ...{ opened: 0, resolved: 0, reopened: 0, rated: 0, score: '' },
      ...{ first_reply: nothing, resolution: nothing, by_agent: [] },
    });
  });

  test('count what clerks and people do', async () => {
    const read = async () => (await desk.ada.get(NOW)).body;
    const before = await read();
    const asked = await desk.asks();
    await desk.reply(asked.case.room_uuid, { message: 'Done.', resolve: true });
    await asked.api.post('/api/support/messages', { message: 'No' });
    await desk.ada.put(asked.path, { state: 'resolved' });
    await asked.api.post('/api/support/rating', { score: 1 });
    expect(await read()).toMatchObject({
      ...{ opened: before.opened + 1, resolved: before.resolved + 2 },
      ...{ reopened: before.reopened + 1, rated: before.rated + 1 },
    });
  });

  test('keep the score of an agent whose case has been reopened', async () => {
    await desk.service.receive('admin.changed', clerk(40, 'Kim'));
    const asked = await desk.asks();
    await desk.as(40, 'Kim').put(asked.path, { state: 'resolved' });
    await asked.api.post('/api/support/rating', { score: 2 });
    await asked.api.post('/api/support/messages', { message: 'No' });
    const { by_agent: agents } = (await desk.ada.get(NOW)).body;
    expect(agents).toContainEqual(expect.objectContaining({ id: 40, resolved: 1, score: '2.0' }));
  });

  test.each([
    ['', 'from'],
    ['?from=2026-01-02&to=2026-01-01', 'to'],
    ['?from=2025-01-01&to=2026-01-02', 'to'],
    ['?from=2026-01-01', 'to'],
  ])('%s is a 422', async (query, field) => {
    const { status, body } = await desk.ada.get(`/api/admin/desk/stats${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, expect.arrayContaining([field])]);
  });

  test('of 366 days are allowed', async () => {
    expect((await desk.ada.get(path('2024-01-01', '2024-12-31'))).status).toBe(200);
  });
});
