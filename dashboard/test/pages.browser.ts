import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { as, data, type Person } from '../../test/journeys/people.ts';
import { changeOf, meanOf, span, sumOf, toPeriod } from '../src/overview/period.ts';
import type { Day } from '../src/overview/day.ts';
import { openStage, type Stage } from './browser.ts';
import { registerPair, topUp } from './lessons.ts';

const NAVIGATION = [
  ...['Overview', 'People', 'Deposits', 'Withdrawals', 'Payouts', 'Payments', 'Disputes', 'Refunds'],
  ...['Breaks', 'Calls', 'Bookings', 'Reviews', 'Support', 'Reports', 'Skills', 'Plans', 'Services', 'Settings'],
  ...['Administrators', 'Audit'],
];

/** Texts of empty pages. */
const EMPTY = [
  ...['Nothing here yet.', 'No dispute needs an answer.', 'No open breaks.', 'No open reports.'],
  'Choose a conversation.',
];

describe('the period', () => {
  const NOON = Date.parse('2026-03-01T12:00:00Z');

  test.each([
    [7, 0, '2026-02-23', '2026-03-01'],
    [7, 7, '2026-02-16', '2026-02-22'],
    [365, 365, '2024-03-02', '2025-03-01'],
  ])('of %i days that ends %i days ago has the right first and last day', (days, back, from, to) => {
    expect(span(days, back, NOON)).toEqual({ from, to });
  });

  test.each([
    [150, 100, 50],
    [50, 100, -50],
    [0, 100, -100],
    [5, 0, undefined],
  ])('changes by the right percentage: %i after %i is %p percent', (now, before, percent) => {
    expect(changeOf(now, before)).toBe(percent);
  });

  test('is 30 days if the address has no valid one', () => {
    expect([toPeriod('90'), toPeriod('91'), toPeriod(null)]).toEqual([90, 30, 30]);
  });

  test('sums columns over all its days', () => {
    const day = (new_students: number, new_teachers: number) => ({ new_students, new_teachers }) as Day;
    expect(sumOf([day(1, 2), day(3, 4)], ['new_students', 'new_teachers'])).toBe(10);
  });

  test('has the mean rating of all reviews, not of the days', () => {
    const day = (reviews: number, rating: number) => ({ reviews, rating }) as Day;
    expect(meanOf([day(3, 5), day(0, 0), day(1, 1)])).toBe(4);
    expect(meanOf([day(0, 0)])).toBeUndefined();
  });
});

