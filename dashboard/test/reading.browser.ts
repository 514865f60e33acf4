import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { eventually } from '@tutoring/shared/testing/wait';
import { as, data, register, type Person } from '../../test/journeys/people.ts';
import { openStage, type Stage } from './browser.ts';
import { allowSmallWithdrawals, lesson, topUp } from './lessons.ts';

const ARABIC = 'مرحبا، أين الإيداع؟ (1)';

describe('reading:', () => {
  let stage: Stage;
  let student: Person;
  let teacher: Person;
  let call: string;
  beforeAll(async () => {
    stage = await openStage();
    student = await register(stage.system, 'student', 'عمر الفاروق');
    teacher = await register(stage.system, 'teacher', 'Kossi Mensah');
    data(await as(stage.system, student.token).post('api/support/messages', { message: ARABIC }));
    await topUp(stage.system, student, 1_000);
    call = await lesson(stage.system, student, teacher);
    await allowSmallWithdrawals(stage.system);
    await withdraw(1);
    const report = { user_id: teacher.id, reason: 'fraud', details: ARABIC };
    data(await as(stage.system, student.token).post('api/reports', report));
  });
  afterAll(() => stage?.close());

  const withdraw = async (amount: number) => {
    const body = { amount, method: 'mobile_money', account: '+22890445566' };
    return data<{ id: number }>(await as(stage.system, teacher.token).post('api/withdrawals', body)).id;
  };
  const directionOf = (shown: Locator) => shown.first().evaluate((element) => getComputedStyle(element).direction);

  test('people’s text and replies to them have the direction of their script', async () => {
    const view = await stage.signedIn('/support', { width: 'phone' });
    const { page } = view;
    const room = page.getByRole('navigation', { name: 'Conversations' }).getByRole('button');
    expect(await directionOf(room.getByText('عمر الفاروق'))).toBe('rtl');
    expect(await directionOf(room.getByText(ARABIC))).toBe('rtl');
    await room.click();
    expect(await directionOf(page.getByRole('log').getByText(ARABIC))).toBe('rtl');
    await page.getByLabel('Reply').fill('شكرا');
    expect(await directionOf(page.getByLabel('Reply'))).toBe('rtl');
    await page.getByLabel('Reply').fill('Thank you');
    expect(await directionOf(page.getByLabel('Reply'))).toBe('ltr');
    await view.check('arabic');
    await page.goto(`${stage.system.url}/admin/reports`);
    await page.getByText(ARABIC).waitFor();
    expect(await directionOf(page.getByText(ARABIC))).toBe('rtl');
    await page.getByRole('link', { name: 'عمر الفاروق' }).click();
    expect(await directionOf(page.locator('main').getByText('عمر الفاروق'))).toBe('rtl');
    await view.close();
  });

  test.each(['/', '/withdrawals', '/support', '/calls'])(
    'the printed page %s has no navigation and no buttons',
    async (path) => {
      const view = await stage.signedIn(path, { colours: 'dark' });
      const { page } = view;
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
      await page
        .locator('main')
        .getByText(/Mensah|الفاروق|New people/)
        .first()
        .waitFor();
      await page.emulateMedia({ media: 'print' });
      for (const role of ['navigation', 'banner', 'checkbox', 'textbox', 'combobox'] as const)
        expect([role, await page.getByRole(role).count()]).toEqual([role, 0]);
      // Sortable column heads stay: they are not button elements.
      expect(await page.locator('button:visible').count()).toBe(0);
      expect(
        await page
          .locator('h1, main p, td')
          .first()
          .evaluate((text) => getComputedStyle(text).color),
      ).toBe('rgb(0, 0, 0)');
      await view.close();
    },
  );

  test('Escape closes the search after typing, unless an input method handles the key', async () => {
    const view = await stage.signedIn();
    const { page } = view;
    const field = page.getByRole('dialog').getByRole('combobox');
    await eventually('the search opens', async () => {
      await page.keyboard.press('Control+k');
      return field.isVisible();
    });
    await field.fill('Kossi');
    await page.getByRole('option').first().waitFor();
    await field.evaluate((input) =>
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true })),
    );
    await view.check('search');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await view.close();
  });

  test('a sorted column has aria-sort', async () => {
    const view = await stage.signedIn('/skills');
    const { page } = view;
    const sorted = (by: string) =>
      eventually(`sorted by ${by}`, async () => {
        const heads = page.locator('th[aria-sort]');
        const all = await heads.evaluateAll((each) =>
          each.map((head) => `${head.textContent} ${head.getAttribute('aria-sort')}`),
        );
        return all.join() === by;
      });
    await sorted('Name ascending');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.waitForURL(/order=DESC/);
    await sorted('Name descending');
    await page.getByRole('link', { name: 'Deposits' }).click();
    await sorted('Created descending');
    await view.close();
  });

  test('the overview shows a dash as average rating if there are no reviews', async () => {
    const view = await stage.signedIn();
    const card = view.page.locator('.MuiCard-root').filter({ hasText: 'Average rating' });
    await card.getByText('–', { exact: true }).waitFor();
    await view.close();
  });

  describe('withdrawals:', () => {
    beforeAll(async () => {
      data(await as(stage.system, student.token).post(`api/calls/${call}/review`, { rating: 5, comment: ARABIC }));
    });

    test.each([
      [1024, '/withdrawals', 'Claim'],
      [1024, '/plans', 'Delete'],
      [1024, '/reviews', undefined],
      [1024, '/administrators', undefined],
      [1280, '/administrators', undefined],
      [1024, '/services', 'Delete'],
      [1024, '/settings', 'Edit'],
    ])('at %i pixels the buttons of rows of %s are visible', async (width, path, button) => {
      await withdraw(1);
      const view = await stage.signedIn(path);
      const { page } = view;
      await page.setViewportSize({ width, height: 800 });
      const cell = page.locator('td.column-actions, td.column-decisions, th.column-actions');
      await cell.first().waitFor();
      if (button !== undefined) await cell.getByRole('button', { name: button }).first().click({ trial: true });
      const boxes = await cell.evaluateAll((cells) => cells.map((each) => each.getBoundingClientRect().right));
      expect(Math.max(...boxes)).toBeLessThanOrEqual(width);
      await view.check(`actions-${width}`);
      await view.close();
    });

    test('rows are no longer selected after they were claimed together, nor after a reload', async () => {
      const [one, other] = [await withdraw(2), await withdraw(3)];
      const view = await stage.signedIn('/withdrawals');
      const { page } = view;
      const boxOf = (id: number) =>
        page
          .getByRole('row')
          .filter({ has: page.getByRole('link', { name: String(id), exact: true }) })
          .getByRole('checkbox');
      await boxOf(one).check();
      await boxOf(other).check();
      await page.reload();
      await boxOf(one).waitFor();
      expect([await boxOf(one).isChecked(), await boxOf(other).isChecked()]).toEqual([false, false]);
      await boxOf(one).check();
      await boxOf(other).check();
      await page.getByRole('button', { name: 'Claim selected (2)' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('button', { name: 'CSV of selected rows' }).waitFor({ state: 'detached' });
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect([await boxOf(one).isChecked(), await boxOf(other).isChecked()]).toEqual([false, false]);
      await view.check('claimed-together');
      await view.close();
    });

    test('the name of the claiming administrator fits on one line on a phone', async () => {
      const view = await stage.signedIn('/withdrawals', { width: 'phone' });
      const claim = view.page.getByText(/^claimed by Administrator/).first();
      await claim.waitFor();
      const lines = await claim.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      });
      expect(lines).toBe(1);
      expect(await view.overflowing('html')).toBe(false);
      await view.check('claims');
      await view.close();
    });
  });
});
