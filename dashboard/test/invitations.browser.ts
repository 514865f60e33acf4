import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data } from '../../test/journeys/people.ts';
import { openStage, type Look, type Stage, type View } from './browser.ts';

const PASSWORD = 'a very long secret';
const LOOKS: [string, Look, number][] = [
  ['1440', { language: 'en' }, 1440],
  ['1024', { language: 'fr', colours: 'dark' }, 1024],
  ['390', { language: 'fr', width: 'phone' }, 390],
  ['390', { language: 'en', width: 'phone', colours: 'dark' }, 390],
];

describe('invitations:', () => {
  let stage: Stage;
  let view: View;
  beforeAll(async () => {
    stage = await openStage();
    view = await stage.signedIn('/administrators');
  });
  afterAll(() => stage?.close());

  const su = async () => as(stage.system, await adminToken(stage.system));
  const dialog = () => view.page.getByRole('dialog');
  const section = () => view.page.getByRole('region', { name: 'Invitations' });
  const row = (text: string) => view.page.getByRole('row').filter({ hasText: text });
  const confirm = async () => {
    await view.clickTwice(dialog().getByRole('button', { name: 'Confirm' }));
    await dialog().waitFor({ state: 'detached' });
  };
  /** The address of the page in the dashboard that the newest of `count` mails to the address links to. */
  async function linkFor(email: string, count = 1): Promise<string> {
    const mails = await eventually(`${count} invitations of ${email}`, async () => {
      const all = (await stage.system.mailbox()).filter(({ to }) => to === email);
      return all.length >= count && all;
    });
    const link = /\/admin(\/invitation#[\w-]+)/.exec(mails.at(-1)!.text);
    return link![1]!;
  }
  async function invite(name: string, email: string, ...roles: string[]): Promise<void> {
    await view.page.getByRole('button', { name: 'Invite an administrator' }).click();
    await dialog().getByLabel('Name').fill(name);
    await dialog().getByLabel('E-mail').fill(email);
    for (const role of roles) await dialog().getByRole('checkbox', { name: role, exact: true }).check();
  }
  const accept = async ({ page }: View, password: string) => {
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create my account' }).click();
  };

  test('an administrator is invited, once for a double click, and at least one role is needed', async () => {
    await invite('Ada Mensah', 'ada@example.com');
    await dialog().getByRole('button', { name: 'Confirm' }).click();
    await dialog().getByText('Choose at least one role.').waitFor();
    await view.refused(422);
    await dialog().getByRole('checkbox', { name: 'Support', exact: true }).check();
    await view.check('invite');
    await confirm();
    await row('ada@example.com').getByText('open', { exact: true }).waitFor();
    expect(await section().getByRole('row').filter({ hasText: 'ada@example.com' }).count()).toBe(1);
    await view.check('invitations');
  });

  test('an open invitation is sent again and withdrawn, and its links no longer work', async () => {
    await invite('Yao Amegah', 'yao@example.com', 'Viewer', 'Finance');
    await confirm();
    const first = await linkFor('yao@example.com');
    await row('yao@example.com').getByRole('button', { name: 'Send again' }).click();
    await confirm();
    const second = await linkFor('yao@example.com', 2);
    expect(second).not.toBe(first);
    await row('yao@example.com').getByRole('button', { name: 'Withdraw' }).click();
    await confirm();
    await row('yao@example.com').getByText('withdrawn', { exact: true }).waitFor();
    expect(await row('yao@example.com').getByRole('button').count()).toBe(0);
    for (const link of [first, second, '/invitation#wrong']) {
      const his = await stage.open(link);
      await accept(his, PASSWORD);
      await his.page.getByText('This invitation is no longer valid.').waitFor();
      await his.refused(404);
      await his.close();
    }
    const cut = await stage.open('/invitation');
    await cut.page.getByText('This link is incomplete.').waitFor();
    await cut.check('invitation-incomplete');
    await cut.close();
  });

  test('the roles of others are shown and changed, those of oneself are not', async () => {
    const clerk = { name: 'Afi Lawson', email: 'afi@example.com', phone_number: '+22890112244', password: PASSWORD };
    data(await (await su()).post('api/admin/admins', { ...clerk, roles: ['viewer'] }));
    await view.page.getByRole('button', { name: 'Refresh' }).click();
    await row(clerk.email).locator('.column-roles').getByText('Viewer', { exact: true }).waitFor();
    await row(clerk.email).getByRole('button', { name: 'Roles' }).click();
    await dialog().getByRole('checkbox', { name: 'Viewer', checked: true }).waitFor();
    expect(await dialog().getByRole('checkbox', { checked: true }).count()).toBe(1);
    await dialog().getByRole('checkbox', { name: 'Support', exact: true }).check();
    await view.check('roles');
    await confirm();
    await row(clerk.email).locator('.column-roles').getByText('Support, Viewer', { exact: true }).waitFor();
    const own = row(stage.system.secrets.ADMIN_EMAIL);
    expect(await own.locator('.column-roles').innerText()).toBe('every right');
    expect(await own.getByRole('button').count()).toBe(0);
  });

  test.each(LOOKS)('the pages are usable at %s pixels in %p', async (_name, look, width) => {
    for (const [name, open] of [
      ['administrators', () => stage.signedIn('/administrators', look)],
      ['invitation', () => stage.open('/invitation#token', look)],
    ] as const) {
      const seen = await open();
      await seen.page.setViewportSize({ width, height: 860 });
      await seen.page.getByText(name === 'invitation' ? /^(At least|Au moins) 8/ : 'yao@example.com').waitFor();
      await seen.check(`${name}-${width}`);
      const isWide = await seen.page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
      expect(isWide).toBe(false);
      await seen.close();
    }
  });

  /** Sets up the second factor on the page that is shown instead of all others. */
  async function setUpSecondFactor(hers: View): Promise<void> {
    await hers.page.getByRole('heading', { name: 'One more step' }).waitFor();
    await hers.refused(403);
    await hers.check('second-factor-required');
    await hers.page.getByLabel('Current password').fill(PASSWORD);
    await hers.page.getByRole('button', { name: 'Set up' }).click();
    await hers.page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    const code = new TOTP({ secret: await hers.page.locator('code').innerText() }).generate();
    await hers.page.getByLabel('Code', { exact: true }).fill(code);
    await hers.page.getByRole('button', { name: 'Switch on' }).click();
    await hers.page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    await hers.check('second-factor-codes');
    await hers.page.getByRole('button', { name: 'I have saved them' }).click();
  }

  // The last test: afterwards the first administrator needs a second factor too.
  test('an invited person reads the password rules, chooses a password, sets up a second factor and sees the pages', async () => {
    const admin = await su();
    const { data: settings } = data<{ data: { id: number; name: string }[] }>(
      await admin.post('api/admin/settingsall', { filter_value: 'require_admin_totp' }),
    );
    const required = settings.find(({ name }) => name === 'require_admin_totp')!;
    const link = await linkFor('ada@example.com');
    const hers = await stage.open(link);
    await hers.page.getByText('At least 8 characters.').waitFor();
    await hers.check('invitation');
    await accept(hers, 'short');
    await hers.page.locator('p.Mui-error').waitFor();
    await hers.refused(422);
    await hers.check('invitation-refused');
    await accept(hers, PASSWORD);
    await hers.page.getByRole('heading', { name: 'Your account has been created' }).waitFor();
    await hers.check('invitation-accepted');
    await view.page.getByRole('button', { name: 'Refresh' }).click();
    await section().getByRole('row').filter({ hasText: 'ada@example.com' }).getByText('accepted').waitFor();
    data(await admin.put(`api/admin/settings/${required.id}`, { value: 1 }));
    await hers.page.getByRole('link', { name: 'Sign in' }).click();
    await hers.page.getByLabel('E-mail').fill('ada@example.com');
    await hers.page.getByLabel('Password').fill(PASSWORD);
    await hers.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await setUpSecondFactor(hers);
    await hers.page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
    await hers.page.getByRole('link', { name: 'Reports', exact: true }).waitFor();
    await hers.check('invited');
    await hers.close();
  });
});
