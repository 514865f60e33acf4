import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inBrowser, openStage, type Stage } from './browser.ts';

const NAVIGATION = [
  ...['Overview', 'People', 'Deposits', 'Withdrawals', 'Payments', 'Calls', 'Support', 'Reports'],
  ...['Skills', 'Plans', 'Services', 'Settings', 'Administrators', 'Audit'],
];

/** What a page says that has nothing to show. */
const EMPTY = ['Nothing here yet.', 'No report is open.', 'Choose a conversation.'];

inBrowser('the pages', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  test('are named in the navigation, in this order, and each opens', async () => {
    const { page, check, close } = await stage.signedIn();
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
      expect(await page.title()).toBe(`${name} · Tutoring`);
      await check(name.toLowerCase());
    }
    await close();
  });

  test('come again after a reload and by their link', async () => {
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
  ] as const)('stand in %s, %s, %s', async (language, colours, width) => {
    const { check, page, close } = await stage.signedIn('/settings', { language, colours, width });
    await page.getByRole('cell', { name: 'Commission' }).waitFor();
    expect(await page.title()).toBe(language === 'fr' ? 'Réglages · Tutorat' : 'Settings · Tutoring');
    await check('settings');
    if (width === 'phone') {
      await page.getByRole('button', { name: 'Ouvrir le menu' }).click();
      await page.getByRole('link', { name: 'Assistance' }).waitFor();
      await check('navigation');
    }
    await close();
  });

  test('that do not exist say so', async () => {
    const { page, check, close } = await stage.signedIn('/nowhere');
    await page.getByRole('heading', { name: 'Not Found', level: 2 }).waitFor();
    expect(await page.title()).toBe('Not Found · Tutoring');
    await check('not-found');
    await close();
  });
});
