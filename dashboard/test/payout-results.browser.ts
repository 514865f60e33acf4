import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { data } from '../../test/journeys/people.ts';
import { openStage, type Stage, type View } from './browser.ts';
import { closed, confirm, dialog, factOf, main, press } from './page-kit.ts';
import { APPROVER, PASSWORD, payee, payoutSteps, preparePayouts, type Payee, type PayoutSteps } from './payout-kit.ts';

const TOO_MANY_BYTES = 5 * 1024 * 1024 + 1;

describe('results of payouts:', () => {
  let stage: Stage;
  let steps: PayoutSteps;
  let kossi: Payee;
  /** A batch with payouts in several states. */
  let batch: number;

  beforeAll(async () => {
    stage = await openStage();
    steps = payoutSteps(stage.system);
    await preparePayouts(stage.system);
    kossi = await payee(stage.system, 'Kossi Mensah', '90 44 55 66');
    const ids: number[] = [];
    for (let amount = 101; amount <= 106; amount += 1) ids.push(await steps.withdraw(kossi, amount));
    batch = await steps.exported(ids);
  });
  afterAll(() => stage?.close());

  const rowOf = (view: View, reference: string) => main(view).getByRole('row').filter({ hasText: reference });
  const choose = (view: View, text: string | Buffer) =>
    view.page
      .getByLabel('Choose a file', { exact: true })
      .setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

  test('a file that cannot be read is refused at its field', async () => {
    const view = await stage.signedIn(`/payouts/${batch}/show`);
    await view.page.getByRole('link', { name: 'Results' }).click();
    await view.page.getByRole('heading', { name: `Results of payout batch ${batch}` }).waitFor();
    const uploads: string[] = [];
    view.page.on('request', (sent) => sent.method() === 'POST' && uploads.push(sent.url()));
    await press(view, 'Read');
    await view.page.getByText('A file is required.').waitFor();
    await choose(view, Buffer.alloc(TOO_MANY_BYTES, 'x'));
    await press(view, 'Read');
    await view.page.getByText('The file is larger than 5 MB.').waitFor();
    expect(uploads.filter((url) => url.includes('/results'))).toEqual([]);
    await choose(view, 'nothing here');
    await press(view, 'Read');
    await view.page.getByText('The file field must be a table with the columns reference and status.').waitFor();
    await view.refused(422);
    await view.check('payouts-unreadable');
    await view.close();
  });

  test('every line has its verdict before anything is applied, uncertain ones first; applied once', async () => {
    const [paid, failed, uncertain, differs, repeated, already] = await steps.items(batch);
    const settled = { status: 'paid', message: 'By phone' };
    const path = `api/admin/payout-batches/${batch}/items/${already!.id}`;
    // Only who did not make the batch settles its payouts.
    expect((await (await steps.su()).put(path, settled)).body).toMatchObject({ statusCode: 409 });
    const view = await stage.signedIn(`/payouts/${batch}/results`);
    const checker = await stage.open(`/payouts/${batch}/show?status=sent`);
    await checker.signIn(APPROVER, PASSWORD);
    await rowOf(checker, already!.reference).getByRole('button', { name: 'Mark as paid' }).click();
    await confirm(checker).click();
    await dialog(checker).getByText('This field is required.').waitFor();
    await checker.check('payouts-settle');
    await dialog(checker).getByLabel('Reference of the bank or operator').fill('B-6');
    await dialog(checker).getByLabel('Message').fill('Confirmed by phone');
    await checker.clickTwice(confirm(checker));
    await closed(checker);
    await rowOf(checker, already!.reference).waitFor({ state: 'detached' });
    await checker.close();
    expect((await steps.items(batch)).at(-1)).toMatchObject({ status: 'paid', provider_ref: 'B-6' });

    await choose(
      view,
      [
        'reference;status;provider_ref;message;amount',
        `${paid!.reference};Payé;B-1;;101`,
        `${failed!.reference};rejected;;The account is closed.;102`,
        `${uncertain!.reference};en cours;;<b>Ask again</b>;`,
        `${differs!.reference};paid;B-4;;999`,
        `${repeated!.reference};paid;;;`,
        `${repeated!.reference};failed;;;`,
        `${already!.reference};failed;;;`,
        'W999999-1;paid;;;',
        ';paid;;;',
      ].join('\r\n'),
    );
    await press(view, 'Read');
    const lines = main(view).getByRole('region', { name: 'What the lines mean' }).locator('tbody tr');
    await lines.first().getByText('uncertain', { exact: true }).waitFor();
    await lines.first().getByText('<b>Ask again</b>').waitFor();
    await lines.first().getByText(`${uncertain!.reference}, Kossi Mensah`).waitFor();
    const verdicts = await lines.locator('td:nth-child(2)').allInnerTexts();
    expect(verdicts).toEqual([
      ...['uncertain', 'another amount', 'unknown reference', 'repeated or contradictory'],
      ...['repeated or contradictory', 'unreadable', 'already settled', 'failed', 'paid'],
    ]);
    const counts = main(view).getByRole('list', { name: 'What the lines mean' }).getByRole('listitem');
    expect(await counts.allInnerTexts()).toEqual([
      ...['1 uncertain', '1 another amount', '1 unknown reference', '2 repeated or contradictory', '1 unreadable'],
      ...['1 already settled', '1 failed', '1 paid'],
    ]);
    expect((await steps.batch(batch)).items).toMatchObject({ sent: 5, paid: 1, failed: 0, uncertain: 0 });
    await view.check('payouts-verdicts');
    const applications: string[] = [];
    view.page.on('request', (sent) => sent.url().endsWith('/apply') && applications.push(sent.url()));
    await press(view, 'Apply');
    for (const line of ['1 uncertain', '1 failed', '1 paid'])
      await dialog(view).getByRole('listitem').getByText(line, { exact: true }).waitFor();
    await view.check('payouts-apply');
    await view.clickTwice(confirm(view));
    await closed(view);
    await main(view).getByText('3 applied, 6 not applied.').waitFor();
    expect(applications).toHaveLength(1);
    expect(await main(view).getByRole('button', { name: 'Apply' }).count()).toBe(0);
    expect((await steps.batch(batch)).items).toMatchObject({ sent: 2, paid: 2, failed: 1, uncertain: 1 });
    await main(view).getByRole('alert').getByRole('link', { name: 'Back to the batch' }).click();
    const states = main(view).getByRole('list', { name: 'States of the payouts' });
    await states.getByText('1 uncertain').click();
    await view.page.waitForURL('**/show?status=uncertain');
    await rowOf(view, uncertain!.reference).getByText('<b>Ask again</b>').waitFor();
    await rowOf(view, paid!.reference).waitFor({ state: 'detached' });
    await view.check('payouts-uncertain');
    await view.close();
  });

  test('uncertain payouts are counted, and a difference is a break that leads to its batch', async () => {
    const view = await stage.signedIn('/');
    const card = view.page.getByRole('link').filter({ hasText: 'Uncertain payouts' });
    await card.getByText('1', { exact: true }).waitFor();
    await card.click();
    await view.page.waitForURL('**/admin/payouts?filter=*exported*');
    await view.page.locator('tbody tr').getByText('1 uncertain').waitFor();
    await view.page.goto(`${stage.system.url}/admin/breaks`);
    const difference = view.page.locator('tbody tr').filter({ hasText: 'different amounts' });
    await difference.getByRole('link', { name: /^W\d+-\d+$/ }).click();
    await view.page.getByRole('heading', { name: `Payout batch ${batch}` }).waitFor();
    await view.close();
  });

  test('only a super administrator says that a payout has come back', async () => {
    const [first] = await steps.items(batch);
    const checker = await stage.open(`/payouts/${batch}/show`);
    await checker.signIn(APPROVER, PASSWORD);
    await rowOf(checker, first!.reference).waitFor();
    expect(await rowOf(checker, first!.reference).getByRole('button', { name: 'More actions' }).count()).toBe(0);
    await checker.close();
    const id = await steps.make([await steps.withdraw(kossi, 50)]);
    await steps.act(id, 'approve', APPROVER);
    await steps.act(id, 'export');
    const [item] = await steps.items(id);
    await stage.system.sql('wallet', 'update payout_batch set needs_approval = false where id = $1', [id]);
    const view = await stage.signedIn(`/payouts/${id}/show`);
    await rowOf(view, item!.reference).getByRole('button', { name: 'Mark as paid' }).click();
    await dialog(view).getByLabel('Message').fill('By phone');
    await confirm(view).click();
    await closed(view);
    await factOf(view, 'Status').getByText('closed', { exact: true }).waitFor();
    await rowOf(view, item!.reference).getByRole('button', { name: 'More actions' }).click();
    await view.page.getByRole('menuitem', { name: 'Mark as returned' }).click();
    await dialog(view).getByLabel('Message').fill('The account is closed.');
    await confirm(view).click();
    await closed(view);
    await rowOf(view, item!.reference).getByText('returned', { exact: true }).waitFor();
    await rowOf(view, item!.reference).getByText('The account is closed.').waitFor();
    await eventually('the audit log has it', async () => {
      const answer = await (await steps.su()).post('api/admin/auditall', { action: 'payout_item.updated' });
      return data<{ data: { subject: string; after: { status: string } }[] }>(answer).data.some(
        ({ subject, after }) => subject === `payout_item:${item!.id}` && after.status === 'returned',
      );
    });
    await view.page.goto(`${stage.system.url}/admin/audit`);
    const entry = view.page.getByRole('row').filter({ hasText: 'Payout settled' });
    await entry.first().getByText('The account is closed.').waitFor();
    await view.close();
  });

  test('a report is compared with our records, and its breaks are shown', async () => {
    const [paid] = await steps.items(batch);
    const view = await stage.signedIn('/breaks');
    await view.page.getByRole('link', { name: 'Compare a report' }).click();
    await view.page.waitForURL('**/admin/breaks/reconcile');
    await press(view, 'Compare');
    await view.page.getByText('A file is required.').waitFor();
    await choose(view, `reference;status\r\n${paid!.reference};paid\r\nW77777-7;paid\r\n`);
    await press(view, 'Compare');
    await view.page.getByText('The provider field is required.').waitFor();
    await view.refused(422);
    await view.check('breaks-reconcile-refused');
    const today = new Date().toISOString().slice(0, 10);
    await view.page.getByLabel('Provider', { exact: true }).fill(' Bank');
    await view.page.getByLabel('From (UTC day)').fill(today);
    await view.page.getByLabel('To (UTC day)').fill(today);
    await press(view, 'Compare');
    await factOf(view, 'Lines').getByText('2', { exact: true }).waitFor();
    await view.check('breaks-reconciled');
    await main(view).getByRole('link', { name: 'Open breaks' }).click();
    await view.page.locator('tbody tr').filter({ hasText: 'W77777-7' }).getByText('unknown to us').waitFor();
    await view.close();
  });

  test('a teacher’s page shows the payout accounts that were used', async () => {
    const view = await stage.signedIn(`/people/${kossi.person.id}/show`);
    const accounts = view.page.getByRole('region', { name: 'Payout accounts used' });
    await accounts.getByText('+22890445566').waitFor();
    await accounts.getByText('tmoney').waitFor();
    await view.close();
  });

  const looks = (['en', 'fr'] as const).flatMap((language) =>
    (['light', 'dark'] as const).flatMap((colours) =>
      (['desktop', 'phone'] as const).map((width) => ({ language, colours, width })),
    ),
  );
  test.each(looks)('every page is accessible and fits in $language, $colours, on a $width', async (look) => {
    const view = await stage.signedIn('/', look);
    const { page } = view;
    if (look.width === 'desktop') await page.setViewportSize({ width: 1440, height: 900 });
    for (const [name, path] of [
      ['overview', '/'],
      ['withdrawals', '/withdrawals'],
      ['payouts', '/payouts'],
      ['payouts-one', `/payouts/${batch}/show`],
      ['payouts-results', `/payouts/${batch}/results`],
      ['breaks', '/breaks'],
      ['breaks-reconcile', '/breaks/reconcile'],
      ['person-payouts', `/people/${kossi.person.id}/show`],
    ] as const) {
      await page.goto(`${stage.system.url}/admin${path}`);
      await page.getByRole('banner').waitFor();
      await view.check(`pay-${name}`);
      expect([name, await view.overflowing('html')]).toEqual([name, false]);
    }
    await view.close();
  });
});
