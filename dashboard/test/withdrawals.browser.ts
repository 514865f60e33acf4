import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminToken, as, data, type Person } from '../../test/journeys/people.ts';
import { eventually } from '@tutoring/shared/testing/wait';
import { openStage, type Stage, type View } from './browser.ts';
import { confirm, dialog, factOf } from './page-kit.ts';
import { allowSmallWithdrawals, lesson, registerPair, topUp } from './lessons.ts';

describe('withdrawals:', () => {
  let stage: Stage;
  let teacher: Person;
  const requests: string[] = [];
  beforeAll(async () => {
    stage = await openStage();
    const pair = await registerPair(stage.system);
    ({ teacher } = pair);
    await topUp(stage.system, pair.student, 1_000);
    await lesson(stage.system, pair.student, teacher);
    await allowSmallWithdrawals(stage.system);
  });
  afterAll(() => stage?.close());

  const withdraw = async (amount: number) => {
    const body = { amount, method: 'mobile_money', account: '+22890445566' };
    return data<{ id: number }>(await as(stage.system, teacher.token).post('api/withdrawals', body)).id;
  };
  const stateOf = async (id: number) => {
    const su = as(stage.system, await adminToken(stage.system));
    return data<{ status: string; ref: string | null }>(await su.get(`api/admin/withdrawals/${id}`));
  };
  const press = (view: View, name: string) => view.page.getByRole('button', { name, exact: true }).click();

  test('a withdrawal is claimed and paid from the list, each confirmed and sent once', async () => {
    const id = await withdraw(75);
    const view = await stage.signedIn('/withdrawals');
    const entry = view.page.getByRole('navigation', { name: 'Main navigation' }).getByRole('listitem');
    await entry.filter({ hasText: 'Withdrawals' }).getByText('1', { exact: true }).waitFor();
    view.page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()));
    await press(view, 'Claim');
    await dialog(view).getByText('seventy-five West African CFA francs').waitFor();
    await view.check('withdrawals-claim');
    await view.clickTwice(confirm(view));
    await view.page.getByRole('cell', { name: 'in progress claimed by Administrator' }).waitFor();
    expect(requests).toHaveLength(1);
    // The button is removed: the focus stays in its row.
    await view.page.waitForFunction(() => document.activeElement?.closest('tbody tr') !== null);

    await press(view, 'Mark as paid');
    await dialog(view).getByText('+22890445566').waitFor();
    await dialog(view).getByRole('textbox', { name: 'Reference' }).fill('BANK-77');
    // A click outside the dialog discards nothing.
    await view.page.mouse.click(5, 5);
    expect(await dialog(view).getByRole('textbox', { name: 'Reference' }).inputValue()).toBe('BANK-77');
    await confirm(view).click();
    await view.page.getByRole('cell', { name: /^paid claimed by Administrator.*paid by Administrator/ }).waitFor();
    expect(await stateOf(id)).toMatchObject({ status: 'success', ref: 'BANK-77' });
    // Reversing is not a button, but in the menu.
    expect(await view.page.getByRole('button', { name: 'Reverse' }).count()).toBe(0);
    await press(view, 'More actions');
    await view.page.getByRole('menuitem', { name: 'Reverse' }).press('Escape');
    await view.page.getByRole('menu').waitFor({ state: 'detached' });
    await view.page.getByRole('link', { name: String(id), exact: true }).click();
    await view.page.getByRole('heading', { name: `Withdrawal ${id}` }).waitFor();
    for (const fact of ['Claimed by', 'Paid by']) await factOf(view, fact).getByText('Administrator').waitFor();
    for (const fact of ['Claimed', 'Paid']) await factOf(view, fact).locator('time').waitFor();
    await view.check('withdrawals-paid');
    await view.close();
  });

  test('paying requires the reference or the statement that there is none, and the account can be copied', async () => {
    const id = await withdraw(8);
    const view = await stage.signedIn('/withdrawals');
    const { page } = view;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const row = rowOf(view, id);
    await row.getByText('mobile_money').waitFor();
    // The notification disappears by itself.
    await Promise.all([
      page.getByText('Account copied.').waitFor(),
      row.getByRole('button', { name: 'Copy the account' }).click(),
    ]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('+22890445566');
    // Dragging over the account into the next column selects the text and does not open the row.
    const [from, to] = [await row.locator('.column-account').boundingBox(), await row.locator('time').boundingBox()];
    await page.mouse.move(from!.x + 3, from!.y + from!.height - 14);
    await page.mouse.down();
    await page.mouse.move(to!.x + 5, to!.y + 5, { steps: 5 });
    await page.mouse.up();
    expect(await page.evaluate(() => String(getSelection()))).toContain('+22890445566');
    expect(new URL(page.url()).pathname).toBe('/admin/withdrawals');
    await page.goto(`${stage.system.url}/admin/withdrawals/${id}/show`);
    await press(view, 'Mark as paid');
    await dialog(view).getByText('mobile_money').waitFor();
    await confirm(view).click();
    await dialog(view).getByText('Enter the reference, or select “No reference”.').waitFor();
    await view.check('withdrawals-no-reference');
    await dialog(view).getByLabel('No reference').check();
    await confirm(view).click();
    await dialog(view).waitFor({ state: 'detached' });
    expect(await stateOf(id)).toMatchObject({ status: 'success', ref: null });
    await view.close();
  });

  test('filtered work is sorted oldest first, follows changes by others, and can be one’s own claims', async () => {
    const ids = [await withdraw(2), await withdraw(2)];
    const view = await stage.signedIn('/withdrawals');
    const { page } = view;
    const shown = async () => (await page.locator('tbody td.column-id').allInnerTexts()).map(Number);
    await eventually('the newest is first', async () => (await shown())[0] === ids[1]);
    await page.getByLabel('Status').click();
    await page.getByRole('option', { name: 'new', exact: true }).click();
    await eventually('the oldest is first', async () => {
      const now = await shown();
      return now.includes(ids[1]!) && now.join() === now.toSorted((one, other) => one - other).join();
    });
    const su = as(stage.system, await adminToken(stage.system));
    data(await su.put(`api/admin/withdrawals/${ids[0]}`, { status: 'pending' }));
    await rowOf(view, ids[0]!).waitFor({ state: 'detached' });
    await page.getByLabel('Status').click();
    await page.getByRole('option', { name: 'in progress', exact: true }).click();
    await page.getByLabel('Claimed by').click();
    await page.getByRole('option', { name: 'me', exact: true }).click();
    await page.waitForURL((url) => url.searchParams.get('filter')?.includes('"claimed_by":"me"') === true);
    await rowOf(view, ids[0]!).waitFor();
    expect(await rowOf(view, ids[1]!).count()).toBe(0);
    await view.check('withdrawals-mine');
    await view.close();
  });

  test('a claim that comes too late is refused, and the page then shows the new status', async () => {
    const id = await withdraw(20);
    const path = `/withdrawals/${id}/show`;
    const [one, other] = await Promise.all([stage.signedIn(path), stage.signedIn(path)]);
    await press(one, 'Claim');
    await press(other, 'Claim');
    await confirm(one).click();
    await one.page.getByText('in progress', { exact: true }).waitFor();
    await confirm(other).click();
    await dialog(other)
      .getByRole('alert')
      .getByText('the status is now “in progress”. Your decision was not applied.')
      .waitFor();
    await other.refused(409);
    await other.check('withdrawals-told');
    await press(other, 'Cancel');
    await other.page.getByText('in progress', { exact: true }).waitFor();
    await other.page.locator('dd').getByText('Administrator', { exact: true }).waitFor();
    expect(await other.page.getByRole('button', { name: 'Claim', exact: true }).count()).toBe(0);
    await Promise.all([one.close(), other.close()]);
  });

  test('a withdrawal is refused with details, and an error about the details is shown at their field', async () => {
    const id = await withdraw(10);
    const view = await stage.signedIn(`/withdrawals/${id}/show`);
    await press(view, 'Refuse');
    await dialog(view).getByLabel('Details').fill('x'.repeat(1_001));
    await confirm(view).click();
    await dialog(view).getByText('must not be greater than 1000 characters').waitFor();
    await view.refused(422);
    await dialog(view).getByLabel('Details').fill('The account is not yours');
    await confirm(view).click();
    await view.page.getByText('The account is not yours').waitFor();
    expect(await stateOf(id)).toMatchObject({ status: 'failed' });
    await view.close();
  });

  test('the list is filtered by the address, and exported as a file', async () => {
    const id = await withdraw(15);
    const filter = encodeURIComponent(JSON.stringify({ user_id: teacher.id, status: 'initiated' }));
    const look = { language: 'fr', colours: 'dark', width: 'phone' } as const;
    const view = await stage.signedIn(`/withdrawals?filter=${filter}`, look);
    await view.page.getByRole('link', { name: String(id), exact: true }).waitFor();
    await view.check('withdrawals');
    const downloaded = view.page.waitForEvent('download');
    await press(view, 'CSV');
    const text = await readFile(await (await downloaded).path(), 'utf8');
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe(
      '\uFEFFid;created_at;status;amount;currency;person_id;name;email;phone_number;ref;details;method;account;claimed_by;claimed_at;decided_by;decided_at',
    );
    expect(lines.pop()).toBe('');
    // The last in the list: the withdrawals that wait the longest are first.
    const row = lines.at(-1);
    expect(row).toMatch(new RegExp(`^${id};.*;initiated;15;XOF;${teacher.id};Kossi Mensah;`));
    // A phone number starts like a formula.
    expect(row).toMatch(/;mobile_money;'\+22890445566;;;;$/);
    for (const line of lines) expect(line).toContain(';initiated;');
    await view.close();
  });

  const rowOf = ({ page }: View, id: number) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name: String(id), exact: true }) });

  test('several withdrawals are claimed together, except those that someone else has claimed meanwhile', async () => {
    const [first, second] = [await withdraw(5), await withdraw(6)];
    const view = await stage.signedIn(`/withdrawals?filter=${encodeURIComponent('{"status":"initiated"}')}`);
    for (const id of [first, second]) await rowOf(view, id).getByRole('checkbox').check();
    const downloaded = view.page.waitForEvent('download');
    await press(view, 'CSV of selected rows');
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual([first, second]);
    await press(view, 'Claim selected (2)');
    await dialog(view).getByText('Claim 2 withdrawals, F CFA 11 in total?').waitFor();
    await view.check('withdrawals-selected');
    const su = as(stage.system, await adminToken(stage.system));
    data(await su.put(`api/admin/withdrawals/${first}`, { status: 'pending' }));
    await confirm(view).click();
    await dialog(view).getByRole('alert').getByText('1 of 2 claimed.').waitFor();
    await view.refused(409);
    await press(view, 'Cancel');
    await rowOf(view, second).waitFor({ state: 'detached' });
    expect(await Promise.all([first, second].map(async (id) => (await stateOf(id)).status))).toEqual([
      'pending',
      'pending',
    ]);
    // Rows that are no longer in the list are unselected.
    await view.page.getByText('CSV of selected rows').waitFor({ state: 'detached' });
    await press(view, 'Clear the filters');
    await rowOf(view, second).getByText('claimed by Administrator').waitFor();
    await view.close();
  });

  test.each([1280, 1440])('at %i pixels a row has one button and a menu, and fits the table', async (width) => {
    const id = await withdraw(3);
    const view = await stage.signedIn('/withdrawals');
    await view.page.setViewportSize({ width, height: 900 });
    await rowOf(view, id).getByRole('button', { name: 'Claim' }).waitFor();
    const decisions = rowOf(view, id).locator('.column-decisions').getByRole('button');
    expect(await decisions.allInnerTexts()).toEqual(['Claim', '']);
    expect(await view.overflowing('main table')).toBe(false);
    await rowOf(view, id).getByRole('button', { name: 'More actions' }).click();
    await view.check(`withdrawals-menu-${width}`);
    await view.page.getByRole('menuitem', { name: 'Refuse' }).click();
    await dialog(view).getByText('Refuse the withdrawal of F CFA 3').waitFor();
    await confirm(view).click();
    await rowOf(view, id).getByText('failed').waitFor();
    await view.close();
  });

  test('on a phone each withdrawal is a card with its button, and filters are hidden', async () => {
    const id = await withdraw(4);
    const view = await stage.signedIn('/withdrawals', { width: 'phone' });
    const { page } = view;
    const card = page.getByRole('row').filter({ hasText: '-F CFA 4' });
    for (const text of ['Kossi Mensah', 'new', 'mobile_money']) await card.getByText(text, { exact: true }).waitFor();
    expect(await page.getByLabel('Status').count()).toBe(0);
    expect(await view.overflowing('html')).toBe(false);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Status' }).click();
    await page.getByLabel('Status').waitFor();
    await view.check('withdrawals-filter');
    await card.getByRole('button', { name: 'Claim' }).click();
    await confirm(view).click();
    await card.getByText('in progress').waitFor();
    await view.check('withdrawals-cards');
    expect(await stateOf(id)).toMatchObject({ status: 'pending' });
    await view.close();
  });
});
