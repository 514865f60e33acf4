import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { adminToken, as, data, type Person } from '../../test/journeys/people.ts';
import { inBrowser, openStage, type Stage, type View } from './browser.ts';
import { allowSmallWithdrawals, lesson, registerPair, topUp } from './lessons.ts';

inBrowser('withdrawals', () => {
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
  const dialog = ({ page }: View) => page.getByRole('dialog');
  const press = (view: View, name: string) => view.page.getByRole('button', { name, exact: true }).click();
  const confirm = (view: View) => dialog(view).getByRole('button', { name: 'Confirm' });

  test('is claimed and paid from the list, each asked once more and sent once', async () => {
    const id = await withdraw(75);
    const view = await stage.signedIn('/withdrawals');
    const entry = view.page.getByRole('navigation', { name: 'Main navigation' }).getByRole('listitem');
    await entry.filter({ hasText: 'Withdrawals' }).getByText('1', { exact: true }).waitFor();
    view.page.on('request', (request) => request.method() === 'PUT' && requests.push(request.url()));
    await press(view, 'Claim');
    await dialog(view).getByText('seventy-five West African CFA francs').waitFor();
    await view.check('withdrawals-claim');
    await view.clickTwice(confirm(view));
    await view.page.getByRole('cell', { name: 'claimed', exact: true }).waitFor();
    expect(requests).toHaveLength(1);
    // The button is gone: the focus stays in its row.
    await view.page.waitForFunction(() => document.activeElement?.closest('tbody tr') !== null);

    await press(view, 'Mark as paid');
    await dialog(view).getByText('+22890445566').waitFor();
    await dialog(view).getByLabel('Reference').fill('BANK-77');
    await confirm(view).click();
    await view.page.getByRole('cell', { name: 'paid', exact: true }).waitFor();
    expect(await stateOf(id)).toMatchObject({ status: 'success', ref: 'BANK-77' });
    await view.page.getByRole('link', { name: String(id), exact: true }).click();
    await view.page.getByRole('heading', { name: `Withdrawal ${id}` }).waitFor();
    await view.check('withdrawals-paid');
    await view.close();
  });

  test('that another administrator has claimed meanwhile: the second one is told and sees the new state', async () => {
    const id = await withdraw(20);
    const path = `/withdrawals/${id}/show`;
    const [one, other] = await Promise.all([stage.signedIn(path), stage.signedIn(path)]);
    await press(one, 'Claim');
    await press(other, 'Claim');
    await confirm(one).click();
    await one.page.getByText('claimed', { exact: true }).waitFor();
    await confirm(other).click();
    await dialog(other).getByRole('alert').getByText('it is “claimed” by now. Nothing was changed.').waitFor();
    await other.refused(409);
    await other.check('withdrawals-told');
    await press(other, 'Cancel');
    await other.page.getByText('claimed', { exact: true }).waitFor();
    expect(await other.page.getByRole('button', { name: 'Claim', exact: true }).count()).toBe(0);
    await Promise.all([one.close(), other.close()]);
  });

  test('is refused with details; what is wrong with them stands at their field', async () => {
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

  test('are filtered by the address, and collected as a file', async () => {
    const id = await withdraw(15);
    const filter = encodeURIComponent(JSON.stringify({ user_id: teacher.id, status: 'initiated' }));
    const look = { language: 'fr', colours: 'dark', width: 'phone' } as const;
    const view = await stage.signedIn(`/withdrawals?filter=${filter}`, look);
    await view.page.getByRole('link', { name: String(id), exact: true }).waitFor();
    await view.check('withdrawals');
    const downloaded = view.page.waitForEvent('download');
    await press(view, 'CSV');
    const text = await readFile(await (await downloaded).path(), 'utf8');
    const [head, row, ...more] = text.split('\r\n');
    expect(head).toBe(
      '\uFEFFid,created_at,status,amount,currency,person_id,name,email,phone_number,ref,details,method,account',
    );
    expect(row).toContain(`,initiated,15,XOF,${teacher.id},Kossi Mensah,`);
    // A telephone number begins like a formula.
    expect(row).toMatch(/,mobile_money,'\+22890445566$/);
    expect(more).toEqual(['']);
    await view.close();
  });
});