describe('dashboard:', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  describe('the pages', () => {
    test('are listed in the navigation in this order, and each opens', async () => {
      const { page, check, close, titled } = await stage.signedIn();
      const navigation = page.getByRole('navigation', { name: 'Main navigation' });
      await navigation.getByRole('link', { name: 'Audit' }).waitFor();
      expect(await navigation.getByRole('link').allInnerTexts()).toEqual(NAVIGATION);
      for (const name of NAVIGATION.slice(1)) {
        await navigation.getByRole('link', { name, exact: true }).click();
        await page.waitForURL(`**/admin/${name.toLowerCase()}`);
        await page
          .locator(['table', '[role=alert]', ...EMPTY.map((text) => `main :text("${text}")`)].join())
          .first()
          .waitFor();
        await titled(`${name} · Tutoring`);
        await check(name.toLowerCase());
      }
      await close();
    });

    test('open by their address and after a reload', async () => {
      const { page, check, close } = await stage.signedIn('/settings');
      await page.getByRole('cell', { name: 'Commission' }).waitFor();
      await page.reload();
      await page.getByRole('cell', { name: 'Commission' }).waitFor();
      await check('settings-again');
      await close();
    });

    test.each([
      ['fr', 'dark', 'phone'],
      ['fr', 'light', 'desktop'],
      ['en', 'dark', 'desktop'],
    ] as const)('are usable in %s, %s, %s', async (language, colours, width) => {
      const { check, page, close, titled } = await stage.signedIn('/settings', { language, colours, width });
      await page.getByRole('cell', { name: 'Commission' }).waitFor();
      await titled(language === 'fr' ? 'Réglages · Tutorat' : 'Settings · Tutoring');
      await check('settings');
      if (width === 'phone') {
        await page.getByRole('button', { name: 'Ouvrir le menu' }).click();
        await page.getByRole('link', { name: 'Assistance' }).waitFor();
        await check('navigation');
      }
      await close();
    });

    test('include one for unknown addresses', async () => {
      const { page, check, close, titled } = await stage.signedIn('/nowhere');
      await page.getByRole('heading', { name: 'Not Found', level: 2 }).waitFor();
      await titled('Not Found · Tutoring');
      await check('not-found');
      await close();
    });
  });

  describe('the overview', () => {
    let student: Person;
    let teacher: Person;
    beforeAll(async () => {
      ({ student, teacher } = await registerPair(stage.system));
      await topUp(stage.system, student, 12_500);
    });

    test('shows figures and charts of a period, which is in the address', async () => {
      const { page, check, close } = await stage.signedIn();
      const figure = (name: string) =>
        page.locator('.MuiCard-root', { has: page.getByText(name, { exact: true }) }).first();
      await figure('Deposits').getByText('12,500').waitFor();
      await figure('New people').getByText('2', { exact: true }).waitFor();
      await page.getByRole('region', { name: 'Money' }).locator('svg').first().waitFor();
      await check('overview');

      await page.getByRole('button', { name: '90 days' }).click();
      await page.waitForURL('**/admin?days=90');
      await page.reload();
      await page.getByRole('button', { name: '90 days', pressed: true }).waitFor();
      await figure('Deposits').getByText('12,500').waitFor();
      await close();
    });

    test('counts new items that need attention without a reload, and links to their list', async () => {
      const { page, check, close } = await stage.signedIn();
      const unanswered = page.getByRole('link', { name: /Unanswered conversations/ });
      const reports = page.getByRole('link', { name: /Open reports/ });
      await unanswered.getByText('0', { exact: true }).waitFor();
      data(await as(stage.system, student.token).post('api/support/messages', { message: 'Hello?' }));
      await unanswered.getByText('1', { exact: true }).waitFor();
      data(await as(stage.system, student.token).post('api/reports', { user_id: teacher.id, reason: 'abuse' }));
      await reports.getByText('1', { exact: true }).waitFor();
      await check('overview-waiting');
      await reports.click();
      await page.waitForURL('**/admin/reports?filter=*open*');
      await page.getByRole('cell', { name: 'Kossi Mensah' }).waitFor();

      // The navigation shows the counts on every page.
      const entry = (name: string) =>
        page.getByRole('navigation', { name: 'Main navigation' }).getByRole('listitem').filter({ hasText: name });
      await entry('Reports').getByText('1', { exact: true }).waitFor();
      await entry('Support').getByText('1', { exact: true }).waitFor();
      data(await as(stage.system, teacher.token).post('api/support/messages', { message: 'And me?' }));
      await entry('Support').getByText('2', { exact: true }).waitFor();
      await check('reports-waiting');
      await entry('Support').getByRole('link').click();
      await page.waitForURL('**/admin/support');
      await close();
    });

    test.each([
      ['fr', 'dark', 'phone'],
      ['fr', 'light', 'desktop'],
      ['en', 'dark', 'desktop'],
      ['en', 'light', 'phone'],
    ] as const)('is usable in %s, %s, %s', async (language, colours, width) => {
      const { page, check, close } = await stage.signedIn('/', { language, colours, width });
      await page.locator('section svg').nth(3).waitFor();
      await check('overview');
      const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(overflows).toBe(false);
      await close();
    });

    test('says so when the server cannot be reached, and loads again when it can', async () => {
      const { page, check, complaints, close } = await stage.signedIn('/people');
      await page.getByRole('cell', { name: 'Awa Diallo' }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('textbox', { name: 'Search' }).fill('kossi');
      await page.getByRole('main').getByText('The server cannot be reached.').waitFor();
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      // The failed requests are in the console. They are repeated automatically.
      await page.context().setOffline(false);
      await page.getByRole('cell', { name: 'Kossi Mensah' }).waitFor();
      complaints.splice(0);
      await check('people-again');
      await close();
    });
  });
});
