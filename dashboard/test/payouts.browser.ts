import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { data } from '../../test/journeys/people.ts';
import { openStage, type Stage, type View } from './browser.ts';
import { closed, confirm, dialog, factOf, main, press, rowOf } from './page-kit.ts';
import {
  APPROVER,
  ban,
  FINANCE,
  PASSWORD,
  payee,
  payoutSteps,
  preparePayouts,
  type Payee,
  type PayoutSteps,
} from './payout-kit.ts';

const OTHER_FIRST = 'Another administrator must approve this batch.';

describe('payouts:', () => {
  let stage: Stage;
  let steps: PayoutSteps;
  let kossi: Payee;
  let afi: Payee;

  beforeAll(async () => {
    stage = await openStage();
    steps = payoutSteps(stage.system);
    await preparePayouts(stage.system);
    kossi = await payee(stage.system, 'Kossi Mensah', '90 44 55 66');
    afi = await payee(stage.system, 'Afi Lawson', '90 44 55 66');
  });
  afterAll(() => stage?.close());

  const status = (view: View, name: string) => factOf(view, 'Status').getByText(name, { exact: true }).waitFor();
  const title = ({ page }: View, id: number) =>
    page.getByRole('heading', { name: `Payout batch ${id}`, exact: true }).waitFor();
  const remarks = (view: View, name: string) => dialog(view).getByRole('list', { name });
  const buttons = async (view: View) =>
    (await main(view).getByRole('button').allInnerTexts()).filter((name) => name !== '');
  const signedInAs = async (email: string, path: string) => {
    const view = await stage.open(path);
    await view.signIn(email, PASSWORD);
    return view;
  };

  test('a batch is made once from selected withdrawals; the preview says what is left out and what to check', async () => {
    const banned = await payee(stage.system, 'Ibrahim Sanogo');
    const held = await payee(stage.system, 'Yao Amegah', '91 44 55 66');
    const taken = await steps.withdraw(kossi, 6);
    const ids = [
      ...[await steps.withdraw(kossi, 5), taken, await steps.withdraw(afi, 7)],
      ...[await steps.withdraw(banned, 8), await steps.withdraw(held, 9)],
    ];
    await ban(stage.system, banned.person);
    await stage.system.sql('wallet', `update payout_account set usable_at = now() + interval '1 day' where id = $1`, [
      held.account,
    ]);
    const view = await stage.signedIn('/withdrawals');
    const posts: string[] = [];
    const isMaking = (url: string) => url.endsWith('/api/admin/payout-batches');
    view.page.on('request', (sent) => isMaking(sent.url()) && posts.push(sent.headers()['idempotency-key'] ?? ''));
    for (const id of ids) await rowOf(view, id).getByRole('checkbox').check();
    await press(view, 'Pay out selected (5)');
    await dialog(view).getByText('3 payouts').waitFor();
    await dialog(view).getByText('eighteen West African CFA francs').waitFor();
    await remarks(view, 'Left out (2)').getByText('Ibrahim Sanogo, F CFA 8: the person is banned').waitFor();
    await remarks(view, 'Left out (2)').getByText('Yao Amegah, F CFA 9: the payout account cannot be used').waitFor();
    const check = remarks(view, 'Please check first (3)');
    for (const whose of ['Kossi Mensah, F CFA 5', 'Afi Lawson, F CFA 7'])
      await check.getByText(`${whose}: first payout to this person; somebody else uses the same account`).waitFor();
    await view.check('payouts-preview');

    // Somebody else is faster with one of them: nothing is made, and the preview is renewed.
    data(await (await steps.su()).put(`api/admin/withdrawals/${taken}`, { status: 'pending' }));
    await dialog(view).getByLabel('Note').fill('Week 48');
    await confirm(view).click();
    await dialog(view).getByRole('alert').getByText(`Withdrawal ${taken} cannot be paid`).waitFor();
    await view.refused(409);
    await remarks(view, 'Left out (3)').getByText('Kossi Mensah, F CFA 6: no longer new').waitFor();
    expect(await dialog(view).getByLabel('Note').inputValue()).toBe('Week 48');
    // The answer is lost after the batch was made, also of the client's own tries: one more repeats the same request.
    let lost = 0;
    await view.page.route('**/api/admin/payout-batches', async (route) => {
      await route.fetch();
      lost += 1;
      await route.abort();
    });
    await confirm(view).click();
    await dialog(view).getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await view.page.unroute('**/api/admin/payout-batches');
    await eventually(
      'the console has every failure',
      () => view.complaints.length >= lost && view.complaints.splice(0),
    );
    await view.clickTwice(confirm(view));
    await view.page.waitForURL('**/admin/payouts/*/show');
    const id = Number(/(\d+)\/show/.exec(view.page.url())![1]);
    await title(view, id);
    await status(view, 'draft');
    await factOf(view, 'Note').getByText('Week 48').waitFor();
    await factOf(view, 'Second administrator').getByText('required').waitFor();
    await main(view).getByRole('list', { name: 'States of the payouts' }).getByText('2 waiting').waitFor();
    const [refused, ...made] = posts;
    expect([made.length > lost, new Set(made).size, made.includes(refused!)]).toEqual([true, 1, false]);
    expect((await steps.items(id)).map(({ withdrawal_id: of }) => of).sort()).toEqual([ids[0], ids[2]].sort());
    await view.check('payouts-draft');
    await view.close();
  });

  test('without a withdrawal that can be paid nothing is made', async () => {
    const id = await steps.withdraw(kossi, 4);
    const view = await stage.signedIn('/withdrawals');
    await rowOf(view, id).getByRole('checkbox').check();
    await press(view, 'Pay out selected (1)');
    await dialog(view).getByText('1 payout', { exact: true }).waitFor();
    data(await (await steps.su()).put(`api/admin/withdrawals/${id}`, { status: 'pending' }));
    await confirm(view).click();
    await remarks(view, 'Left out (1)').waitFor();
    await view.refused(409);
    await confirm(view).click();
    await dialog(view).getByRole('alert').getByText('None of the selected withdrawals can be paid out.').waitFor();
    await view.close();
  });

  test('the maker does not approve; another administrator does, of the version that is shown', async () => {
    const id = await steps.make([await steps.withdraw(kossi, 10), await steps.withdraw(afi, 20)]);
    const maker = await stage.signedIn(`/payouts/${id}/show`);
    await press(maker, 'Approve');
    await dialog(maker).getByText('thirty West African CFA francs').waitFor();
    await confirm(maker).click();
    await dialog(maker).getByRole('alert').getByText(OTHER_FIRST).waitFor();
    await maker.refused(409);
    await maker.check('payouts-own');
    await dialog(maker).getByRole('button', { name: 'Cancel' }).click();
    await closed(maker);

    const checker = await signedInAs(APPROVER, `/payouts/${id}/show`);
    await title(checker, id);
    await main(checker).getByText('•••• 5566').first().waitFor();
    await main(checker).getByText('Account (masked)').waitFor();
    expect(await buttons(checker)).toEqual(['Approve']);
    await press(checker, 'Approve');
    await dialog(checker).waitFor();
    // The maker removes a payout; the other page is up to date behind its dialog.
    const row = main(maker).getByRole('row').filter({ hasText: 'Afi Lawson' });
    await row.getByRole('button', { name: 'Remove' }).click();
    await confirm(maker).click();
    await closed(maker);
    await row.getByText('removed', { exact: true }).waitFor();
    await checker.page.locator('dl').getByText('F CFA 10', { exact: true }).waitFor();
    await confirm(checker).click();
    await dialog(checker).getByRole('alert').getByText('Administrator').waitFor();
    await checker.refused(409);
    await dialog(checker).getByRole('button', { name: 'Cancel' }).click();
    await closed(checker);
    await press(checker, 'Approve');
    await checker.clickTwice(confirm(checker));
    await closed(checker);
    await status(checker, 'approved');
    await factOf(checker, 'Approved by').getByText('Clerk approver').waitFor();
    expect(await buttons(checker)).toEqual([]);
    await checker.check('payouts-approved');
    await checker.close();
    await status(maker, 'approved');
    await maker.close();
  });

  test('an approved batch is exported once, and the file is downloaded as it was written', async () => {
    const id = await steps.make([await steps.withdraw(kossi, 11)]);
    await steps.act(id, 'approve', APPROVER);
    const view = await signedInAs(FINANCE, `/payouts/${id}/show`);
    await title(view, id);
    expect(await buttons(view)).toEqual(['Export', 'Cancel the batch']);
    await press(view, 'Export');
    await view.check('payouts-export');
    await view.clickTwice(confirm(view));
    await closed(view);
    await status(view, 'exported');
    const bytes = await steps.file(id);
    await factOf(view, 'Checksum (SHA-256)').getByText(createHash('sha256').update(bytes).digest('hex')).waitFor();
    await factOf(view, 'File').getByText(`${bytes.length} bytes`).waitFor();
    expect(await buttons(view)).toEqual(['Download the file']);
    const saving = view.page.waitForEvent('download');
    await press(view, 'Download the file');
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe((await steps.batch(id)).file?.name);
    expect(await readFile(await saved.path())).toEqual(bytes);
    await view.check('payouts-exported');
    await view.close();
  });

  test('a canceled batch frees its withdrawals, and the list follows without a reload', async () => {
    const withdrawal = await steps.withdraw(kossi, 12);
    const list = await stage.signedIn('/payouts');
    await list.page.getByLabel('Status').click();
    await list.page.getByRole('option', { name: 'draft', exact: true }).click();
    await list.page.waitForURL('**/payouts?*draft*');
    // Nothing is loading: from now on only the live event changes the list.
    await list.check('payouts-drafts');
    const id = await steps.make([withdrawal], 'Mistake');
    await rowOf(list, id).getByText('Mistake').waitFor();
    await rowOf(list, id).getByText('1 waiting').waitFor();
    const view = await stage.signedIn(`/payouts/${id}/show`);
    await press(view, 'Cancel the batch');
    await view.check('payouts-cancel');
    await confirm(view).click();
    await closed(view);
    await status(view, 'canceled');
    expect(await buttons(view)).toEqual([]);
    await rowOf(list, id).waitFor({ state: 'detached' });
    const now = await (await steps.su()).get(`api/admin/withdrawals/${withdrawal}`);
    expect(data<{ status: string }>(now).status).toBe('initiated');
    await list.page.getByRole('button', { name: 'Clear the filters' }).click();
    await rowOf(list, id).getByText('canceled', { exact: true }).waitFor();
    await rowOf(list, id).getByRole('link').first().click();
    await title(list, id);
    await list.close();
    await view.close();
  });

  test('the overview and the navigation count what is to be approved', async () => {
    const withdrawal = await steps.withdraw(kossi, 13);
    const view = await stage.signedIn();
    const card = view.page.getByRole('link').filter({ hasText: 'Payout batches to approve' });
    await card.locator('p', { hasText: /^\d+$/ }).waitFor();
    const before = Number(await card.locator('p', { hasText: /^\d+$/ }).innerText());
    await steps.make([withdrawal]);
    await card.getByText(String(before + 1), { exact: true }).waitFor();
    await card.click();
    await view.page.waitForURL('**/admin/payouts?filter=*draft*');
    const entry = view.page.getByRole('navigation', { name: 'Main navigation' }).getByRole('listitem');
    await entry
      .filter({ hasText: 'Payouts' })
      .getByText(String(before + 1), { exact: true })
      .waitFor();
    await view.close();
  });

  test('the search finds a batch by its number', async () => {
    const id = await steps.make([await steps.withdraw(kossi, 15)]);
    const view = await stage.signedIn('/settings');
    await view.page.getByRole('button', { name: 'Search everything' }).click();
    await view.page.getByRole('dialog').getByRole('combobox').fill(String(id));
    await view.page
      .getByRole('option')
      .filter({ hasText: `Payout batch ${id}:` })
      .click();
    await view.page.waitForURL(`**/admin/payouts/${id}/show`);
    await title(view, id);
    await view.close();
  });

  test('without the right to pay out nothing can be done with selected withdrawals', async () => {
    const id = await steps.withdraw(kossi, 14);
    const approver = await signedInAs(APPROVER, '/withdrawals');
    await rowOf(approver, id).getByRole('checkbox').check();
    await approver.page.getByText('1 item selected').waitFor();
    expect(await approver.page.getByRole('button', { name: /^Pay out/ }).count()).toBe(0);
    await approver.close();
  });
});
