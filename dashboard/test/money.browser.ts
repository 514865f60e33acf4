import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, type Person } from '../../test/journeys/people.ts';
import { amountInWords } from '../src/shared/money/amount-in-words.ts';
import { csvLine, separatorOf } from '../src/shared/lists/csv.ts';
import { openStage, type Stage } from './browser.ts';
import { lesson, registerPair, topUp } from './lessons.ts';

test.each([
  [5_020, 'XOF', 'en-GB', 'five thousand twenty West African CFA francs'],
  [1_999_999, 'XOF', 'en-GB', /^one million nine hundred and ninety-nine thousand nine hundred and ninety-nine West/],
  [1_250, 'EUR', 'en-GB', 'twelve and 50/100 euros'],
  [0, 'XOF', 'fr-FR', /^zéro francs? CFA/],
  [71, 'XOF', 'fr-FR', /^soixante et onze francs CFA/],
  [80_080, 'XOF', 'fr-FR', /^quatre-vingt mille quatre-vingts francs CFA/],
  [291_200, 'XOF', 'fr-FR', /^deux cent quatre-vingt-onze mille deux cents francs CFA/],
  [1_001, 'XOF', 'fr-FR', /^mille un francs CFA/],
  [2_000_000, 'XOF', 'fr-FR', /^deux millions de francs CFA/],
])('the amount %i in the smallest unit of %s is spelt out in %s', (amount, currency, region, words) => {
  expect(amountInWords(amount, currency, region)).toEqual(
    typeof words === 'string' ? words : expect.stringMatching(words),
  );
});

test.each([
  ['en', `"a ""b"", c","a; b",'=1+1,'+228,'-1,'@x,'\tx,-1,,"line\nline"\r\n`],
  ['fr', `"a ""b"", c";"a; b";'=1+1;'+228;'-1;'@x;'\tx;-1;;"line\nline"\r\n`],
])('CSV cells in %s are quoted if needed, and never run as formulas', (language, line) => {
  const cells = ['a "b", c', 'a; b', '=1+1', '+228', '-1', '@x', '\tx', -1, null, 'line\nline'];
  expect(csvLine(cells, separatorOf(language))).toBe(line);
});

