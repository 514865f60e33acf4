import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import { openStage, type Stage, type View } from './browser.ts';

const ADA = {
  name: 'Ada Mensah',
  email: 'ada@example.com',
  phone_number: '+22890112233',
  password: 'a very long secret',
};

describe('drafts and sessions:', () => {
  let stage: Stage;
  let awa: Person;
  beforeAll(async () => {
    stage = await openStage();
    awa = await register(stage.system, 'student', 'Awa Diallo');
    data(await as(stage.system, awa.token).post('api/support/messages', { message: 'Hello?' }));
    data(await as(stage.system, await adminToken(stage.system)).post('api/admin/admins', ADA));
  });
  afterAll(() => stage?.close());

  const reply = ({ page }: View) => page.getByLabel('Reply');
  const open = async (view: View) => {
    await view.page.goto(`${stage.system.url}/admin/support`);
    await view.page.getByRole('navigation', { name: 'Conversations' }).getByText('Awa Diallo').click();
    await reply(view).waitFor();
  };
  const said = async () =>
    data<{ message: string }[]>(await as(stage.system, awa.token).get('api/support/messages')).map(
      ({ message }) => message,
    );
  const signOut = async ({ page }: View, name: string) => {
    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };

  test('a draft survives another page, a reload and a new sign-in, and is deleted once it is sent', async () => {
    const view = await stage.signedIn();
    const { page } = view;
    await open(view);
    await reply(view).fill('Dear Awa,');
    await page.getByRole('link', { name: 'Skills' }).click();
    await page.getByRole('button', { name: 'Add a skill' }).waitFor();
    await page.goBack();
    expect(await reply(view).inputValue()).toBe('Dear Awa,');
    await page.reload();
    expect(await reply(view).inputValue()).toBe('Dear Awa,');

    await signOut(view, 'Administrator');
    await view.signIn(ADA.email, ADA.password);
    await open(view);
    expect(await reply(view).inputValue()).toBe('');
    await reply(view).fill('Hers');
    await signOut(view, ADA.name);
    await view.signIn();
    await open(view);
    expect(await reply(view).inputValue()).toBe('Dear Awa,');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('log').getByText('Dear Awa,').waitFor();
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#reply')?.value === '');
    await page.reload();
    expect(await reply(view).inputValue()).toBe('');
    expect(await page.evaluate(() => sessionStorage.getItem('tutoring.drafts'))).not.toContain('Dear Awa');
    await view.close();
  });

  test('a tab reloads once, before its next request, when another tab signs in as someone else or out', async () => {
    const view = await stage.open('/skills');
    const { page } = view;
    const second = await page.context().newPage();
    await second.goto(`${stage.system.url}/admin/login`);
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
    await view.signIn();
    await page.getByRole('button', { name: 'Administrator' }).waitFor();
    const first = await page.evaluate(() => localStorage.getItem('tutoring.admin-token'));
    const requests: [string, boolean][] = [];
    let reloads = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) reloads += 1;
      const bearer = request.headers()['authorization'];
      if (bearer !== undefined) requests.push([bearer, reloads > 0]);
    });
    await second.getByLabel('E-mail').fill(ADA.email);
    await second.getByLabel('Password').fill(ADA.password);
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: ADA.name }).waitFor();
    expect(requests.filter(([bearer, isAfter]) => (bearer === `Bearer ${first}`) === isAfter)).toEqual([]);
    expect(reloads).toBe(1);
    await second.getByRole('button', { name: ADA.name }).click();
    await second.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(reloads).toBe(2);
    view.complaints.splice(0);
    await view.close();
  });

  test('a tab switches to a new token of the same administrator without a reload', async () => {
    const view = await stage.open('/skills');
    const { page } = view;
    const second = await page.context().newPage();
    await second.goto(`${stage.system.url}/admin/login`);
    await view.signIn();
    await page.getByRole('button', { name: 'Add a skill' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Botany');
    await second.getByLabel('E-mail').fill(stage.system.secrets.ADMIN_EMAIL);
    await second.getByLabel('Password').fill(stage.system.secrets.ADMIN_PASSWORD);
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await second.getByRole('button', { name: 'Administrator' }).waitFor();
    const now = await second.evaluate(() => localStorage.getItem('tutoring.admin-token'));
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
    expect((await sent).headers()['authorization']).toBe(`Bearer ${now}`);
    await page.getByRole('cell', { name: 'Botany' }).waitFor();
    await view.close();
  });

  test('the sign-in page redirects a signed-in administrator to the overview', async () => {
    const view = await stage.signedIn('/login');
    await view.page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(new URL(view.page.url()).pathname).toMatch(/^\/admin\/?$/);
    await view.close();
  });

  test('an Enter that confirms the composition of an input method does not send the reply', async () => {
    const before = await said();
    const view = await stage.signedIn();
    await open(view);
    await reply(view).fill('にほんご');
    const press = (init: { keyCode: number; isComposing?: boolean }) =>
      reply(view).evaluate(
        (field, given) =>
          field.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...given }),
          ),
        init,
      );
    await press({ keyCode: 229, isComposing: true });
    // Safari sends this event after the end of the composition.
    await press({ keyCode: 229 });
    expect(await reply(view).inputValue()).toBe('にほんご');
    await press({ keyCode: 13 });
    await view.page.getByRole('log').getByText('にほんご').waitFor();
    expect(await said()).toEqual([...before, 'にほんご']);
    await view.close();
  });
});
