import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import { amountInWords } from '../src/shared/money/amount-in-words.ts';
import { csvLine } from '../src/shared/lists/csv.ts';
import { inBrowser, openStage, type Stage } from './browser.ts';
import { topUp } from './lessons.ts';

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
])('%i %s in words', (amount, currency, region, words) => {
  expect(amountInWords(amount, currency, region)).toEqual(
    typeof words === 'string' ? words : expect.stringMatching(words),
  );
});

test('a cell is quoted where it has to be, and no formula', () => {
  const cells = ['a "b", c', '=1+1', '+228', '-1', '@x', '\tx', -1, null, 'line\nline'];
  expect(csvLine(cells)).toBe(`"a ""b"", c",'=1+1,'+228,'-1,'@x,'\tx,-1,,"line\nline"\r\n`);
});

inBrowser('deposits and payments', () => {
  let stage: Stage;
  let student: Person;
  beforeAll(async () => {
    stage = await openStage();
    student = await register(stage.system, 'student', 'Awa Diallo');
  });
  afterAll(() => stage?.close());

  const deposit = async (amount: number) => {
    const body = { amount, method: 'card' };
    return data<{ id: number }>(await as(stage.system, student.token).post('api/deposits', body)).id;
  };

  test('an administrator who is no super administrator reads deposits and decides nothing', async () => {
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

  test('a super administrator credits a deposit and takes it back', async () => {
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

  test('payments are filtered by type and person, the filter stands in the address, its file is of all pages', async () => {
    for (let count = 0; count < 3; count += 1) await topUp(stage.system, student, 1_000);
    const filter = encodeURIComponent(JSON.stringify({ type: 'deposit', status: 'success', user_id: student.id }));
    const view = await stage.signedIn(`/payments?perPage=2&filter=${filter}`, { language: 'fr', width: 'phone' });
    await view.page.getByText('1-2 sur 3').waitFor();
    await view.page.getByText('+1 000 F CFA').first().waitFor();
    await view.check('payments');
    const link = view.page.getByRole('cell', { name: 'Dépôt' }).getByRole('link').first();
    expect(await link.getAttribute('href')).toMatch(/\/deposits\/\d+\/show$/);
    const downloaded = view.page.waitForEvent('download');
    await view.page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(5);
    expect(new Set(lines.slice(1, 4).map((line) => line.split(',')[0])).size).toBe(3);
    await view.page.getByText('Le fichier contient 3 lignes.').waitFor();
    // What came with the address is seen, and can be taken away.
    await view.page.getByLabel('Type').waitFor();
    await view.page.getByRole('button', { name: 'Effacer les filtres' }).click();
    await view.page.getByLabel('Type').waitFor({ state: 'detached' });
    await view.page.getByText('1-2 sur 5').waitFor();
    await view.close();
  });
});
