import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { data } from '../../test/journeys/people.ts';
import { openStage, type Stage } from './browser.ts';
import { ADA, about, button, entry, filter, leave, listed, log, openDesk, undisturbed, type Desk } from './desk-kit.ts';

/** A clerk without the right `desk`. */
const FINANCE = { ...ADA, name: 'Edem Koffi', email: 'edem@example.com', roles: ['finance'] };

describe('around the desk:', () => {
  let stage: Stage;
  let desk: Desk;
  beforeAll(async () => {
    stage = await openStage();
    desk = await openDesk(stage);
    data(await (await desk.su()).post('api/admin/admins', FINANCE));
  });
  afterAll(() => stage?.close());

  test('saved replies are added, changed and deleted', async () => {
    const view = await desk.asAda();
    const { page } = view;
    await button(view, 'Saved replies').click();
    const list = page.getByRole('dialog', { name: 'Saved replies' });
    await list.getByText('/hello').waitFor();
    await button(view, 'Add a saved reply').click();
    const form = page.getByRole('dialog', { name: 'Add a saved reply' });
    await form.getByLabel('Shortcut').fill('hello');
    await form.getByLabel('Text in English').fill('Good bye, {{user.name}}.');
    await form.getByLabel('Text in French').fill('Au revoir, {{user.name}}.');
    await button(view, 'Confirm').click();
    await form.getByText('The shortcut has already been taken.').waitFor();
    await view.refused(422);
    await form.getByLabel('Shortcut').fill('bye');
    await view.clickTwice(button(view, 'Confirm'));
    const row = list.getByRole('listitem').filter({ hasText: '/bye' });
    await row.waitFor();
    expect(await row.count()).toBe(1);
    await view.check('desk-replies');
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog', { name: /Edit/ }).getByLabel('Text in English').fill('See you, {{user.name}}.');
    await button(view, 'Confirm').click();
    await row.getByText('See you').waitFor();
    await row.getByRole('button', { name: 'Delete' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete /bye?' });
    await deletion.getByRole('button', { name: 'Confirm' }).click();
    // While it is open, the list behind it is hidden, and so is the row.
    await deletion.waitFor({ state: 'detached' });
    await list.getByText('/hello').waitFor();
    await row.waitFor({ state: 'detached' });
    await view.close();
  });

  test('filters, counts and a search show the right cases', async () => {
    const view = await stage.signedIn('/support');
    const { page } = view;
    await filter(view, /^Open 3$/).waitFor();
    await filter(view, /^Snoozed 0$/).waitFor();
    await entry(view, 'Yao Amegah').click();
    await button(view, 'Snooze').click();
    await page.getByRole('menuitem', { name: 'A date…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Snooze until' });
    await dialog.getByLabel('Day and time in your time zone').fill('2026-01-01T10:00');
    await button(view, 'Confirm').click();
    await dialog.getByText('is invalid').waitFor();
    await view.refused(422);
    const later = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Day and time in your time zone').fill(`${later}T10:30`);
    await button(view, 'Confirm').click();
    // The browser's zone is Lomé, which is UTC.
    await desk.become(
      'the case is snoozed',
      'Yao Amegah',
      ({ snoozed_until: until }) => until?.startsWith(`${later}T10:30`) === true,
    );
    await undisturbed(view);
    await leave(view);
    await filter(view, /^Open 2$/).waitFor();
    await entry(view, 'Yao Amegah').waitFor({ state: 'detached' });
    await filter(view, /^Snoozed 1$/).click();
    await entry(view, 'Yao Amegah').waitFor();
    await view.check('desk-snoozed');
    // A message of the person opens it.
    await desk.write('Yao Amegah', 'Any news?');
    await filter(view, /^Snoozed 0$/).waitFor();
    await entry(view, 'Yao Amegah').waitFor({ state: 'detached' });

    await page.getByLabel('Search all cases').fill('agbeko ASKS');
    await entry(view, 'Kofi Agbeko').waitFor();
    expect(await listed(view).count()).toBe(1);
    await page.reload();
    await entry(view, 'Kofi Agbeko').waitFor();
    await filter(view, /^Open/).click();
    await entry(view, 'Yao Amegah').getByText('unread').waitFor();
    expect(await page.getByLabel('Search all cases').inputValue()).toBe('');
    await view.close();
  });

  test('a label filters the list, and Ctrl+K finds a case by its number', async () => {
    await desk.label('Awa Diallo', ['money']);
    await desk.label('Kofi Agbeko', ['calls', 'urgent']);
    const view = await desk.asAda();
    const { page } = view;
    await entry(view, 'Yao Amegah').waitFor();
    await filter(view, /^Label$/).click();
    await page.getByRole('menuitem', { name: 'urgent' }).click();
    await entry(view, 'Yao Amegah').waitFor({ state: 'detached' });
    await entry(view, 'Kofi Agbeko').waitFor();
    await page.reload();
    await filter(view, /^Label: urgent$/).waitFor();
    await entry(view, 'Kofi Agbeko').waitFor();
    expect(await listed(view).count()).toBe(1);
    await view.check('desk-label');
    await filter(view, /^Label: urgent$/).click();
    await entry(view, 'Yao Amegah').waitFor();

    const { id } = await desk.caseOf('Awa Diallo');
    await page.getByRole('button', { name: 'Search everything' }).click();
    await page.getByRole('combobox', { name: /reference/ }).fill(`#${id}`);
    await page.getByRole('option', { name: `Case ${id}: Awa Diallo` }).click();
    await log(view).getByText('Awa Diallo asks').waitFor();
    await view.close();
  });

  test('only administrators with the right are offered as assignees', async () => {
    const view = await desk.asAda(`/support/${(await desk.caseOf('Awa Diallo')).id}`);
    await button(view, 'Assign').click();
    await view.page.getByRole('menuitem', { name: 'Administrator', exact: true }).waitFor();
    expect(await view.page.getByRole('menuitem', { name: FINANCE.name }).count()).toBe(0);
    await view.close();
  });

  test('the person is beside the conversation with what the rights allow', async () => {
    const all = await stage.signedIn(`/support/${(await desk.caseOf('Awa Diallo')).id}`);
    for (const name of ['Deposits', 'Bookings', 'Calls', 'Reports', 'History', 'Other cases'])
      await about(all).getByRole('heading', { name }).waitFor();
    await all.close();
    const clerk = await desk.asAda(`/support/${(await desk.caseOf('Awa Diallo')).id}`);
    for (const name of ['Bookings', 'Calls', 'Reports', 'History'])
      await about(clerk).getByRole('heading', { name }).waitFor();
    expect(await about(clerk).getByRole('heading', { name: 'Deposits' }).count()).toBe(0);
    await clerk.check('desk-clerk');
    await clerk.close();
  });

  test('an administrator begins a case from the page of a person, once', async () => {
    await desk.join('Afi Lawson', 'teacher');
    const view = await desk.asAda(`/people/${desk.person('Afi Lawson').id}/show`);
    const dialog = view.page.getByRole('dialog');
    const begin = async (message: string) => {
      await button(view, 'Write to the person').click();
      await dialog.getByLabel('Message').fill(message);
      await view.clickTwice(button(view, 'Confirm'));
    };
    await begin('Your photo is too dark.');
    await dialog.waitFor({ state: 'detached' });
    expect(await desk.saidTo('Afi Lawson')).toEqual(['Your photo is too dark.']);
    await begin('Again');
    await dialog.getByRole('alert').waitFor();
    await view.refused(409);
    await button(view, 'Cancel').click();
    await view.page.getByRole('link', { name: 'Open the conversation' }).click();
    await log(view).getByText('Your photo is too dark.').waitFor();
    await view.page.waitForURL(/\/support\/\d+$/);
    await view.page.getByRole('button', { name: /Assigned to .*Ada Mensah/ }).waitFor();
    await view.close();
  });

  test.each([
    ['en', 'light'],
    ['fr', 'dark'],
  ] as const)('a phone shows one pane at a time, with a way back, in %s, %s', async (language, colours) => {
    const view = await stage.signedIn('/support', { language, colours, width: 'phone' });
    const { page } = view;
    const words = {
      en: ['Back to the conversations', 'About the person', 'Back to the messages', 'Note', 'Add the note'],
      fr: ['Retour aux conversations', 'Au sujet de la personne', 'Retour aux messages', 'Note', 'Ajouter la note'],
    }[language];
    const [back, aside, close, toNote, add] = words as [string, string, string, string, string];
    await entry(view, 'Awa Diallo').waitFor();
    await view.check('desk-phone-list');
    await entry(view, 'Awa Diallo').click();
    await log(view).getByText('Awa Diallo asks').waitFor();
    expect(await entry(view, 'Awa Diallo').isVisible()).toBe(false);
    await view.check('desk-phone-case');
    await button(view, toNote).click();
    await button(view, add).waitFor();
    await view.check('desk-phone-note');
    await button(view, aside).click();
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: /^(Case|Dossier) / })
      .waitFor();
    await view.check('desk-phone-person');
    await page.getByRole('dialog').getByRole('button', { name: close }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(view, back).click();
    await entry(view, 'Awa Diallo').waitFor();
    expect(await view.overflowing('main')).toBe(false);
    await view.close();
  });

  test.each([
    ['fr', 'light'],
    ['en', 'dark'],
  ] as const)('the desk and its figures are usable in %s, %s', async (language, colours) => {
    const view = await stage.signedIn('/support', { language, colours });
    await view.page.setViewportSize({ width: 1440, height: 900 });
    await entry(view, 'Awa Diallo').click();
    await log(view).getByText('Awa Diallo asks').waitFor();
    await view.check('desk-wide');
    await button(view, 'Note').click();
    await view.check('desk-wide-note');
    await desk.answer('Kofi Agbeko', 'We look into it.');
    await view.page.goto(`${stage.system.url}/admin/`);
    const titles = { en: 'Support, last', fr: 'Assistance, les' };
    await view.page.getByRole('heading', { name: titles[language] }).waitFor();
    const figure = (name: RegExp) => view.page.locator('.MuiCard-root').filter({ hasText: name });
    await figure(/^(Open now|Ouvertes maintenant)/)
      .getByText('4', { exact: true })
      .waitFor();
    await figure(/^(Longest wait|Plus longue attente)/)
      .getByText(/\d/)
      .waitFor();
    await figure(/^(First reply|Premier retour)/)
      .getByText(/\d/)
      .waitFor();
    await view.check('desk-overview');
    await view.close();
  });
});
