import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { person, startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const student = ({ student: id }: Party) => scene.service.api.student(id);
const teacher = ({ teacher: id }: Party) => scene.service.api.teacher(id);
const admin = () => scene.service.api.admin();
const idOf = ({ body }: { body: unknown }) => (body as { id: number }).id;

const settled = (identifier: string) =>
  eventually('the call is settled', async () => (await scene.row(identifier))['settled'] === true);

/** A lesson with a charged step. */
async function lesson(parties: Party = scene.party()) {
  const { identifier, channel } = await scene.begin(parties);
  await scene.bill(parties, identifier);
  expect((await scene.end('student', parties, identifier, channel)).status).toBe(200);
  await settled(identifier);
  return { parties, identifier };
}
const review = (parties: Party, identifier: string, body: object) =>
  student(parties).post(`/api/calls/${identifier}/review`, body);
const seen = async (parties: Party, query = '') =>
  (await student(parties).get(`/api/teachers/${parties.teacher}/reviews${query}`)).body as {
    data: Record<string, unknown>[];
    total: number;
    first_page_url: string;
  };
const ratingOf = async ({ teacher: id }: Party) =>
  (await scene.service.published('rating.changed')).findLast((rating) => rating.teacher_id === id);

describe('a review', () => {
  test('is made once per paid lesson, can be answered, and shows only the first name', async () => {
    const { parties, identifier } = await lesson();
    const made = await review(parties, identifier, { rating: 5, comment: 'She explains well.' });
    const id = idOf(made);
    const expected = {
      id,
      identifier,
      teacher_id: parties.teacher,
      student_id: parties.student,
      student_name: `student ${parties.student}`,
      rating: 5,
      comment: 'She explains well.',
      reply: '',
      hidden: false,
      created_at: ISO,
      updated_at: ISO,
    };
    expect([made.status, made.body]).toEqual([200, { ...expected, updated_at: made.body.created_at }]);
    // The keys are in the declared order.
    expect(Object.keys(JSON.parse(made.text))).toEqual(Object.keys(expected));
    expect((await review(parties, identifier, { rating: 1 })).status).toBe(409);
    for (const reply of ['Thank you!', ''])
      expect((await teacher(parties).put(`/api/reviews/${id}/reply`, { reply })).body).toEqual({ ...expected, reply });
    const { total, data } = await seen(parties);
    const shown = { id, teacher_id: parties.teacher, student_name: 'student', rating: 5, reply: '' };
    expect([total, data]).toEqual([1, [{ ...shown, comment: 'She explains well.', created_at: ISO, updated_at: ISO }]]);
  });

  test('is refused for a ringing or canceled call and for a call of another student', async () => {
    const parties = scene.party();
    await scene.init(parties);
    const [call] = (await student(parties).get('/api/calls')).body as { identifier: string }[];
    expect((await review(parties, call!.identifier, { rating: 5 })).status).toBe(409);
    await scene.cancel(parties);
    expect((await review(parties, call!.identifier, { rating: 5 })).status).toBe(409);
    const { identifier } = await lesson();
    expect((await review(parties, identifier, { rating: 5 })).status).toBe(404);
    for (const rating of [0, 6, 'five', undefined])
      expect((await review(parties, identifier, { rating })).status).toBe(422);
  });

  test('is refused for a call that cost nothing, even with steps', async () => {
    const parties = scene.party();
    const free = async () => {
      const { identifier, channel } = await scene.begin(parties);
      await scene.service.asOwner('update call set base_cost = 0, iterator_cost = 0 where identifier = $1', [
        identifier,
      ]);
      await scene.bill(parties, identifier);
      await scene.end('student', parties, identifier, channel);
      await settled(identifier);
      return identifier;
    };
    const identifier = await free();
    expect(await scene.row(identifier)).toMatchObject({ state: 'ended', steps: 1, total_cost: 0 });
    expect((await review(parties, identifier, { rating: 5 })).status).toBe(409);
    const paid = await lesson(parties);
    expect((await review(parties, paid.identifier, { rating: 5 })).status).toBe(200);
  });

  test('can be changed for 14 days, by its student only', async () => {
    const { parties, identifier } = await lesson();
    const id = idOf(await review(parties, identifier, { rating: 2, comment: 'Late.' }));
    const change = (who: Party) => student(who).put(`/api/reviews/${id}`, { rating: 4 });
    expect((await change(scene.party())).status).toBe(404);
    expect((await change(parties)).body).toMatchObject({ rating: 4, comment: '' });
    const stranger = scene.party();
    expect((await teacher(stranger).put(`/api/reviews/${id}/reply`, { reply: 'No.' })).status).toBe(404);
    await scene.service.shiftClock(15 * 86_400);
    const late = await change(parties);
    await scene.service.shiftClock(0);
    expect(late.status).toBe(409);
  });

  test('counts in the rating of its teacher with its current stars, and not while it is hidden', async () => {
    const first = await lesson();
    const { parties } = first;
    const one = idOf(await review(parties, first.identifier, { rating: 5 }));
    const second = await lesson(parties);
    const two = idOf(await review(parties, second.identifier, { rating: 2 }));
    expect(await ratingOf(parties)).toMatchObject({ reviews: 2, stars: 7 });
    await student(parties).put(`/api/reviews/${two}`, { rating: 3 });
    expect(await ratingOf(parties)).toMatchObject({ reviews: 2, stars: 8 });
    for (const hidden of [true, true]) {
      expect((await admin().put(`/api/admin/reviews/${one}`, { hidden })).body).toMatchObject({ id: one, hidden });
      expect(await ratingOf(parties)).toMatchObject({ reviews: 1, stars: 3, version: 4 });
    }
    expect((await seen(parties)).data.map(({ id }) => id)).toEqual([two]);
    expect((await review(parties, first.identifier, { rating: 5 })).status).toBe(409);
    await student(parties).put(`/api/reviews/${one}`, { rating: 4 });
    await admin().put(`/api/admin/reviews/${one}`, { hidden: false, reason: 'It is true.' });
    expect(await ratingOf(parties)).toMatchObject({ reviews: 2, stars: 7 });
    const acted = (await scene.service.published('admin.acted')).filter(({ subject }) => subject === `review:${one}`);
    expect(acted.map(({ action, after }) => [action, after])).toEqual([
      ['review.hidden', { hidden: true }],
      ['review.shown', { hidden: false, reason: 'It is true.' }],
    ]);
    const page = await seen(parties, '?pageItems=1&order=asc&page=2');
    expect(page.data.map(({ id }) => id)).toEqual([two]);
    const path = `http://public.test/api/teachers/${parties.teacher}/reviews`;
    expect(page.first_page_url).toBe(`${path}?pageItems=1&order=asc&page=1`);
  });
});

test.each([
  ['a no-break space', '\u00a0'],
  ['an ideographic space', '\u3000'],
  ['a tab', '\t'],
])('the first name ends at %s', async (_name, space) => {
  const parties = scene.party();
  const named = person(parties.student, 'student', { name: `Awa${space}Diallo` });
  scene.identity.addRecord(`/internal/users/${parties.student}`, named);
  await review(parties, (await lesson(parties)).identifier, { rating: 5 });
  expect((await seen(parties)).data.map(({ student_name: name }) => name)).toEqual(['Awa']);
});

test('a review by a student with a deleted account is by a former student, in the language of the reader', async () => {
  const { parties, identifier } = await lesson();
  const id = idOf(await review(parties, identifier, { rating: 4, comment: 'Good.' }));
  const gone = person(parties.student, 'student', { name: 'Deleted user', deleted: true, version: 9 });
  await scene.service.receive('user.changed', gone);
  const reader = scene.service.api.teacher(parties.teacher);
  const namesIn = async (language: string) => {
    const headers = { 'accept-language': language };
    const { body } = await reader.get(`/api/teachers/${parties.teacher}/reviews`, headers);
    return (body as { data: { id: number; student_name: string }[] }).data.map((one) => [one.id, one.student_name]);
  };
  expect([await namesIn('en'), await namesIn('fr')]).toEqual([[[id, 'Former student']], [[id, 'Ancien élève']]]);
});

test('the reviews by a student and the visible reviews of a teacher are exported, page by page', async () => {
  const { parties, identifier } = await lesson();
  const id = idOf(await review(parties, identifier, { rating: 4, comment: 'Good.' }));
  const exported = async (user: number, query = '') =>
    (await scene.service.api.service('identity').get(`/internal/users/${user}/reviews${query}`)).body;
  for (const user of Object.values(parties))
    expect(await exported(user)).toMatchObject({ items: [{ id, identifier, comment: 'Good.' }], next: null });
  expect(await exported(parties.student, `?after=${id}`)).toEqual({ items: [], next: null });
  await admin().put(`/api/admin/reviews/${id}`, { hidden: true });
  expect(await exported(parties.student)).toMatchObject({ items: [{ id, hidden: true }] });
  expect(await exported(parties.teacher)).toEqual({ items: [], next: null });
});

test('administrators find reviews by rating, visibility, user, text and id', async () => {
  const { parties, identifier } = await lesson();
  const id = idOf(await review(parties, identifier, { rating: 1, comment: 'Très décevant' }));
  const found = async (filter: object) => {
    const { body } = await admin().post('/api/admin/reviewsall', { user_id: parties.student, ...filter });
    return (body as { data: { id: number }[] }).data.map((each) => each.id);
  };
  for (const filter of [{}, { rating: 1 }, { hidden: false }]) expect(await found(filter)).toEqual([id]);
  for (const filter_value of ['DECEV', identifier, String(id), `Student ${parties.student}`, String(parties.teacher)])
    expect(await found({ filter_value })).toEqual([id]);
  for (const filter of [{ rating: 2 }, { hidden: 1 }, { filter_value: 'nothing' }, { user_id: scene.party().student }])
    expect(await found(filter)).toEqual([]);
  expect((await admin().post('/api/admin/reviewsall', { user_id: 999_999 })).status).toBe(422);
  expect((await student(parties).post('/api/admin/reviewsall', {})).status).toBe(403);
  expect((await admin().put('/api/admin/reviews/999999', { hidden: true })).status).toBe(404);
});