describe('dashboard:', () => {
  let stage: Stage;
  let student: Person;
  let teacher: Person;
  beforeAll(async () => {
    stage = await openStage();
    ({ student, teacher } = await registerPair(stage.system));
  });
  afterAll(() => stage?.close());

  describe('deposits and payments:', () => {
    const deposit = async (amount: number) => {
      const body = { amount, method: 'card' };
      return data<{ id: number }>(await as(stage.system, student.token).post('api/deposits', body)).id;
    };

    test('an administrator of level default can read deposits but decide nothing', async () => {
      const id = await deposit(700);
      const admin = {
        name: 'Ama Support',
        email: 'ama@example.com',
        password: 'a long enough secret',
        phone_number: '+22890000000',
      };
      const su = as(stage.system, await adminToken(stage.system));
      expect((await su.post('api/admin/admins', admin)).body).toMatchObject({ success: true });
      const view = await stage.open(`/deposits/${id}/show`);
      await view.signIn(admin.email, admin.password);
      await view.page.getByText('Awa Diallo').waitFor();
      expect(await view.page.locator('main').getByRole('button').count()).toBe(0);
      await view.close();
    });

    test('a super administrator can credit a deposit and reverse it', async () => {
      const id = await deposit(5_000);
      const view = await stage.signedIn('/deposits');
      await view.check('deposits');
      await view.page.getByRole('link', { name: String(id), exact: true }).click();
      for (const [button, state] of [
        ['Mark as paid', 'paid'],
        ['Reverse', 'failed'],
      ] as const) {
        await view.page.getByRole('button', { name: button }).click();
        const dialog = view.page.getByRole('dialog');
        await dialog.getByText('five thousand West African CFA francs').waitFor();
        await view.check(`deposits-${state}`);
        await dialog.getByRole('button', { name: 'Confirm' }).click();
        await view.page.getByText(state, { exact: true }).waitFor();
      }
      const { balance } = data<{ balance: number }>(await as(stage.system, student.token).get('api/wallet'));
      expect(balance).toBe(0);
      await view.close();
    });

    test('payments are filtered by the address, and the CSV file has the rows of all pages', async () => {
      for (let count = 0; count < 3; count += 1) await topUp(stage.system, student, 1_000);
      const filter = encodeURIComponent(JSON.stringify({ type: 'deposit', status: 'success', user_id: student.id }));
      const view = await stage.signedIn(`/payments?perPage=2&filter=${filter}`, { language: 'fr', width: 'phone' });
      await view.page.getByText('1-2 sur 3').waitFor();
      await view.page.getByText('+1 000 F CFA').first().waitFor();
      await view.check('payments');
      const link = view.page.getByRole('cell', { name: 'Dépôt' }).getByRole('link').first();
      expect(await link.getAttribute('href')).toMatch(/\/deposits\/\d+\/show$/);
      const downloaded = view.page.waitForEvent('download');
      // The notification disappears by itself.
      await Promise.all([
        view.page.getByText('3 lignes exportées.').waitFor(),
        view.page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      const lines = (await readFile(await (await downloaded).path(), 'utf8')).split('\r\n');
      expect(lines).toHaveLength(5);
      expect(new Set(lines.slice(1, 4).map((line) => line.split(';')[0])).size).toBe(3);
      // Filters that came with the address are shown and can be cleared.
      await view.page.getByLabel('Type').waitFor();
      await view.page.getByRole('button', { name: 'Effacer les filtres' }).click();
      await view.page.getByLabel('Type').waitFor({ state: 'detached' });
      await view.page.getByText('1-2 sur 5').waitFor();
      await view.close();
    });
  });

  describe('calls:', () => {
    let identifier: string;
    beforeAll(async () => {
      await topUp(stage.system, student, 1_000);
      identifier = await lesson(stage.system, student, teacher);
    });

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

    test('a call shows its timeline and charges, and can be refunded in parts up to what was charged', async () => {
      const view = await stage.signedIn('/calls');
      const { page } = view;
      await page.getByRole('cell', { name: 'Kossi Mensah' }).getByRole('link').click();
      await page.getByRole('heading', { name: 'Kossi Mensah' }).waitFor();
      await page.goBack();
      await page.getByRole('cell', { name: 'Awa Diallo' }).getByRole('link').waitFor();
      await view.check('calls');
      await page.locator('tbody .column-created_at').getByRole('link').click();
      await page.getByRole('heading', { name: 'Call between Awa Diallo and Kossi Mensah' }).waitFor();
      const ended = page.getByRole('listitem').filter({ hasText: 'Ended by the student' });
      expect(await ended.getByRole('time').innerText()).toMatch(/\d\d:\d\d:\d\d$/);
      await page.getByText(/^\d+\ss$/).waitFor();
      await page.getByText('Refundable: F CFA 150').waitFor();
      await view.check('calls-one');

      const dialog = page.getByRole('dialog');
      const amount = dialog.getByLabel('Amount');
      const confirm = dialog.getByRole('button', { name: 'Confirm' });
      await page.getByRole('button', { name: 'Refund' }).click();
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
      // Submits the form again and again while the dialog fades out.
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
      await dialog.getByRole('radio', { name: 'Full refund' }).check();
      await confirm.click();
      await page.getByText('Refundable: F CFA 0').waitFor();
      expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
      expect((await refunds()).sort()).toEqual([100, 50].sort());
      await view.close();
    });

    test('the page of a call that does not exist says so', async () => {
      const look = { language: 'fr', colours: 'dark', width: 'phone' } as const;
      const view = await stage.signedIn('/calls/00000000-0000-4000-8000-000000000000/show', look);
      await view.page.getByText('Cet élément n’existe pas.').waitFor();
      await view.refused(404);
      await view.page.goto(`${stage.system.url}/admin/calls/${identifier}/show`);
      await view.page.getByText('Terminé par l’élève').waitFor();
      await view.page.getByText('Tranche facturée').waitFor();
      await view.check('calls-one');
      await view.close();
    });
  });
});
