import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import { openStage, type Look, type Stage, type View } from './browser.ts';
import { lesson, PRICE, registerPair, topUp } from './lessons.ts';

describe('forms:', () => {
  let stage: Stage;
  let call: string;
  let student: Person;
  beforeAll(async () => {
    stage = await openStage();
    const pair = await registerPair(stage.system);
    ({ student } = pair);
    await topUp(stage.system, student, 1_000);
    call = await lesson(stage.system, student, pair.teacher);
  });
  afterAll(() => stage?.close());

  const su = async () => as(stage.system, await adminToken(stage.system));
  const dialog = ({ page }: View) => page.getByRole('dialog');
  const confirm = (view: View) => dialog(view).getByRole('button', { name: /^Confirm/ });

  describe('the amount of a refund', () => {
    const refunds = async () => {
      const { refunds: all } = data<{ refunds: { amount: number }[] }>(
        await (await su()).get(`api/admin/calls/${call}`),
      );
      return all.map(({ amount }) => amount);
    };
    const asking = async (look: Look, word = 'Refund') => {
      const view = await stage.signedIn(`/calls/${call}/show`, look);
      await view.page.getByRole('button', { name: word, exact: true }).click();
      return view;
    };

    test('is refused at its field if it is no whole number, and nothing is sent', async () => {
      const view = await asking({});
      const sent: string[] = [];
      view.page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
      for (const text of ['', '1.500', '1,5', '10 %', '50 XOF', 'all', '-5']) {
        await dialog(view).getByLabel('Amount').fill(text);
        await confirm(view).click();
        await dialog(view).getByText('Enter a whole number, such as 1,500.').waitFor();
        await dialog(view).getByLabel('Amount').fill('1');
        await dialog(view).getByText('one West African CFA franc', { exact: false }).waitFor();
      }
      await dialog(view).getByLabel('Amount').fill('');
      await confirm(view).click();
      await view.check('refund-refused');
      expect(sent.filter((url) => url.endsWith('/refund'))).toEqual([]);
      expect(await refunds()).toEqual([]);
      await view.close();
    });

    test('is read in the French format for a French administrator, also on a phone', async () => {
      const view = await asking({ language: 'fr', width: 'phone' }, 'Rembourser');
      const amount = dialog(view).getByLabel('Montant');
      await amount.fill('1\u202f000');
      await dialog(view).getByText('mille francs CFA', { exact: false }).waitFor();
      await amount.fill('1,000');
      await confirm(view).click();
      await dialog(view).getByText('Saisissez un nombre entier').waitFor();
      await amount.fill('٥٠');
      await dialog(view).getByText('cinquante francs CFA', { exact: false }).waitFor();
      await view.check('refund');
      await confirm(view).click();
      await dialog(view).waitFor({ state: 'detached' });
      expect(await refunds()).toEqual([50]);
      await view.close();
    });

    test('is the whole rest if a full refund is chosen', async () => {
      const view = await asking({ colours: 'dark' });
      await dialog(view)
        .getByRole('radio', { name: `Full refund: F CFA ${PRICE - 50}` })
        .check();
      await dialog(view).getByText('one hundred West African CFA francs').waitFor();
      await view.check('refund-all');
      await confirm(view).click();
      await dialog(view).waitFor({ state: 'detached' });
      expect((await refunds()).sort()).toEqual([100, 50]);
      await view.close();
    });
  });

  describe('a number', () => {
    const edit = async (view: View, row: string) => {
      await view.page.getByRole('row').filter({ hasText: row }).getByRole('button', { name: 'Edit' }).click();
      await dialog(view).waitFor();
    };
    test.each([
      ['plans', 'Premium', 'Points'],
      ['plans', 'Premium', 'Cost per image'],
      ['services', 'AUDIO', 'Seconds per step'],
      ['services', 'AUDIO', 'Starting cost'],
      ['services', 'AUDIO', 'Cost per step'],
      ['settings', 'Minimum deposit', 'Value'],
    ])('in %s, %s, %s is refused if it is empty or invalid, and saved with digit groups', async (area, row, label) => {
      const view = await stage.signedIn(`/${area}`);
      await edit(view, row);
      const field = dialog(view).getByLabel(label, { exact: true });
      for (const text of ['', '1.5', '12x']) {
        await field.fill(text);
        await confirm(view).click();
        await dialog(view).getByText('Enter a whole number, such as 1,500.').waitFor();
        await field.fill('1');
      }
      await field.fill('1,200');
      // The notification disappears by itself.
      await Promise.all([view.page.getByText('Saved').waitFor(), confirm(view).click()]);
      await dialog(view).waitFor({ state: 'detached' });
      const cell = view.page
        .getByRole('row')
        .filter({ hasText: row })
        .getByRole('cell', { name: /1,?200/ });
      await cell.first().waitFor();
      await view.close();
    });
  });

  test('an error of a field that the form does not have is shown above the form', async () => {
    const view = await stage.signedIn('/skills');
    await view.page.route('**/api/admin/skills', (route) =>
      route.fulfill({ status: 422, json: { message: 'Refused.', errors: { other: ['Another field is wrong.'] } } }),
    );
    await view.page.getByRole('button', { name: 'Add a skill' }).click();
    await dialog(view).getByLabel('Name').fill('Botany');
    await confirm(view).click();
    await dialog(view).getByRole('alert').getByText('Another field is wrong.').waitFor();
    await view.refused(422);
    await view.close();
  });

  test('a message of the server calls the field by its label', async () => {
    const view = await stage.signedIn('/services');
    await view.page.getByRole('row').filter({ hasText: 'VIDEO' }).getByRole('button', { name: 'Edit' }).click();
    await dialog(view).getByLabel('Seconds per step').fill('1');
    await confirm(view).click();
    await dialog(view).getByText('The “Seconds per step” field must be at least 2.').waitFor();
    await view.refused(422);
    await view.close();
  });

  test('a reply sent again after a lost response is stored once, or separately if it was edited', async () => {
    const awa = await register(stage.system, 'student', 'Awa Lost');
    data(await as(stage.system, awa.token).post('api/support/messages', { message: 'Hello?' }));
    const said = async () =>
      data<{ message: string }[]>(await as(stage.system, awa.token).get('api/support/messages')).map(
        ({ message }) => message,
      );
    const view = await stage.signedIn('/support');
    await view.page.getByRole('navigation', { name: 'Conversations' }).getByText('Awa Lost').click();
    const reply = view.page.getByLabel('Reply');
    const send = () => view.page.getByRole('button', { name: 'Send', exact: true }).click();
    const lose = async () => {
      await view.page.route('**/messages', async (route) => {
        await route.fetch();
        await route.abort();
      });
      await send();
      await view.page.locator('form').getByText('The server cannot be reached.').waitFor();
      await view.page.unroute('**/messages');
    };
    await reply.fill('First');
    await lose();
    await send();
    await view.page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#reply')?.value === '');
    expect(await said()).toEqual(['Hello?', 'First']);
    await reply.fill('Second');
    await lose();
    await reply.fill('Second, edited');
    await send();
    await view.page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#reply')?.value === '');
    expect(await said()).toEqual(['Hello?', 'First', 'Second', 'Second, edited']);
    await view.close();
  });
});
