import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminToken, as, data, register } from '../../test/journeys/people.ts';
import { boundsOf, SETTINGS } from '@tutoring/shared/contract/settings';
import { LIMITS } from '../src/settings/limits.ts';
import { openStage, type Stage, type View } from './browser.ts';
import { audited } from './lessons.ts';

const AREAS = ['reports', 'skills', 'plans', 'services', 'settings', 'administrators', 'audit'];
const ADA = {
  name: 'Ada Mensah',
  email: 'ada@example.com',
  phone_number: '+22890112233',
  password: 'a very long secret',
};

test('the dashboard knows the same limits of settings as the server', () => {
  const bounds = Object.keys(SETTINGS).map((name) => [name, [boundsOf(name).min, boundsOf(name).max]]);
  expect(LIMITS).toEqual(Object.fromEntries(bounds));
});

describe('administration:', () => {
  let stage: Stage;
  let view: View;
  beforeAll(async () => {
    stage = await openStage();
    const student = await register(stage.system, 'student', 'Awa Diallo');
    const teacher = await register(stage.system, 'teacher', 'Kofi Agbeko');
    const report = { user_id: teacher.id, reason: 'fraud', details: 'He asked me to pay outside of the app.' };
    data(await as(stage.system, student.token).post('api/reports', report));
    data(await as(stage.system, teacher.token).post('api/reports', { user_id: student.id, reason: 'spam' }));
    view = await stage.signedIn();
  });
  afterAll(() => stage?.close());

  const show = (area: string) => view.page.getByRole('link', { name: area, exact: true }).click();
  const row = (text: string) => view.page.getByRole('row').filter({ hasText: text });
  const dialog = () => view.page.getByRole('dialog');
  const button = () => dialog().getByRole('button', { name: 'Confirm' });
  /** Double-clicks Confirm, as an impatient user does. */
  const confirm = () => view.clickTwice(button());
  /** Confirms, and waits for the server's message at a field. */
  const refused = async (sentence: string) => {
    await button().click();
    await dialog().getByText(sentence).waitFor();
    await view.refused(422);
  };
  const gone = () => dialog().waitFor({ state: 'detached' });
  const admin = async () => as(stage.system, await adminToken(stage.system));

  test('an open report is resolved with a note, and its page links to the people and to a ban', async () => {
    const { page, check } = view;
    await show('Reports');
    // Open reports are sorted oldest first, until the user reverses the order.
    await page.locator('tbody tr').first().filter({ hasText: 'Fraud' }).waitFor();
    await page.getByRole('button', { name: 'Created' }).click();
    await page.waitForURL(/order=DESC/);
    await page.locator('tbody tr').first().filter({ hasText: 'Spam' }).waitFor();
    await page.reload();
    await page.locator('tbody tr').first().filter({ hasText: 'Spam' }).waitFor();
    await row('Fraud').locator('.column-created_at').getByRole('link').click();
    await page.getByText('He asked me to pay outside of the app.').waitFor();
    expect(await page.getByRole('link', { name: 'Kofi Agbeko' }).getAttribute('href')).toMatch(/\/people\/\d+\/show$/);
    await page.getByRole('button', { name: 'Resolve' }).click();
    await dialog().getByLabel('Note').fill('Warned by mail.');
    await check('report-decision');
    await confirm();
    await gone();
    await page.getByText('Warned by mail.').waitFor();
    await check('report');
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await dialog().getByText('Ban Kofi Agbeko?').waitFor();
    expect(await dialog().getByLabel('Reason').inputValue()).toMatch(/^Report #\d+$/);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await gone();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await row('Fraud').waitFor({ state: 'detached' });
    await row('Spam').waitFor();
    const all = data<{ data: { status: string; note: string }[] }>(await (await admin()).post('api/admin/reportsall'));
    expect(all.data).toMatchObject([{ status: 'open' }, { status: 'resolved', note: 'Warned by mail.' }]);
  });

  test('a skill is added, renamed and deleted, and an error is shown at its field', async () => {
    const { page } = view;
    await show('Skills');
    await page.getByRole('button', { name: 'Add a skill' }).click();
    await dialog().getByLabel('Name').fill('Music');
    await refused('The name has already been taken.');
    await view.check('skill-refused');
    await dialog().getByLabel('Name').fill('Astronomy');
    await confirm();
    await gone();
    await row('Astronomy').getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Name').fill('Astrophysics');
    await confirm();
    await gone();
    await row('Astrophysics').getByRole('button', { name: 'Delete' }).press('Enter');
    // The notification disappears by itself.
    await Promise.all([page.getByText('Skill “Astrophysics” deleted.').waitFor(), button().press('Enter')]);
    await gone();
    await row('Astrophysics').waitFor({ state: 'detached' });
    // The row is gone: the focus moves to the table, not to the top of the page.
    await page.waitForFunction(() => document.activeElement?.closest('table') !== null);
    const expected = ['skill.deleted', 'skill.updated', 'skill.created'];
    await audited(stage.system, expected.join(), (acts) => {
      const actions = acts.map(({ action }) => action).filter((action) => action.startsWith('skill.'));
      return actions.join() === expected.join();
    });
  });

  test('a plan and a service are changed, and a value outside the limits is refused', async () => {
    await show('Plans');
    await row('Premium').getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Points').fill('600');
    await confirm();
    await gone();
    await row('Premium').getByRole('cell', { name: '600', exact: true }).waitFor();
    await show('Services');
    await row('VIDEO').getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Seconds per step').fill('1');
    await refused('The “Seconds per step” field must be at least 2.');
    await dialog().getByLabel('Seconds per step').fill('30');
    await confirm();
    await gone();
    await row('VIDEO').getByRole('cell', { name: '30', exact: true }).waitFor();
  });

  test('a setting is changed, and a value outside its limits is refused', async () => {
    await show('Settings');
    await row('Commission').getByRole('button', { name: 'Edit' }).click();
    await dialog().getByLabel('Value').fill('101');
    await refused('The value field must not be greater than 100.');
    await dialog().getByLabel('Value').fill('15');
    await confirm();
    await gone();
    await row('Commission').getByRole('cell', { name: '15', exact: true }).waitFor();
  });

  test('an administrator is created and deactivated, and the audit log shows old and new values', async () => {
    const { page } = view;
    await show('Administrators');
    await page.getByRole('button', { name: 'Create an administrator' }).click();
    await dialog().getByLabel('Name').fill(ADA.name);
    await dialog().getByLabel('E-mail').fill(ADA.email);
    await dialog().getByLabel('Phone').fill(ADA.phone_number);
    await dialog().getByLabel('Password').fill(ADA.password);
    await confirm();
    await gone();
    await row(ADA.name).waitFor();
    expect(await row(ADA.name).locator('.column-last_login_at').innerText()).toBe('never');
    const hers = await stage.open('/audit');
    await hers.signIn(ADA.email, ADA.password);
    await hers.page.getByRole('heading', { name: 'Access denied', level: 2 }).waitFor();
    await hers.titled('Access denied · Tutoring');
    await hers.check('access-denied');
    expect(await hers.page.getByRole('link', { name: 'Audit' }).count()).toBe(0);
    await hers.page.getByRole('link', { name: 'Administrators' }).click();
    await hers.page.getByRole('cell', { name: ADA.email }).waitFor();
    expect(await hers.page.locator('.column-last_login_at').count()).toBe(0);
    await hers.page.getByRole('link', { name: 'Skills' }).click();
    await hers.page.getByRole('cell', { name: 'Music' }).waitFor();
    expect(await hers.page.getByRole('button', { name: 'Add a skill' }).count()).toBe(0);
    await hers.close();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await row(ADA.name).locator('.column-last_login_at time').waitFor();
    expect(await row(ADA.name).locator('.column-totp').innerText()).toBe('off');
    await page.getByText('npm run admin -- promote|demote <e-mail>').waitFor();
    await row(ADA.name).getByRole('button', { name: 'Deactivate' }).click();
    await confirm();
    await gone();
    await row(ADA.name).getByText('inactive').waitFor();

    await audited(stage.system, 'the deactivation', (acts) =>
      acts.some(({ after }) => after?.['status'] === 'inactive'),
    );
    await show('Audit');
    const deactivated = row('Administrator changed');
    await deactivated.getByText('Status:').waitFor();
    expect(await deactivated.locator('del').innerText()).toBe('active');
    expect(await deactivated.locator('ins').innerText()).toBe('inactive');
    expect(await row('Setting changed').locator('ins').innerText()).toBe('15');
    expect(await row('Skill renamed').locator('del').innerText()).toBe('Astronomy');
    await row('Setting changed').getByRole('link', { name: 'Setting “Commission”' }).waitFor();
    const names = await page.locator('td.column-action, td.column-subject, td.column-changes dt').allInnerTexts();
    expect(names.filter((name) => /\w[._]\w|\w:\d/.test(name))).toEqual([]);
    for (const [filter, choice, left] of [
      ['Subject', 'Skill', 'Skill renamed'],
      ['Action', 'Skill deleted', 'Skill deleted'],
    ] as const) {
      await page.getByLabel(filter, { exact: true }).click();
      await page.getByRole('option', { name: choice, exact: true }).click();
      await row('Setting changed').waitFor({ state: 'detached' });
      await row(left).first().waitFor();
    }
    await row('Skill renamed').waitFor({ state: 'detached' });
    await view.check('audit-filtered');
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await row('Setting changed').waitFor();
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const file = await readFile(await (await downloaded).path(), 'utf8');
    expect(file).toContain('id,created_at,admin_id,admin_name,action,subject,before,after,request_id');
    expect(file).toMatch(/setting\.updated,.*""value"":15/);
  });

  test.each([
    ['en', 'light', 'desktop'],
    ['fr', 'dark', 'phone'],
    ['fr', 'light', 'phone'],
    ['en', 'dark', 'desktop'],
  ] as const)('every page is usable in %s, %s, %s', async (language, colours, width) => {
    const view = await stage.signedIn('/settings', { language, colours, width });
    for (const area of AREAS) {
      await view.page.goto(`${stage.system.url}/admin/${area}`);
      await view.page.locator('main table').first().waitFor();
      await view.check(area);
    }
    await view.close();
  });
});
