import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDesk, type Desk } from './desk-kit.ts';

/* What people and clerks can repeat makes no answer of the desk grow without end. */

const REPLIES = '/api/admin/desk/replies';
const FRENCH = { 'accept-language': 'fr' };

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

interface Line {
  event: string;
  from: string | null;
  to: string | null;
}
type Asked = Awaited<ReturnType<Desk['asks']>>;

const detail = async ({ path }: Asked) => (await desk.ada.get(path)).body;
const timeline = async (asked: Asked): Promise<Line[]> => (await detail(asked)).timeline;
const refusal = ({ status, body }: { status: number; body: { message: string } }) => [status, body.message];

test('a timeline has its newest 1,000 lines, oldest first', async () => {
  const asked = await desk.asks();
  await desk.service.asOwner(
    `insert into support_case_event (case_id, event, by_id, was, becomes, at)
     select $1, 'labels', 1, (n - 1)::text, n::text, app_now() from generate_series(1, 1003) n`,
    [asked.case.id],
  );
  await desk.ada.put(asked.path, { subject: 'New' });
  const lines = await timeline(asked);
  expect(lines).toHaveLength(1_000);
  expect(lines.slice(0, 2)).toMatchObject([{ to: '5' }, { to: '6' }]);
  expect(lines.slice(-2)).toMatchObject([{ to: '1003' }, { event: 'subject' }]);
});

describe('a rating', () => {
  const rated = async (asked: Asked) => (await timeline(asked)).filter(({ event }) => event === 'rated');
  const rate = async ({ api }: Asked, score: number) => (await api.post('/api/support/rating', { score })).status;

  test('that is changed again and again keeps its newest value and gets twenty lines', async () => {
    const asked = await desk.asks();
    await desk.ada.put(asked.path, { state: 'resolved' });
    for (let time = 1; time <= 23; time += 1) expect(await rate(asked, 1 + (time % 5))).toBe(200);
    const lines = await rated(asked);
    expect(lines).toHaveLength(20);
    expect(lines.at(-1)).toMatchObject({ from: '5', to: '1' });
    expect(await detail(asked)).toMatchObject({ rating: { score: 4, comment: null } });
    for (const state of ['open', 'resolved']) await desk.ada.put(asked.path, { state });
    await rate(asked, 5);
    expect((await rated(asked)).slice(20)).toMatchObject([{ from: '4', to: '5' }]);
  });
});

describe('notes', () => {
  const seed = (asked: Asked, count: number) =>
    desk.service.asOwner(
      `insert into support_note (case_id, author_id, text, created_at, updated_at)
       select $1, 1, n::text, app_now(), app_now() from generate_series(1, $2::int) n`,
      [asked.case.id, count],
    );
  const add = (asked: Asked, headers = {}) => desk.ada.post(`${asked.path}/notes`, { text: 'More' }, headers);

  test('of a case are at most 500', async () => {
    const asked = await desk.asks();
    await seed(asked, 499);
    const answers = [await add(asked), await add(asked)];
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect(answers[1]!.body.message).toBe('There are 500 notes already. Delete one first.');
    expect(refusal(await add(asked, FRENCH))).toEqual([409, 'Il y a déjà 500 notes. Supprimez-en une d’abord.']);
    const { notes } = await detail(asked);
    expect([notes.length, notes[0].text, notes.at(-1).text]).toEqual([500, '1', 'More']);
    await desk.ada.delete(`/api/admin/desk/notes/${notes[0].id}`);
    const atOnce = await Promise.all([add(asked), add(asked, { 'idempotency-key': `last-${asked.id}` })]);
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('beyond 500 are not in the answer', async () => {
    const asked = await desk.asks();
    await seed(asked, 503);
    const { notes } = await detail(asked);
    expect([notes.length, notes[0].text, notes.at(-1).text]).toEqual([500, '4', '503']);
  });
});

describe('saved replies', () => {
  const texts = { text_en: 'Hello', text_fr: 'Bonjour' };
  const save = (shortcut: string, changes: object = {}, headers = {}) =>
    desk.ada.post(REPLIES, { shortcut, ...texts, ...changes }, headers);
  const seed = (count: number) =>
    desk.service.asOwner(
      `insert into support_reply (shortcut, text_en, text_fr, created_by, created_at, updated_at)
       select 's' || n, 'x', 'y', 1, app_now(), app_now() from generate_series(1, $1::int) n`,
      [count],
    );

  test('are at most 500', async () => {
    await seed(499);
    const atOnce = await Promise.all([save('one'), save('two')]);
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(refusal(await save('three'))).toEqual([409, 'There are 500 saved replies already. Delete one first.']);
    expect(refusal(await save('three', {}, FRENCH))).toEqual([
      ...[409, 'Il y a déjà 500 réponses enregistrées. Supprimez-en une d’abord.'],
    ]);
    const { body } = await desk.ada.get(REPLIES);
    expect(body).toHaveLength(500);
    await desk.ada.delete(`${REPLIES}/${body[0].id}`);
    expect((await save('three')).status).toBe(200);
  });
});
