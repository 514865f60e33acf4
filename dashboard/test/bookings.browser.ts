import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, type Person } from '../../test/journeys/people.ts';
import { daysFrom, mondayOf, utcSpanOf } from '../src/bookings/week.ts';
import { openStage, type Stage } from './browser.ts';
import { book, lesson, registerPair, review, topUp } from './lessons.ts';

const REASON = 'It insults the teacher.';

describe('a week', () => {
  test.each([
    ['2026-11-23', '2026-11-23'],
    ['2026-11-29', '2026-11-23'],
    ['2026-03-01', '2026-02-23'],
    ['x', '2026-11-16'],
    ['2026-13-45', '2026-11-16'],
    [null, '2026-11-16'],
  ])('of the day %s begins on Monday %s (an invalid day means today)', (day, monday) => {
    expect(mondayOf(day, new Date('2026-11-18T12:00:00'))).toBe(monday);
  });

  test('has seven days, and its span of UTC days covers it in every time zone', () => {
    expect(daysFrom('2026-12-28').filter((_day, index) => index % 3 === 0)).toEqual([
      '2026-12-28',
      '2026-12-31',
      '2027-01-03',
    ]);
    expect(utcSpanOf('2026-12-28')).toEqual({ starts_from: '2026-12-27', starts_to: '2027-01-04' });
  });
});

describe('bookings and reviews:', () => {
  let stage: Stage;
  let student: Person;
  let teacher: Person;
  beforeAll(async () => {
    stage = await openStage();
    ({ student, teacher } = await registerPair(stage.system));
    await topUp(stage.system, student, 1_000);
    await review(stage.system, student, await lesson(stage.system, student, teacher), 2, 'He was late.');
    await book(stage.system, student, teacher, 2, 'Quadratic equations');
  });
  afterAll(() => stage?.close());

  const rating = async () =>
    data<{ rating: string; reviews_count: number }>(
      await as(stage.system, student.token).get(`api/teachers/${teacher.id}`),
    );

  test('hiding a review with a reason and showing it again changes the rating and is audited', async () => {
    const view = await stage.signedIn();
    const { page, check } = view;
    await page.getByRole('link', { name: 'Reviews', exact: true }).click();
    const row = page.getByRole('row').filter({ hasText: 'He was late.' });
    await row.getByRole('img', { name: '2 of 5 stars' }).waitFor();
    await row.getByRole('link', { name: 'Kossi Mensah' }).waitFor();
    await check('reviews');
    await eventually('the review counts towards the rating', async () => (await rating()).rating === '2.0');

    await row.getByRole('button', { name: 'Hide' }).click();
    await check('reviews-hide');
    await page.getByRole('dialog').getByLabel('Reason').fill(REASON);
    await view.clickTwice(page.getByRole('dialog').getByRole('button', { name: 'Confirm' }));
    await row.getByText('hidden', { exact: true }).waitFor();
    await eventually('the hidden review no longer counts', async () => (await rating()).reviews_count === 0);
    const su = as(stage.system, await adminToken(stage.system));
    await eventually('the audit log has the reason', async () => {
      const log = data<{ data: { action: string; after: { reason?: string } }[] }>(
        await su.post('api/admin/auditall', { filter_value: 'review' }),
      );
      return log.data[0]?.action === 'review.hidden' && log.data[0].after.reason === REASON;
    });

    await page.goto(`${stage.system.url}/admin/reviews?filter=${encodeURIComponent('{"hidden":"false"}')}`);
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.goto(`${stage.system.url}/admin/reviews?filter=${encodeURIComponent('{"hidden":"true","rating":"2"}')}`);
    await row.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Nothing matches these filters.').waitFor();
    await eventually('the review counts again', async () => (await rating()).rating === '2.0');
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Review hidden' }).getByText(REASON).waitFor();
    await check('reviews-audit');
    await view.close();
  });

  test('bookings can be filtered, and link to the week of their teacher', async () => {
    const view = await stage.signedIn('/bookings');
    const { page, check } = view;
    const row = page.getByRole('row').filter({ hasText: 'Quadratic equations' });
    await row.getByText('requested', { exact: true }).waitFor();
    await check('bookings');
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name: 'completed' }).click();
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await row.locator('.column-starts_at').getByRole('link').click();
    await page.waitForURL(`**/admin/bookings/${teacher.id}/week?day=*`);
    const booked = page.locator('main section li').first();
    await booked.getByText('Awa Diallo').waitFor();
    await view.titled('Lessons of Kossi Mensah · Tutoring');
    await check('bookings-week');
    await page.getByRole('link', { name: 'Next week' }).click();
    await page.getByText('No lessons.').nth(6).waitFor();
    await page.getByRole('link', { name: 'Previous week' }).click();
    await booked.getByText('Awa Diallo').waitFor();
    await page.getByRole('link', { name: 'All bookings of Kossi Mensah' }).click();
    await row.waitFor();
    await view.close();
  });

  test('the pages of the student and the teacher show their bookings and reviews', async () => {
    for (const [person, other] of [
      [student, 'Kossi Mensah'],
      [teacher, 'Awa Diallo'],
    ] as const) {
      const { page, check, close } = await stage.signedIn(`/people/${person.id}/show`);
      const section = (name: string) =>
        page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
      await section('Bookings').getByRole('link', { name: other }).waitFor();
      await section('Bookings').getByText('requested').waitFor();
      await section('Reviews').getByText('He was late.').waitFor();
      await section('Reviews').getByRole('link', { name: other }).waitFor();
      await check(`bookings-of-${person.id}`);
      await close();
    }
  });

  test.each([
    ['fr', 'dark', 'phone'],
    ['fr', 'light', 'desktop'],
    ['en', 'dark', 'desktop'],
    ['en', 'light', 'phone'],
  ] as const)('are usable in %s, %s, %s', async (language, colours, width) => {
    const { page, check, close } = await stage.signedIn('/bookings', { language, colours, width });
    for (const path of ['bookings', 'reviews', `bookings/${teacher.id}/week`]) {
      await page.goto(`${stage.system.url}/admin/${path}`);
      await page.locator('main').locator('table, section').first().waitFor();
      await check(path.replaceAll(/\W\d*/g, '-'));
      expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
    }
    await close();
  });
});
