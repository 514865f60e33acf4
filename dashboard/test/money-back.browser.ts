import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, type Person } from '../../test/journeys/people.ts';
import { openStage, type Stage } from './browser.ts';
import { dispute, LOOKS, PASSWORD, section, setDeadline } from './money-back-kit.ts';
import { confirm, dialog, factOf, press, rowOf } from './page-kit.ts';
import { audited, lesson, PRICE, registerPair, setForWallet, topUp } from './lessons.ts';

describe('money that comes back:', () => {
  let stage: Stage;
  let student: Person;
  let teacher: Person;
  /** Disputed in full: a part of it was spent for a lesson. */
  let spent: number;
  /** Disputed in part, and refunded. */
  let unspent: number;
  const disputes: Record<'late' | 'urgent', number> = { late: 0, urgent: 0 };

  const su = async () => as(stage.system, await adminToken(stage.system));
  const rowsOf = async (list: string, filter: object = {}) =>
    data<{ data: { id: number; provider_ref: string; status: string }[] }>(
      await (await su()).post(`api/admin/${list}`, filter),
    ).data;
  const requestRefund = async (amount: number, reason: string) =>
    data<{ id: number }>(
      await as(stage.system, student.token).post(`api/deposits/${unspent}/refunds`, { amount, reason }),
    ).id;
  const ownRefund = async (id: number) =>
    data<{ status: string; ref: string | null; details: string | null }>(
      await as(stage.system, student.token).get(`api/deposit-refunds/${id}`),
    );

  beforeAll(async () => {
    stage = await openStage();
    ({ student, teacher } = await registerPair(stage.system));
    spent = await topUp(stage.system, student, 1_000);
    await lesson(stage.system, student, teacher);
    await dispute(stage.system, spent, 'dp_late', 1_000);
    unspent = await topUp(stage.system, student, 5_000);
    await dispute(stage.system, unspent, 'dp_urgent', 500);
    // A dispute of more than the deposit fits nothing: a break.
    await dispute(stage.system, unspent, 'dp_larger', 50_000);
    await setForWallet(stage.system, 'deposit_refunds', 1);
    const found = await rowsOf('disputesall');
    disputes.late = found.find(({ provider_ref: ref }) => ref === 'dp_late')!.id;
    disputes.urgent = found.find(({ provider_ref: ref }) => ref === 'dp_urgent')!.id;
    await Promise.all([setDeadline(stage, disputes.late, 9), setDeadline(stage, disputes.urgent, 2)]);
  });
  afterAll(() => stage?.close());

  test('the overview and the navigation count what needs a decision', async () => {
    const id = await requestRefund(100, 'Too much');
    const view = await stage.signedIn();
    const card = (name: string) => view.page.getByRole('link').filter({ hasText: name });
    for (const [name, count] of [
      ['Disputes to answer', '2'],
      ['Refunds to decide', '1'],
      ['Open breaks', '1'],
    ] as const)
      await card(name).getByText(count, { exact: true }).waitFor();
    const entry = view.page.getByRole('navigation', { name: 'Main navigation' }).getByRole('listitem');
    await entry.filter({ hasText: 'Disputes' }).getByText('2', { exact: true }).waitFor();
    await card('Refunds to decide').click();
    await rowOf(view, id).waitFor();
    await view.close();
    data(await as(stage.system, student.token).post(`api/deposit-refunds/${id}/cancel`));
  });

  test('disputes to answer are listed by deadline, and others by their status', async () => {
    const view = await stage.signedIn('/disputes');
    const { page } = view;
    const shown = async () => (await page.locator('tbody td.column-id').allInnerTexts()).map(Number);
    await rowOf(view, disputes.urgent).waitFor();
    expect(await shown()).toEqual([disputes.urgent, disputes.late]);
    await setDeadline(stage, disputes.urgent, 10);
    await page.reload();
    await eventually('the order follows the deadlines', async () => (await shown())[0] === disputes.late);
    await page.getByLabel('Status').click();
    await page.getByRole('option', { name: 'lost', exact: true }).click();
    await page.getByText('Nothing matches these filters.').waitFor();
    await view.close();
  });

  test('a dispute shows its money and timeline, and its evidence is copied or printed', async () => {
    const view = await stage.signedIn(`/disputes/${disputes.late}/show`);
    const { page } = view;
    await factOf(view, 'Taken from the student').getByText('F CFA 850').waitFor();
    await factOf(view, 'Owed').getByText(`F CFA ${PRICE}`).waitFor();
    await factOf(view, 'Deposit')
      .getByRole('link', { name: String(spent) })
      .waitFor();
    await section(view, 'Timeline').getByText('Money taken by the provider').waitFor();
    await page.getByRole('link', { name: 'Evidence' }).click();
    await page.getByRole('heading', { name: `Evidence for dispute ${disputes.late}` }).waitFor();
    await section(view, 'Call 1: Awa Diallo and Kossi Mensah')
      .getByText(/^call:.*:step:1$/)
      .waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The notification disappears by itself.
    await Promise.all([page.getByText('Evidence copied.').waitFor(), press(view, 'Copy')]);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(
      /Student: Awa Diallo\n[^]*Call 1: Awa Diallo and Kossi Mensah\n[^]*\n1 \| F.CFA.150 \| .* UTC/,
    );
    expect(copied).toMatch(/Network\n.* UTC \| 127\.0\.0\.0\/24/);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('button:visible, nav:visible').count()).toBe(0);
    await page.getByText('Paid with this deposit').waitFor();
    await view.close();
  });

  test('only a super administrator writes a debt off, with a reason', async () => {
    const view = await stage.signedIn(`/disputes/${disputes.late}/show`);
    await press(view, 'Write off');
    await dialog(view).getByText('one hundred and fifty West African CFA francs').waitFor();
    await confirm(view).click();
    await dialog(view).getByText('This field is required.').waitFor();
    await view.check('disputes-write-off');
    await dialog(view).getByLabel('Reason').fill('The student has left.');
    await confirm(view).click();
    await section(view, 'Timeline').getByText('Debt written off').waitFor();
    await factOf(view, 'Owed').getByText('F CFA 0').waitFor();
    expect(await view.page.getByRole('button', { name: 'Write off' }).count()).toBe(0);
    await audited(stage.system, 'the act', (acts) => acts.some(({ action }) => action === 'dispute.written_off'));
    await view.page.goto(`${stage.system.url}/admin/audit`);
    const entry = view.page.getByRole('row').filter({ hasText: 'Debt written off' });
    await entry.getByText('The student has left.').waitFor();
    await entry.getByRole('link', { name: `Dispute ${disputes.late}` }).waitFor();
    await view.close();
  });

  test('a refund is rejected with a reason, which the student reads', async () => {
    const id = await requestRefund(200, 'I move abroad.');
    const view = await stage.signedIn('/refunds');
    await rowOf(view, id).getByText('I move abroad.').waitFor();
    await rowOf(view, id).getByRole('button', { name: 'More actions' }).click();
    await view.page.getByRole('menuitem', { name: 'Reject' }).click();
    await confirm(view).click();
    await dialog(view).getByText('This field is required.').waitFor();
    await view.check('refunds-reject');
    await dialog(view).getByLabel('Reason').fill('Please use it for a lesson.');
    await confirm(view).click();
    await rowOf(view, id).getByText('rejected', { exact: true }).waitFor();
    expect(await ownRefund(id)).toMatchObject({ status: 'rejected', details: 'Please use it for a lesson.' });
    await view.close();
  });

  test('a refund is sent once, and marked as paid by hand with its reference', async () => {
    const id = await requestRefund(300, '');
    const view = await stage.signedIn(`/refunds/${id}/show`);
    const sent: string[] = [];
    view.page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()));
    await press(view, 'Send');
    await dialog(view).getByText('three hundred West African CFA francs').waitFor();
    await view.check('refunds-send');
    await view.clickTwice(confirm(view));
    await factOf(view, 'Status').getByText('sent', { exact: true }).waitFor();
    expect(sent).toHaveLength(1);
    await press(view, 'Mark as paid');
    await dialog(view).getByLabel('Reference').fill('BANK-78');
    await confirm(view).click();
    await factOf(view, 'Status').getByText('paid', { exact: true }).waitFor();
    await factOf(view, 'Reference').getByText('BANK-78').waitFor();
    expect(await view.page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await ownRefund(id)).toMatchObject({ status: 'success', ref: 'BANK-78' });
    await view.close();
  });

  test('a decision that comes too late is refused, and a refund that failed is marked so', async () => {
    const id = await requestRefund(50, 'Again');
    const view = await stage.signedIn(`/refunds/${id}/show`);
    await press(view, 'Reject');
    await dialog(view).getByLabel('Reason').fill('No');
    data(await (await su()).put(`api/admin/deposit-refunds/${id}`, { status: 'sent' }));
    await confirm(view).click();
    await dialog(view).getByRole('alert').getByText('the status is now “sent”').waitFor();
    await view.refused(409);
    await dialog(view).getByRole('button', { name: 'Cancel' }).click();
    await press(view, 'Mark as failed');
    await confirm(view).click();
    await factOf(view, 'Status').getByText('failed', { exact: true }).waitFor();
    expect(await ownRefund(id)).toMatchObject({ status: 'failed' });
    await view.close();
  });

  test('a break is resolved with a note, and can be opened again', async () => {
    const view = await stage.signedIn('/breaks');
    const { page } = view;
    const row = page.locator('tbody tr').filter({ hasText: 'dp_larger' });
    await row.getByText('different amounts').waitFor();
    await row.getByText('F CFA 50,000').waitFor();
    await row.getByRole('button', { name: 'Resolve' }).click();
    await confirm(view).click();
    await dialog(view).getByText('This field is required.').waitFor();
    await view.check('breaks-resolve');
    await dialog(view).getByLabel('Note').fill('The provider has corrected it.');
    await confirm(view).click();
    await page.getByText('No open breaks.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await row.getByText('The provider has corrected it.').waitFor();
    await row.getByRole('button', { name: 'Reopen' }).click();
    await dialog(view).getByLabel('Note').fill('Not yet.');
    await confirm(view).click();
    await row.getByText('Not yet.').waitFor();
    await row.getByText('open', { exact: true }).waitFor();
    await view.close();
  });

  test('a person, a deposit and the payments show disputes and refunds', async () => {
    const view = await stage.signedIn(`/people/${student.id}/show`);
    const { page } = view;
    await factOf(view, 'Owed').waitFor();
    await section(view, 'Disputes').getByRole('row').nth(1).waitFor();
    await section(view, 'Refunds').getByText('Please use it for a lesson.').waitFor();
    await page.goto(`${stage.system.url}/admin/deposits/${spent}/show`);
    await section(view, 'Disputes of this deposit').getByRole('row').first().waitFor();
    expect(await section(view, 'Disputes of this deposit').getByRole('row').count()).toBe(1);
    await section(view, 'Refunds of this deposit').getByText('None.').waitFor();
    await section(view, 'Disputes of this deposit').getByRole('link', { name: 'Show all (1)' }).click();
    await rowOf(view, disputes.late).waitFor();
    await page.getByLabel('Number of the deposit').waitFor();
    expect(await rowOf(view, disputes.urgent).count()).toBe(0);
    const filter = encodeURIComponent(JSON.stringify({ type: 'refund', status: 'success', user_id: student.id }));
    await page.goto(`${stage.system.url}/admin/payments?filter=${filter}`);
    const link = page.getByRole('link', { name: 'Refund (dispute)' }).first();
    expect(await link.getAttribute('href')).toMatch(/\/disputes\/\d+\/show$/);
    await page.getByRole('link', { name: 'Refund', exact: true }).first().click();
    await page.getByRole('heading', { name: /^Refund \d+$/ }).waitFor();
    await view.close();
  });

  test('Ctrl+K finds disputes and refunds by number and reference', async () => {
    const [refund] = await rowsOf('deposit-refundsall', { status: 'success' });
    const view = await stage.signedIn();
    const { page } = view;
    await page.getByRole('button', { name: 'Search everything' }).click();
    const field = page.getByRole('combobox', { name: /reference/ });
    const first = page.getByRole('option').first();
    await field.fill('dp_late');
    await first.filter({ hasText: new RegExp(`^Dispute ${disputes.late}: .*dp_late`) }).waitFor();
    await field.fill('BANK-78');
    await first.filter({ hasText: new RegExp(`^Refund ${refund!.id}: .*BANK-78`) }).waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.waitForURL(`**/refunds/${refund!.id}/show`);
    await view.close();
  });

  test('without the rights there are no decisions, and no pages', async () => {
    const admin = await su();
    for (const role of ['finance', 'support'])
      data(
        await admin.post('api/admin/admins', {
          ...{ name: `Clerk ${role}`, email: `${role}@example.com`, phone_number: '+22890112244', password: PASSWORD },
          roles: [role],
        }),
      );
    const id = await requestRefund(60, 'Once more');
    const finance = await stage.open(`/refunds/${id}/show`);
    await finance.signIn('finance@example.com', PASSWORD);
    await finance.page.getByRole('heading', { name: `Refund ${id}` }).waitFor();
    expect(await finance.page.getByRole('main').getByRole('button').count()).toBe(0);
    await finance.check('refunds-finance');
    await finance.page.goto(`${stage.system.url}/admin/breaks`);
    await finance.page.getByText('dp_larger').waitFor();
    expect(await finance.page.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
    await finance.close();
    const support = await stage.open('/disputes');
    await support.signIn('support@example.com', PASSWORD);
    await support.page.getByRole('heading', { name: 'Access denied', level: 2 }).waitFor();
    expect(await support.page.getByRole('link', { name: 'Disputes' }).count()).toBe(0);
    await support.close();
  });

  test.each(LOOKS)('every page about it is accessible and fits in $language on a $width', async (look) => {
    const [refund] = await rowsOf('deposit-refundsall');
    const view = await stage.signedIn('/', look);
    const { page } = view;
    if (look.width === 'desktop') await page.setViewportSize({ width: 1440, height: 900 });
    for (const [name, path] of [
      ['overview', '/'],
      ['disputes', '/disputes'],
      ['disputes-one', `/disputes/${disputes.late}/show`],
      ['disputes-evidence', `/disputes/${disputes.late}/evidence`],
      ['refunds', '/refunds'],
      ['refunds-one', `/refunds/${refund!.id}/show`],
      ['breaks', '/breaks'],
      ['payments-back', '/payments'],
      ['person-back', `/people/${student.id}/show`],
      ['deposit-back', `/deposits/${unspent}/show`],
    ] as const) {
      await page.goto(`${stage.system.url}/admin${path}`);
      await page.getByRole('banner').waitFor();
      await view.check(`back-${name}`);
      expect([name, await view.overflowing('html')]).toEqual([name, false]);
    }
    await view.close();
  });
});
