import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import { agoInWords } from '../src/shared/time/ago.ts';
import { inBrowser, openStage, type Stage, type View } from './browser.ts';

describe('how long ago', () => {
  const NOW = Date.parse('2026-03-08T12:00:00Z');
  test.each([
    ['2026-03-08T12:00:05Z', 'now', 'maintenant'],
    ['2026-03-08T11:59:01Z', 'now', 'maintenant'],
    ['2026-03-08T11:57:30Z', '2 min ago', 'il y a 2 min'],
    ['2026-03-08T09:00:00Z', '3 hr ago', 'il y a 3 h'],
    ['2026-03-07T11:00:00Z', 'yesterday', 'hier'],
    ['2026-03-01T11:00:00Z', undefined, undefined],
  ])('%s is %s, %s', (at, english, french) => {
    const said = ['en-GB', 'fr-FR'].map((region) => agoInWords(at, NOW, region)?.replaceAll('\u00a0', ' '));
    expect(said).toEqual([english, french]);
  });
});

inBrowser('the inbox', () => {
  let stage: Stage;
  let awa: Person;
  beforeAll(async () => {
    stage = await openStage();
    awa = await register(stage.system, 'student', 'Awa Diallo');
    data(await write(awa, 'Where is my deposit?'));
  });
  afterAll(() => stage?.close());

  const write = (person: Person, message: string) =>
    as(stage.system, person.token).post('api/support/messages', { message });
  const roomsIn = ({ page }: View) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('button');
  const messagesIn = ({ page }: View) => page.getByRole('log').getByRole('article');

  test('whose conversation it is stands beside it; times are told as people say them, and whole', async () => {
    data(await as(stage.system, awa.token).post('api/deposits', { amount: 5_000, method: 'card' }));
    const view = await stage.signedIn('/support');
    const room = roomsIn(view).filter({ hasText: 'Awa Diallo' });
    expect(await room.getByRole('time').innerText()).toMatch(/^(now|\d+ min ago)$/);
    expect(await room.getByRole('time').getAttribute('title')).toMatch(/\d\d:\d\d:\d\d GMT$/);
    await view.page.getByText('Times are in Greenwich Mean Time.').waitFor();
    await room.click();
    const about = view.page.getByRole('complementary', { name: 'About the person' });
    await about.getByRole('link', { name: '+F CFA 5,000' }).waitFor();
    await about.getByText('Available').waitFor();
    await about.getByText('Held').waitFor();
    await about.getByRole('heading', { name: 'Calls' }).waitFor();
    await view.check('support-person');
    await view.close();

    const small = await stage.signedIn('/support', { language: 'fr', colours: 'dark', width: 'phone' });
    await roomsIn(small).filter({ hasText: 'Awa Diallo' }).click();
    await small.page.getByRole('button', { name: 'Au sujet de la personne' }).click();
    await small.page.getByRole('dialog').getByRole('link', { name: /5.000/ }).waitFor();
    await small.check('support-person');
    await small.page.keyboard.press('Escape');
    await small.page.getByRole('dialog').waitFor({ state: 'detached' });
    await messagesIn(small).last().waitFor();
    await small.close();
  });

  test('a message is told on the desktop while another window is looked at, where it is allowed', async () => {
    const view = await stage.signedIn('/people');
    const { page } = view;
    await page.context().grantPermissions(['notifications'], { origin: stage.system.url });
    await page.addInitScript(() => {
      document.hasFocus = () => false;
      const raised: Notification[] = [];
      class Recorded extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          raised.push(this);
        }
      }
      Object.assign(window, { Notification: Recorded, raised });
    });
    const listening = page.waitForResponse('**/api/events');
    await page.reload();
    await listening;
    await page.getByRole('link', { name: 'Awa Diallo' }).waitFor();
    const su = as(stage.system, await adminToken(stage.system));
    const [room] = data<{ uuid: string }[]>(await su.get('api/admin/rooms?limit=1'));
    data(await su.post(`api/admin/rooms/${room!.uuid}/messages`, { message: 'From the staff' }));
    data(await write(awa, 'Please look at this'));
    const raised = () => page.evaluate('raised.map(({ title, body }) => [title, body])');
    await eventually('a notice', async () => ((await raised()) as unknown[]).length > 0);
    expect(await raised()).toEqual([['New message to the support', 'Please look at this']]);
    await page.evaluate('raised[0].onclick()');
    await messagesIn(view).getByText('Please look at this').waitFor();
    await view.check('support-notice');
    await view.close();
  });
});
