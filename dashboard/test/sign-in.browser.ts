import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data } from '../../test/journeys/people.ts';
import { openStage, type Stage, type View } from './browser.ts';

describe('signing in:', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  const PASSWORD = 'a long enough secret';
  /** A new administrator of level default. */
  async function hire(name: string): Promise<string> {
    const email = `${name.toLowerCase()}@example.com`;
    const su = as(stage.system, await adminToken(stage.system));
    data(await su.post('api/admin/admins', { name, email, phone_number: '+22890112244', password: PASSWORD }));
    return email;
  }
  const codeNow = (secret: string) => new TOTP({ secret }).generate();
  const heading = (view: View, name: string) => view.page.getByRole('heading', { name, exact: true });

  test('a wrong password is refused with the message of the server, and no page opens', async () => {
    const view = await stage.open('/people');
    await heading(view, 'Sign in').waitFor();
    await view.titled('Sign in · Tutoring');
    expect(await view.page.getByText(ENDED).count()).toBe(0);
    await view.check('sign-in');
    await view.page.getByLabel('E-mail', { exact: true }).fill('admin@example.com');
    await view.page.getByLabel('Password', { exact: true }).fill('wrong');
    await view.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await view.page.getByText('Invalid credentials.').waitFor();
    // The console has only the status of the refusal.
    expect(view.complaints.splice(0).filter((text) => !text.includes('404'))).toEqual([]);
    await view.check('sign-in-refused');
    expect(new URL(view.page.url()).pathname).toBe('/admin/login');
    await view.close();
  });

  const ENDED = 'Your session has ended. Sign in to continue where you left off.';

  test('an ended session is announced, and the next sign-in returns to the same page and filter', async () => {
    const view = await stage.signedIn('/people?filter=%7B%22q%22%3A%22nobody%22%7D');
    await view.page.getByText('Nothing matches these filters.').waitFor();
    const token = await view.page.evaluate(() => localStorage.getItem('tutoring.admin-token'));
    // The stream of live events ends too. It opens again a second later, and must not be the first to be refused.
    await view.page.route('**/api/events', () => undefined);
    data(await as(stage.system, token!).post('api/admin/auth/logout'));
    await view.page.getByRole('button', { name: 'Refresh' }).click();
    await heading(view, 'Sign in').waitFor();
    await view.page.getByText(ENDED).waitFor();
    await view.page.unroute('**/api/events');
    await view.signIn();
    await view.page.getByText('Nothing matches these filters.').waitFor();
    expect(view.page.url()).toContain('/admin/people?filter=');
    // All requests with the ended session were refused.
    expect(view.complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([]);
    await view.check('after-the-session');
    await view.close();
  });

  test('signing out also ends the session at the server', async () => {
    const view = await stage.signedIn();
    const token = await view.page.evaluate(() => localStorage.getItem('tutoring.admin-token'));
    await view.page.getByRole('button', { name: 'Administrator' }).click();
    await view.page.getByRole('menuitem', { name: 'Logout' }).click();
    await heading(view, 'Sign in').waitFor();
    expect(await view.page.getByText(ENDED).count()).toBe(0);
    const isOver = async () => (await as(stage.system, token!).get('api/admin/auth/me')).body.statusCode === 403;
    await eventually('the session has ended', isOver);
    await view.close();
  });

  test('a forgotten password is reset with a code sent by e-mail', async () => {
    const email = await hire('Forgetful');
    const view = await stage.open();
    await view.page.getByLabel('E-mail').fill(email);
    await view.page.getByRole('button', { name: 'Forgot your password?' }).click();
    expect(await view.page.getByLabel('E-mail').inputValue()).toBe(email);
    await view.page.getByRole('button', { name: 'Send a code' }).click();
    await view.page.getByLabel('Code').fill('000000');
    await view.page.getByLabel('New password').fill('a new and long secret');
    await view.page.getByRole('button', { name: 'Set the password' }).click();
    await view.page.getByText('An error occurred, please restart the process.').waitFor();
    await view.page.getByLabel('Code').fill(await stage.system.codeFor(email));
    view.complaints.splice(0);
    await view.check('recovery');
    await view.page.getByRole('button', { name: 'Set the password' }).click();
    await heading(view, 'Sign in').waitFor();
    await view.signIn(email, 'a new and long secret');
    await heading(view, 'Overview').waitFor();
    await view.close();
  });

  test('a second factor is set up with a QR code, required at the next sign-in, and switched off', async () => {
    const email = await hire('Careful');
    const view = await stage.open('/account');
    await view.signIn(email, PASSWORD);
    await view.page.getByRole('button', { name: 'Set up' }).waitFor();
    expect(await view.page.getByRole('button', { name: 'Switch off' }).count()).toBe(0);
    const setUp = view.page.getByRole('region', { name: 'Two-factor authentication', exact: true });
    await setUp.getByLabel('Current password').fill('wrong');
    await setUp.getByRole('button', { name: 'Set up' }).click();
    await setUp.getByText('The password is incorrect.').waitFor();
    view.complaints.splice(0);
    await setUp.getByLabel('Current password').fill(PASSWORD);
    await setUp.getByRole('button', { name: 'Set up' }).click();
    await view.page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await view.check('second-factor');
    const secret = await view.page.locator('code').innerText();

    await view.page.getByLabel('Code', { exact: true }).fill('000000');
    await view.page.getByRole('button', { name: 'Switch on' }).click();
    await view.page.getByText('The code is invalid.').waitFor();
    await view.page.getByLabel('Code', { exact: true }).fill(codeNow(secret));
    await view.page.getByRole('button', { name: 'Switch on' }).click();
    await heading(view, 'Recovery codes').waitFor();
    view.complaints.splice(0);
    await view.check('recovery-codes');
    const recovery = await view.page.locator('section li').allInnerTexts();
    expect(recovery).toHaveLength(10);
    await view.page.getByRole('button', { name: 'I have saved them' }).click();
    await view.page.getByText('Two-factor authentication is on.').waitFor();
    expect(await view.page.getByRole('button', { name: 'Set up' }).count()).toBe(0);
    await view.check('second-factor-on');
    await view.close();

    const again = await stage.open();
    await again.page.getByLabel('E-mail').fill(email);
    await again.page.getByLabel('Password').fill(PASSWORD);
    await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.page.getByText('A code is required.').waitFor();
    again.complaints.splice(0);
    await again.check('sign-in-code');
    await again.page.getByLabel('Code', { exact: true }).fill('999999');
    await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.page.getByText('The code is invalid.').waitFor();
    await again.page.getByLabel('Code', { exact: true }).fill(recovery[0]!);
    await again.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(again, 'Overview').waitFor();

    await again.page.getByRole('button', { name: 'Careful' }).click();
    await again.page.getByRole('menuitem', { name: 'My account' }).click();
    await again.page.getByRole('button', { name: 'Switch off' }).click();
    const dialog = again.page.getByRole('dialog');
    again.complaints.splice(0);
    await again.check('switch-off');
    await dialog.getByLabel('Current password').fill(PASSWORD);
    // The notification disappears by itself.
    await Promise.all([
      again.page.getByText('Two-factor authentication is off.').waitFor(),
      dialog.getByRole('button', { name: 'Confirm' }).click(),
    ]);
    await again.page.getByRole('button', { name: 'Set up' }).waitFor();
    await again.close();
    data(await stage.system.request('POST', 'api/admin/auth/login', { body: { email, password: PASSWORD } }));
  });

  test('administrators change their own name and password, and a wrong password is shown at its field', async () => {
    const email = await hire('Renamed');
    const view = await stage.open('/account');
    await view.signIn(email, PASSWORD);
    const [profile, password] = ['Name and e-mail', 'Password'].map((name) =>
      view.page.getByRole('region', { name, exact: true }),
    );
    await profile!.getByLabel('Name', { exact: true }).fill('Known Otherwise');
    await profile!.getByRole('button', { name: 'Save' }).click();
    await view.page.getByRole('button', { name: 'Known Otherwise' }).waitFor();
    await view.check('account');

    await password!.getByLabel('Current password').fill('wrong');
    await password!.getByLabel('New password').fill('quite another secret');
    await password!.getByRole('button', { name: 'Change the password' }).click();
    await password!.locator('p.Mui-error').waitFor();
    await password!.getByLabel('Current password').fill(PASSWORD);
    // The notification disappears by itself.
    await Promise.all([
      view.page.getByText('Password changed.').waitFor(),
      password!.getByRole('button', { name: 'Change the password' }).click(),
    ]);
    const isCleared = async () => (await password!.getByLabel('New password').inputValue()) === '';
    await eventually('the fields are empty again', isCleared);
    await view.close();
    data(
      await stage.system.request('POST', 'api/admin/auth/login', { body: { email, password: 'quite another secret' } }),
    );
  });

  test('a double click signs in once', async () => {
    const view = await stage.open();
    let logins = 0;
    view.page.on('request', (request) => (logins += Number(request.url().endsWith('/api/admin/auth/login'))));
    await view.page.getByLabel('E-mail').fill('admin@example.com');
    await view.page.getByLabel('Password').fill(stage.system.secrets.ADMIN_PASSWORD);
    await view.clickTwice(view.page.getByRole('button', { name: 'Sign in', exact: true }));
    await heading(view, 'Overview').waitFor();
    expect(logins).toBe(1);
    await view.close();
  });
});
