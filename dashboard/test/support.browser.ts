import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import type { Locator } from 'playwright-core';
import { openStage, type Stage, type View } from './browser.ts';

interface SupportMessage {
  id: number;
  sender_id: number;
  message: string;
  message_link: string | null;
}

/** An image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SECOND = {
  name: 'Ada Mensah',
  email: 'ada@example.com',
  password: 'a very long secret',
  phone_number: '+22890000000',
};

/** Submits the field's form again and again between the answer, which deletes the draft, and its rendering. */
const submitBeforeRendering = (field: Locator) =>
  field.evaluate((node) => {
    const { setItem } = Storage.prototype;
    const again = (times: number): void => {
      (node as HTMLTextAreaElement).form?.requestSubmit();
      if (times > 0) queueMicrotask(() => again(times - 1));
    };
    Storage.prototype.setItem = function (this: Storage, name: string, value: string) {
      setItem.call(this, name, value);
      if (value === '[]') again(50);
    };
  });

describe('the support inbox:', () => {
  let stage: Stage;
  let awa: Person;
  let kofi: Person;
  beforeAll(async () => {
    stage = await openStage();
    awa = await register(stage.system, 'student', 'Awa Diallo');
    kofi = await register(stage.system, 'teacher', 'Kofi Agbeko');
    data(await write(awa, 'Where is my deposit?'));
    data(await write(kofi, 'I cannot be called.'));
  });
  afterAll(() => stage?.close());

  const write = (person: Person, message: string) =>
    as(stage.system, person.token).post('api/support/messages', { message });
  const messagesOf = async (person: Person) =>
    data<SupportMessage[]>(await as(stage.system, person.token).get('api/support/messages?limit=500'));
  const roomsIn = ({ page }: View) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('button');
  const messagesIn = ({ page }: View) => page.getByRole('log').getByRole('article');

  test('a message appears without a reload, and two administrators see the reply and its author', async () => {
    const token = await adminToken(stage.system);
    await stage.system.request('POST', 'api/admin/admins', { token, body: SECOND });
    const first = await stage.signedIn('/support');
    const second = await stage.open('/support');
    await second.signIn(SECOND.email, SECOND.password);
    for (const view of [first, second]) await roomsIn(view).filter({ hasText: 'Awa Diallo' }).click();
    data(await write(awa, 'Are you there?'));
    for (const view of [first, second]) await messagesIn(view).getByText('Are you there?').waitFor();

    const reply = second.page.getByLabel('Reply');
    await reply.pressSequentially('Yes.');
    await reply.press('Shift+Enter');
    await reply.pressSequentially('It has arrived.');
    await submitBeforeRendering(reply);
    await reply.press('Enter');
    await reply.press('Enter');
    for (const view of [first, second]) {
      const answer = messagesIn(view).filter({ hasText: 'Yes.\nIt has arrived.' });
      await answer.getByText(SECOND.name).waitFor();
      expect(await answer.count()).toBe(1);
    }
    // The reply may arrive as a live event before the response to the request.
    await eventually('the form is ready again', async () => (await reply.isEditable()) && !(await reply.inputValue()));
    const said = await messagesOf(awa);
    expect(said.map(({ message }) => message)).toEqual([
      'Where is my deposit?',
      'Are you there?',
      'Yes.\nIt has arrived.',
    ]);
    await messagesIn(first).filter({ hasText: 'It has arrived.' }).getByText('· read').waitFor();
    await first.check('support-answered');
    await second.check('support-second');
    await second.close();
    await first.close();
  });

  test('administrators and people send each other files, and images are shown', async () => {
    const view = await stage.signedIn('/support');
    await roomsIn(view).filter({ hasText: 'Awa Diallo' }).click();
    const form = new FormData();
    form.set('file', new Blob([PNG]), 'receipt.png');
    const headers = { authorization: `Bearer ${awa.token}` };
    const answer = await fetch(`${stage.system.url}/api/support/files`, { method: 'POST', headers, body: form });
    const { url, type } = data<{ url: string; type: string }>({ status: answer.status, body: await answer.json() });
    const { post } = as(stage.system, awa.token);
    data(await post('api/support/messages', { message_link: url, type }));
    const image = view.page.getByRole('img', { name: 'Image from Awa Diallo' });
    await image.waitFor();
    await eventually('the image is loaded', () =>
      image.evaluate((node) => (node as HTMLImageElement).naturalWidth === 1),
    );

    await view.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'answer.txt', mimeType: 'text/plain', buffer: Buffer.from('paid') });
    await view.clickTwice(view.page.getByRole('button', { name: 'Send', exact: true }));
    const link = await messagesIn(view).getByRole('link', { name: 'File' }).getAttribute('href');
    expect(await (await fetch(link ?? '')).text()).toBe('paid');
    const sent = (await messagesOf(awa)).filter(({ message_link }) => message_link === link);
    expect(sent).toHaveLength(1);
    await view.check('support-files');
    await view.close();
  });

  test('the longest wait comes first, and the keyboard moves through the conversations', async () => {
    data(await write(kofi, 'Hello?'));
    data(await as(stage.system, awa.token).post('api/support/messages', { message: 'Thank you' }));
    const view = await stage.signedIn('/support');
    const { page } = view;
    await roomsIn(view).filter({ hasText: 'Awa Diallo' }).getByText('unread').waitFor();
    await page.keyboard.press('j');
    await messagesIn(view).getByText('Hello?').waitFor();
    await roomsIn(view).filter({ hasText: 'Kofi Agbeko' }).getByText('unanswered').waitFor();
    // Until the field has the focus, letters are keys of the desk.
    await page.getByLabel('Reply').waitFor();
    await page.keyboard.press('r');
    await page.waitForFunction(() => document.activeElement?.id === 'reply');
    await page.keyboard.type('You are welcome');
    await page.keyboard.press('Alt+ArrowDown');
    await messagesIn(view).getByText('Thank you').waitFor();
    expect(await page.getByLabel('Reply').inputValue()).toBe('');
    await page.waitForFunction(() => document.activeElement?.role === 'log');
    await page.keyboard.press('k');
    await messagesIn(view).getByText('Hello?').waitFor();
    expect(await page.getByLabel('Reply').inputValue()).toBe('You are welcome');
    await page.keyboard.press('Escape');
    await page.getByText('Choose a conversation.').waitFor();
    // Both are read and unanswered. A reply moves a case behind the unanswered ones.
    await roomsIn(view).filter({ hasText: 'Kofi Agbeko' }).click();
    await page.getByLabel('Reply').fill('Please try again');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await messagesIn(view).getByText('Please try again').waitFor();
    await eventually('the form is ready again', async () => !(await page.getByLabel('Reply').inputValue()));
    await page.keyboard.press('Escape');
    await page.getByText('Choose a conversation.').waitFor();
    await eventually('the answered case is last', async () =>
      (await roomsIn(view).last().innerText()).includes('Kofi'),
    );
    await view.check('support-rooms');
    await view.close();
  });

  test('older messages are loaded on demand, and a refused reply shows the error', async () => {
    for (let n = 1; n <= 60; n += 1) data(await write(awa, `Line ${n}`));
    const [room] = data<{ uuid: string }[]>(
      await as(stage.system, await adminToken(stage.system)).get('api/admin/rooms?limit=1'),
    );
    const view = await stage.signedIn(`/support/${room!.uuid}/show`);
    await messagesIn(view).getByText('Line 60').waitFor();
    expect(await messagesIn(view).getByText('Where is my deposit?').count()).toBe(0);
    await view.page.getByRole('button', { name: 'Older messages' }).click();
    await messagesIn(view).getByText('Where is my deposit?').waitFor();
    expect(await messagesIn(view).getByText('Line 60').count()).toBe(1);

    await view.page.getByLabel('Reply').fill('x'.repeat(5_001));
    await view.page.getByRole('button', { name: 'Send', exact: true }).click();
    await view.page.getByText('The “Reply” field must not be greater than 5000 characters.').waitFor();
    await view.refused(422);
    await view.page.getByLabel('Reply').fill('Shorter');
    await view.page.getByLabel('Reply').press('Enter');
    await messagesIn(view).getByText('Shorter').waitFor();
    await view.check('support-long');
    await view.close();
  });

  test('a broken event stream resumes, and messages written meanwhile are shown once', async () => {
    const { system } = stage;
    const resumed: (string | undefined)[] = [];
    const view = await stage.signedIn('/support');
    view.page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/events') resumed.push(request.headers()['last-event-id']);
    });
    await roomsIn(view).filter({ hasText: 'Awa Diallo' }).click();
    data(await write(awa, 'Before the break'));
    await messagesIn(view).getByText('Before the break').waitFor();
    const interrupted = view.page.getByText('The connection is interrupted');
    expect(await interrupted.count()).toBe(0);

    await system.start('second gateway');
    await system.kill('gateway');
    await interrupted.waitFor();
    const body = { message: 'During the break' };
    const answer = await system.request('POST', 'api/support/messages', {
      token: awa.token,
      body,
      through: 'second gateway',
    });
    data(answer);
    await system.start('gateway');
    await messagesIn(view).getByText(body.message).waitFor();
    await interrupted.waitFor({ state: 'detached' });
    data(await write(awa, 'After the break'));
    await messagesIn(view).getByText('After the break').waitFor();
    const texts = (await messagesIn(view).allInnerTexts()).join('\n');
    expect(texts.match(/(Before|During|After) the break/g)).toEqual([
      'Before the break',
      'During the break',
      'After the break',
    ]);
    expect(resumed.at(-1)).toMatch(/\d/);
    view.complaints.splice(0);
    await view.check('support-resumed');
    await view.close();
    await system.kill('second gateway');
  });

  test('the inbox says so without a connection, keeps the reply, and loads again when it is back', async () => {
    const view = await stage.signedIn('/support');
    const { page } = view;
    await roomsIn(view).filter({ hasText: 'Awa Diallo' }).click();
    await messagesIn(view).last().waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Reply').fill('I am back');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('form').getByText('The server cannot be reached.').waitFor();
    await page.getByText('The connection is interrupted').waitFor();
    expect(await page.getByLabel('Reply').inputValue()).toBe('I am back');
    await roomsIn(view).filter({ hasText: 'Kofi Agbeko' }).click();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    data(await write(awa, 'Still there?'));

    await page.context().setOffline(false);
    await messagesIn(view).getByText('Please try again').waitFor();
    await roomsIn(view).filter({ hasText: 'Awa Diallo' }).click();
    await messagesIn(view).getByText('Still there?').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await messagesIn(view).getByText('I am back').waitFor();
    expect((await messagesOf(awa)).filter(({ message }) => message === 'I am back')).toHaveLength(1);
    await page.getByText('The connection is interrupted').waitFor({ state: 'detached' });
    view.complaints.splice(0);
    await view.check('support-online');
    await view.close();
  });

  test.each([
    ['fr', 'dark', 'phone'],
    ['fr', 'light', 'phone'],
    ['fr', 'dark', 'desktop'],
  ] as const)('a conversation is usable in %s, %s, %s', async (language, colours, width) => {
    const view = await stage.signedIn('/support', { language, colours, width });
    await roomsIn(view).first().waitFor();
    await view.check('support-list');
    await roomsIn(view).filter({ hasText: 'Awa Diallo' }).click();
    await view.page.getByLabel('Réponse').waitFor();
    await messagesIn(view).last().waitFor();
    await view.check('support-room');
    await view.close();
  });
});
