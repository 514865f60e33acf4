import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { gainOf, meanOf } from '../src/ratings/rating.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
type User = Awaited<ReturnType<TestIdentity['user']>>;
let student: User;
beforeAll(async () => {
  service = await startIdentity();
  student = await service.user();
});
afterAll(() => service.end());

/** A teacher with `word` in the name; plan 1 is the cheapest, 3 the most expensive. */
const teacher = (word: string, plan = 1) => service.user({ platform: 'teacher', name: `T ${word}`, plan });
const rated = ({ id }: User, reviews: number, stars: number, version = 1) =>
  service.receive('rating.changed', { teacher_id: id, reviews, stars, version });
const shown = async ({ id }: User) => {
  const { body } = await student.api.get(`/api/teachers/${id}`);
  return [body.rating, body.reviews_count];
};
const found = async (query: string) =>
  (await student.api.get(`/api/teachers?${query}`)).body.data.map(({ id }: User) => id) as number[];
const idsOf = (users: User[]) => users.map(({ id }) => id);

describe('rules', () => {
  test.each([
    [0, 0, null],
    [1, 5, 5],
    [3, 14, 4.7],
    [20, 87, 4.4],
    [4, 17, 4.3],
  ])('the mean of %i reviews with %i stars is shown as %p', (reviews, stars, mean) => {
    expect(meanOf({ teacher_id: 1, reviews, stars })).toBe(mean);
  });

  test('few reviews count for less than many; the gain is 0 without reviews, whatever the prior', () => {
    const prior = { reviews: 10 };
    const gain = (reviews: number, mean: number) => gainOf({ teacher_id: 1, reviews, stars: reviews * mean }, prior);
    const best = [gain(100, 4.8), gain(5, 5), gain(1, 5), gain(0, 0), gain(1, 1), gain(5, 1), gain(100, 1)];
    expect(best).toEqual(best.toSorted((one, other) => other - one));
    expect(best[3]).toBe(0);
    expect(gain(30, 5)).toBeCloseTo((30 * 5 + 10 * 4) / 40 - 4, 12);
  });
});

describe('rating.changed', () => {
  test('an event updates the public rating; older and repeated events change nothing', async () => {
    const one = await teacher('once');
    expect(await shown(one)).toEqual(['', 0]);
    await rated(one, 3, 14, 2);
    expect(await shown(one)).toEqual(['4.7', 3]);
    await rated(one, 1, 1, 1);
    await rated(one, 3, 14, 2);
    expect(await shown(one)).toEqual(['4.7', 3]);
    await rated(one, 1, 5, 4);
    expect(await shown(one)).toEqual(['5.0', 1]);
    await rated(one, 0, 0, 5);
    expect(await shown(one)).toEqual(['', 0]);
  });

  test('of several events received together, the newest of each teacher is stored', async () => {
    const some = await Promise.all(Array.from({ length: 4 }, (_none, n) => teacher(`many${n}`)));
    const events = some.flatMap(({ id }, n) =>
      [3, 1, 2].map((version) => ({ teacher_id: id, reviews: version, stars: version * (n + 2), version })),
    );
    await service.receiveTogether('rating.changed', events);
    for (const [n, one] of some.entries())
      await eventually('the rating is stored', async () => String(await shown(one)) === `${n + 2}.0,3`);
  });
});

describe('GET api/teachers', () => {
  test('sort=rating lists many good reviews first, bad ones last; sort=price the cheapest plan first', async () => {
    const unrated = await teacher('sorted', 2);
    const lucky = await teacher('sorted', 3);
    const best = await teacher('sorted', 1);
    const bad = await teacher('sorted', 3);
    await rated(lucky, 1, 5);
    await rated(best, 50, 240);
    await rated(bad, 10, 20);
    const order = (sort: string) => found(`q=sorted${sort}`);
    expect(await order('')).toEqual(idsOf([bad, best, lucky, unrated]));
    expect(await order('&sort=newest')).toEqual(idsOf([bad, best, lucky, unrated]));
    expect(await order('&sort=rating')).toEqual(idsOf([best, lucky, unrated, bad]));
    expect(await order('&sort=price')).toEqual(idsOf([best, unrated, bad, lucky]));
    expect(await order('&sort=price&plan_id=3')).toEqual(idsOf([bad, lucky]));
    for (const sort of ['newest', 'rating', 'price']) {
      const pages = await Promise.all([1, 2].map((page) => order(`&sort=${sort}&pageItems=2&page=${page}`)));
      expect(pages.flat()).toEqual(await order(`&sort=${sort}`));
    }
    const { body } = await student.api.get('/api/teachers?q=sorted&sort=price&min_rating=2.0&pageItems=1');
    expect(body.next_page_url).toBe(
      'http://public.test/api/teachers?q=sorted&min_rating=2.0&sort=price&pageItems=1&page=2',
    );
  });

  test('min_rating compares the displayed rating, and the total is exact after a review', async () => {
    const [four, good] = [await teacher('least'), await teacher('least')];
    const unrated = await teacher('least');
    await rated(four, 20, 87);
    await rated(good, 4, 18);
    expect(await shown(four)).toEqual(['4.4', 20]);
    const atLeast = async (rating: string) => {
      const { total, data } = (await student.api.get(`/api/teachers?q=least&min_rating=${rating}`)).body;
      return [total, data.map(({ id }: User) => id)];
    };
    expect(await atLeast('4.4')).toEqual([2, [good.id, four.id]]);
    expect(await atLeast('4.5')).toEqual([1, [good.id]]);
    expect(await atLeast('5')).toEqual([0, []]);
    expect(await atLeast('0')).toEqual([3, [unrated.id, good.id, four.id]]);
    await rated(good, 3, 15, 2);
    expect(await atLeast('5')).toEqual([1, [good.id]]);
  });

  test('an unknown sort order and an invalid min_rating are a 422', async () => {
    const { status, body } = await student.api.get('/api/teachers?sort=best&min_rating=5.1');
    expect([status, body.errors]).toEqual([
      422,
      { sort: ['The selected sort is invalid.'], min_rating: ['The min rating field format is invalid.'] },
    ]);
    for (const rating of ['-1', '6', '4.55', '4,5', 'x', '1e0'])
      expect((await student.api.get(`/api/teachers?min_rating=${rating}`)).status).toBe(422);
  });

  test('a changed prior ranks all teachers again', async () => {
    const many = await teacher('prior');
    const few = await teacher('prior');
    await rated(many, 100, 460);
    await rated(few, 2, 10);
    expect(await found('q=prior&sort=rating')).toEqual(idsOf([many, few]));
    const su = await service.su();
    const set = async (name: string, value: number) => {
      const { data } = (await su.api.post('/api/admin/settingsall', { filter_value: name })).body;
      return (await su.api.put(`/api/admin/settings/${data[0].id}`, { value })).status;
    };
    expect(await set('rating_prior_reviews', 0)).toBe(422);
    expect(await set('rating_prior_reviews', 1)).toBe(200);
    await eventually('few reviews win', async () => (await found('q=prior&sort=rating'))[0] === few.id);
    expect(await set('rating_prior_reviews', 10)).toBe(200);
    await eventually('many reviews win again', async () => (await found('q=prior&sort=rating'))[0] === many.id);
  });
});
