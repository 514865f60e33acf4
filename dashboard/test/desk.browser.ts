import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { data } from '../../test/journeys/people.ts';
import { openStage, type Stage } from './browser.ts';
import {
  ADA,
  about,
  button,
  emptied,
  entry,
  filter,
  focusIsIn,
  leave,
  listed,
  log,
  note,
  openDesk,
  reply,
  snoozedUntil,
  undisturbed,
  type Desk,
} from './desk-kit.ts';

describe('the desk:', () => {
  let stage: Stage;
  let desk: Desk;
  beforeAll(async () => {
    stage = await openStage();
    desk = await openDesk(stage);
  });
  afterAll(() => stage?.close());

  test('two clerks see each other, and what one of them changes appears at the other without a reload', async () => {
    const first = await stage.signedIn('/support');
    const second = await desk.asAda();
    for (const view of [first, second]) await entry(view, 'Awa Diallo').click();
    await log(first).getByText('asks for help').waitFor();
    await first.page
      .getByRole('status')
      .getByText(/Ada Mensah.* is looking at this/)
      .waitFor();
    // Both at once: the server forgets it after some seconds.
    await Promise.all([
      first.page.getByRole('status').getByText('is typing').waitFor(),
      entry(first, 'Awa Diallo').getByText('is typing').waitFor(),
      reply(second).pressSequentially('I think'),
    ]);

    await button(second, 'Note').click();
    await note(second).fill('Asked finance.');
    await button(second, 'Add the note').click();
    await log(second).getByRole('note').getByText('Asked finance.').waitFor();
    await second.page.getByRole('button', { name: 'Assign', exact: true }).click();
    await second.page.getByRole('menuitem', { name: 'Assign to me' }).click();
    for (const view of [first, second]) {
      await view.page.getByRole('button', { name: /Assigned to .*Ada Mensah/ }).waitFor();
      await about(view)
        .getByText(/Assigned to .*Ada Mensah/)
        .waitFor();
    }
    await log(first).getByRole('note').getByText('Asked finance.').waitFor();
    await filter(first, /^Unassigned/).click();
    await entry(first, 'Kofi Agbeko').waitFor();
    await filter(second, /^Mine 1$/).waitFor();
    await first.check('desk-first');

    // The draft of the reply is still there.
    await button(second, 'Reply').click();
    expect(await reply(second).inputValue()).toBe('I think');
    await reply(second).fill('It has arrived.');
    await button(second, 'Send and resolve').click();
    await log(first).getByText('It has arrived.').waitFor();
    await about(first)
      .getByText(/Now .*resolved/)
      .waitFor();
    await desk.become('the case is resolved', 'Awa Diallo', ({ state }) => state === 'resolved');
    expect(await desk.saidTo('Awa Diallo')).toEqual(['Awa Diallo asks for help', 'It has arrived.']);
    await emptied(second, 'reply');
    await leave(second);
    await entry(second, 'Awa Diallo').waitFor({ state: 'detached' });
    await filter(second, /^Resolved/).click();
    await entry(second, 'Awa Diallo').waitFor();
    await second.check('desk-second');
    await first.close();
    await second.close();
    await desk.reopen('Awa Diallo');
  });

  test('a change of a case that a colleague has changed meanwhile is refused with the colleague’s name', async () => {
    const { id } = await desk.caseOf('Kofi Agbeko');
    const view = await stage.signedIn(`/support/${id}`);
    await about(view).getByText('Kofi Agbeko asks for help').waitFor();
    await button(view, 'Edit subject and labels').click();
    const dialog = view.page.getByRole('dialog');
    await dialog.getByLabel('Labels').fill('calls, teacher');
    data(await (await desk.ada()).put(`api/admin/desk/cases/${id}`, { labels: ['urgent'] }));
    await button(view, 'Confirm').click();
    await dialog.getByRole('alert').getByText(ADA.name).waitFor();
    await view.refused(409);
    await button(view, 'Cancel').click();
    await undisturbed(view);
    await about(view).getByText('urgent', { exact: true }).waitFor();
    await button(view, 'Edit subject and labels').click();
    await dialog.getByLabel('Subject').fill('No calls');
    await dialog.getByLabel('Labels').fill('calls, teacher');
    await button(view, 'Confirm').click();
    await desk.become(
      'subject and labels are changed',
      'Kofi Agbeko',
      ({ labels, subject }) => [...labels, subject].join() === 'calls,teacher,No calls',
    );
    await undisturbed(view);
    await about(view).getByText('No calls', { exact: true }).first().waitFor();
    await view.check('desk-edited');
    await view.close();
  });

  test('a clerk works with the keyboard alone', async () => {
    await desk.answer('Awa Diallo', 'We look into it.');
    const view = await desk.asAda();
    const { page } = view;
    const { keyboard } = page;
    await listed(view).first().waitFor();
    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Next conversation').waitFor();
    await view.check('desk-keys');
    await keyboard.press('Escape');
    await undisturbed(view);

    // The longest wait is the first case.
    const [first, second] = ['Kofi Agbeko', 'Yao Amegah'];
    await keyboard.press('j');
    await log(view).getByText(`${first} asks`).waitFor();
    await keyboard.press('j');
    await log(view).getByText(`${second} asks`).waitFor();
    await keyboard.press('k');
    await log(view).getByText(`${first} asks`).waitFor();
    // The forms are shown once the page knows who works here.
    await reply(view).waitFor();

    await keyboard.press('a');
    await desk.become('the case is assigned', first, ({ assignee }) => assignee?.name === ADA.name);
    await keyboard.press('n');
    await focusIsIn(view, 'note');
    await keyboard.type('Called him twice');
    await keyboard.press('Enter');
    await log(view).getByRole('note').getByText('Called him twice').waitFor();
    await emptied(view, 'note');
    await page.locator('#note').evaluate((field) => (field as HTMLElement).blur());

    await keyboard.press('/');
    await focusIsIn(view, 'reply');
    await page.getByRole('option', { name: /hello/ }).waitFor();
    await view.check('desk-picker');
    await keyboard.type('hel');
    await page.getByRole('option', { name: /paid/ }).waitFor({ state: 'detached' });
    await keyboard.press('Enter');
    await eventually(
      'the fields are filled in',
      async () => (await reply(view).inputValue()) === `Hello Kofi, this is ${ADA.name}.`,
    );
    expect(await desk.saidTo(first)).not.toContain(`Hello Kofi, this is ${ADA.name}.`);
    await keyboard.press('Control+Enter');
    await desk.become('the reply has resolved the case', first, ({ state }) => state === 'resolved');
    expect(await desk.saidTo(first)).toContain(`Hello Kofi, this is ${ADA.name}.`);
    expect((await desk.saidTo(first)).join()).not.toContain('Called him twice');

    await emptied(view, 'reply');
    await page.locator('#reply').evaluate((field) => (field as HTMLElement).blur());
    await keyboard.press('j');
    await log(view).getByText(`${second} asks`).waitFor();
    await entry(view, first).waitFor({ state: 'detached' });
    await keyboard.press('s');
    await page.getByRole('menuitem', { name: /In an hour/ }).waitFor();
    await view.check('desk-snooze');
    await page.getByRole('menuitem', { name: /In an hour/ }).press('ArrowDown');
    await keyboard.press('Enter');
    await desk.become(
      'the case is snoozed until tomorrow morning',
      second,
      ({ state, snoozed_until: until }) => state === 'snoozed' && until?.slice(11, 16) === '09:00',
    );
    // Keys belong to the menu until it closes, not while it fades out.
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await snoozedUntil(view).waitFor();
    await keyboard.press('e');
    await desk.become('the case is resolved', second, ({ state }) => state === 'resolved');
    await snoozedUntil(view).waitFor({ state: 'detached' });
    await leave(view);
    await page.getByText('Choose a conversation.').waitFor();
    await keyboard.press('/');
    await focusIsIn(view, 'desk-search');
    await view.close();
    for (const name of [first, second]) await desk.reopen(name);
  });

  test('drafts of a reply and a note survive another case, another page and a reload', async () => {
    const view = await stage.signedIn('/support');
    const { page } = view;
    const open = (name: string) => entry(view, name).click();
    const drafts = async () => {
      await log(view).getByText('asks for help').waitFor();
      return [await reply(view).inputValue(), await note(view).inputValue()];
    };
    await open('Awa Diallo');
    await reply(view).fill('Dear Awa,');
    await button(view, 'Note').click();
    await note(view).fill('She has paid by');
    await open('Yao Amegah');
    await log(view).getByText('Yao Amegah asks').waitFor();
    expect(await drafts()).toEqual(['', '']);
    // Another case begins with a reply, so that nobody takes it for the note.
    expect(await button(view, 'Add the note').count()).toBe(0);
    await reply(view).fill('Dear Yao,');
    await open('Awa Diallo');
    await log(view).getByText('Awa Diallo asks').waitFor();
    expect(await drafts()).toEqual(['Dear Awa,', 'She has paid by']);
    await page.getByRole('link', { name: 'Skills' }).click();
    await button(view, 'Add a skill').waitFor();
    await page.goBack();
    expect(await drafts()).toEqual(['Dear Awa,', 'She has paid by']);
    await page.reload();
    expect(await drafts()).toEqual(['Dear Awa,', 'She has paid by']);
    await button(view, 'Note').click();
    await button(view, 'Add the note').click();
    await log(view).getByRole('note').getByText('She has paid by').waitFor();
    await emptied(view, 'note');
    expect(await drafts()).toEqual(['Dear Awa,', '']);
    await view.close();
  });

  test('a note has its own colour, word and button, can be changed by its author, and never reaches the person', async () => {
    const view = await desk.asAda();
    await entry(view, 'Awa Diallo').click();
    await log(view).getByText('Awa Diallo asks').waitFor();
    const colour = (of: string) =>
      view.page
        .locator(of)
        .evaluate((node) => getComputedStyle(node.closest('form')!.parentElement!.parentElement!).backgroundColor);
    const plain = await colour('#reply');
    await button(view, 'Note').click();
    await view.page.getByText('Only the desk sees notes. Nothing goes to the person.').waitFor();
    expect(await colour('#note')).not.toBe(plain);
    expect(await button(view, 'Send').count()).toBe(0);
    await note(view).fill('CANARY');
    await view.clickTwice(button(view, 'Add the note'));
    const shown = log(view).getByRole('note').filter({ hasText: 'CANARY' });
    await shown.waitFor();
    expect(await shown.count()).toBe(1);
    await view.check('desk-note');
    await shown.getByRole('button').click();
    await view.page.getByRole('menuitem', { name: 'Edit the note' }).click();
    await view.page.getByRole('dialog').getByLabel('Note for the desk').fill('CANARY, corrected');
    await button(view, 'Confirm').click();
    await undisturbed(view);
    await log(view).getByText('CANARY, corrected').waitFor();
    // Ada may not delete or edit the note of the other clerk.
    const hers = log(view).getByRole('note').filter({ hasText: 'She has paid by' });
    await hers.waitFor();
    expect(await hers.getByRole('button').count()).toBe(0);
    await shown.getByRole('button').click();
    await view.page.getByRole('menuitem', { name: 'Delete the note' }).click();
    await button(view, 'Confirm').click();
    await undisturbed(view);
    await shown.waitFor({ state: 'detached' });
    await hers.waitFor();
    expect((await desk.saidTo('Awa Diallo')).join()).not.toContain('CANARY');
    await view.close();
  });
});
