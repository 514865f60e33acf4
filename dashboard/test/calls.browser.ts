import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data } from '../../test/journeys/people.ts';
import { inBrowser, openStage, type Stage } from './browser.ts';
import { lesson, registerPair, topUp } from './lessons.ts';

inBrowser('calls', () => {
  let stage: Stage;
  let identifier: string;
  beforeAll(async () => {
    stage = await openStage();
    const { student, teacher } = await registerPair(stage.system);
    await topUp(stage.system, student, 1_000);
    identifier = await lesson(stage.system, student, teacher);
  });
  afterAll(() => stage?.close());

  const refunds = async () => {
    const su = as(stage.system, await adminToken(stage.system));
    const call = data<{ refunds: { amount: number }[] }>(await su.get(`api/admin/calls/${identifier}`));
    return call.refunds.map(({ amount }) => amount);
  };
  const reasons = async () => {
    const su = as(stage.system, await adminToken(stage.system));
    const log = data<{ data: { action: string; after: { reason?: string } }[] }>(await su.post('api/admin/auditall'));
    return log.data.filter(({ action }) => action === 'call.refunded').map(({ after }) => after.reason);
  };

  test('a call shows its course and its charges, and is refunded in parts, up to what is left', async () => {
    const view = await stage.signedIn('/calls');
    const { page } = view;
    await page.getByRole('cell', { name: 'Kossi Mensah' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Kossi Mensah' }).waitFor();
    await page.goBack();
    await page.getByRole('cell', { name: 'Awa Diallo' }).getByRole('link').waitFor();
    await view.check('calls');
    await page.locator('tbody .column-created_at').getByRole('link').click();
    await page.getByRole('heading', { name: 'Call of Awa Diallo with Kossi Mensah' }).waitFor();
    const ended = page.getByRole('listitem').filter({ hasText: 'Ended by the student' });
    expect(await ended.getByRole('time').innerText()).toMatch(/\d\d:\d\d:\d\d$/);
    await page.getByText(/^\d+\ss$/).waitFor();
    await page.getByText('Refundable: F CFA 150').waitFor();
    await view.check('calls-one');

    const dialog = page.getByRole('dialog');
    const amount = dialog.getByLabel('Amount');
    const confirm = dialog.getByRole('button', { name: 'Confirm' });
    await page.getByRole('button', { name: 'Refund' }).click();
    await dialog.getByText('one hundred and fifty West African CFA francs').waitFor();
    await amount.fill('151');
    await confirm.click();
    await dialog.getByText('must not be greater than 150').waitFor();
    await view.refused(422);
    await amount.fill('50');
    await dialog.getByText('fifty West African CFA francs', { exact: true }).waitFor();
    await dialog.getByLabel('Reason').fill('The sound was bad.');
    await view.check('calls-refund');
    const sent: string[] = [];
    page.on('request', (request) => request.url().endsWith('/refund') && sent.push(request.url()));
    // Whoever goes on clicking meets the dialog while it fades out.
    await dialog.locator('form').evaluate((form) => {
      const again = new MutationObserver(() => form.isConnected && (form as HTMLFormElement).requestSubmit());
      again.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await view.clickTwice(confirm);
    await dialog.waitFor({ state: 'detached' });
    expect(sent).toHaveLength(1);
    await page.getByText('Refundable: F CFA 100').waitFor();
    expect(await refunds()).toEqual([50]);
    await eventually('the audit log has the reason', async () => (await reasons())[0] === 'The sound was bad.');

    await page.getByRole('button', { name: 'Refund' }).click();
    await confirm.click();
    await page.getByText('Refundable: F CFA 0').waitFor();
    expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
    expect((await refunds()).sort()).toEqual([100, 50].sort());
    await view.close();
  });

  test('a call that does not exist is said to be unknown', async () => {
    const look = { language: 'fr', colours: 'dark', width: 'phone' } as const;
    const view = await stage.signedIn('/calls/00000000-0000-4000-8000-000000000000/show', look);
    await view.page.getByText('Ceci n’existe pas.').waitFor();
    await view.refused(404);
    await view.page.goto(`${stage.system.url}/admin/calls/${identifier}/show`);
    await view.page.getByText('Terminé par l’élève').waitFor();
    await view.page.getByText('Tranche facturée').waitFor();
    await view.check('calls-one');
    await view.close();
  });
});
