import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken, as, data, type Person } from '../../test/journeys/people.ts';
import { agoInWords } from '../src/shared/time/ago.ts';
import { openStage, type Stage, type View } from './browser.ts';
import { lesson, registerPair, topUp } from './lessons.ts';

const REASON = 'Asked students to pay outside of the app.';

describe('a relative time', () => {
  const NOW = Date.parse('2026-03-08T12:00:00Z');
  test.each([
    ['2026-03-08T12:00:05Z', 'now', 'maintenant'],
    ['2026-03-08T11:59:01Z', 'now', 'maintenant'],
    ['2026-03-08T11:57:30Z', '2 min ago', 'il y a 2 min'],
    ['2026-03-08T09:00:00Z', '3 hr ago', 'il y a 3 h'],
    ['2026-03-07T11:00:00Z', 'yesterday', 'hier'],
    ['2026-03-01T11:00:00Z', undefined, undefined],
  ])('for %s is %s in English and %s in French', (at, english, french) => {
    const said = ['en-GB', 'fr-FR'].map((region) => agoInWords(at, NOW, region)?.replaceAll('\u00a0', ' '));
    expect(said).toEqual([english, french]);
  });
});

describe('people:', () => {
  let stage: Stage;
  let student: Person;
  let teacher: Person;
  let call: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ student, teacher } = await registerPair(stage.system));
    await topUp(stage.system, student, 1_000);
    call = await lesson(stage.system, student, teacher);
    data(await as(stage.system, student.token).post('api/support/messages', { message: 'I need help' }));
    data(await as(stage.system, student.token).put('api/me', { photo: 'https://elsewhere.example/me.png' }));
    data(await as(stage.system, student.token).post('api/reports', { user_id: teacher.id, reason: 'abuse' }));
  });
  afterAll(() => stage?.close());

  const standing = async (person: Person) => {
    const su = as(stage.system, await adminToken(stage.system));
    const { status, verified } = data<{ status: string; verified: string }>(
      await su.get(`api/admin/users/${person.id}`),
    );
    return { status, verified };
  };

  test('a person is found by name, and one page shows everything about them', async () => {
    const view = await stage.signedIn('/people');
    const { page } = view;
    await page.getByRole('cell', { name: teacher.email }).waitFor();
    await view.check('people');
    await page.getByRole('textbox', { name: 'Search' }).fill('awa');
    await page.waitForURL(/filter=.*awa/);
    await page.getByRole('cell', { name: teacher.email }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Awa Diallo' }).click();
    await page.getByRole('heading', { name: 'Awa Diallo' }).waitFor();
    const section = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) });
    const fact = (name: string) => page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    await fact('Available').getByText('F CFA 850').waitFor();
    await fact('Held').getByText('F CFA 0').waitFor();
    await section('Statement').getByRole('row', { name: '-F CFA 150 Call' }).waitFor();
    await section('Statement').getByRole('row', { name: '+F CFA 1,000 Deposit' }).waitFor();
    await section('Deposits').getByText('+F CFA 1,000').waitFor();
    await section('Calls').getByText('Kossi Mensah').waitFor();
    await section('Support').getByText('I need help').waitFor();
    await view.check('people-student');
    expect(await page.getByRole('button', { name: 'Verify' }).count()).toBe(0);

    await section('Deposits').getByRole('link', { name: 'Show all (1)' }).click();
    await page.getByRole('cell', { name: '+F CFA 1,000' }).waitFor();
    await page.waitForURL((url) => url.searchParams.get('filter') === JSON.stringify({ user_id: student.id }));
    await view.check('people-deposits');
    await view.close();
  });

  test('Ctrl+K finds people, calls, deposits and withdrawals from every page', async () => {
    const view = await stage.signedIn('/settings');
    const { page } = view;
    await page.getByRole('button', { name: 'Search everything' }).waitFor();
    const field = page.getByRole('combobox', { name: 'Name, e-mail, phone, number or reference' });
    await eventually('the search opens', async () => {
      await page.keyboard.press('Control+k');
      return field.isVisible();
    });
    await field.fill(student.email);
    const found = page.getByRole('option');
    await found.filter({ hasText: `Student · ${student.email}` }).waitFor();
    await found.filter({ hasText: '+F CFA 1,000' }).waitFor();
    await view.check('search');
    await field.fill(call);
    await found.filter({ hasText: 'Call between Awa Diallo and Kossi Mensah' }).waitFor();
    await field.fill('nobody of that name');
    await page.getByText('No results.').waitFor();
    await field.fill('diallo');
    await found.filter({ hasText: 'Call between Awa Diallo and Kossi Mensah' }).waitFor();
    await field.press('ArrowDown');
    await field.press('Enter');
    await page.waitForURL(`**/people/${student.id}/show`);
    await page.getByRole('heading', { name: 'Awa Diallo' }).waitFor();
    await page.getByRole('button', { name: 'Search everything' }).click();
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    await view.close();
  });

  test('a long e-mail address pushes no column off the page, and the rows are exported as a file', async () => {
    const long = `${'a-very-long-address'.repeat(4)}@a-school-with-a-very-long-name.example.com`;
    await stage.system.sql('identity', `update account set email = '${long}' where id = ${teacher.id}`);
    const view = await stage.signedIn('/people');
    await view.page.setViewportSize({ width: 1440, height: 900 });
    await view.page.getByRole('cell', { name: long }).waitFor();
    expect(await view.overflowing('main table')).toBe(false);
    await view.check('people-long');
    const downloaded = view.page.waitForEvent('download');
    await view.page.getByRole('button', { name: 'CSV', exact: true }).click();
    const lines = (await readFile(await (await downloaded).path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',')[2])).toEqual(['name', 'Kossi Mensah', 'Awa Diallo']);
    await view.close();
  });

  test('a teacher is verified, banned and unbanned, each after a confirmation', async () => {
    const view = await stage.signedIn(`/people/${teacher.id}/show`);
    const { page } = view;
    const decide = async (name: string, answer: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      await view.check(`people-${name.toLowerCase()}`);
      if (name === 'Ban') await page.getByRole('dialog').getByLabel('Reason').fill(REASON);
      await page.getByRole('dialog').getByRole('button', { name: answer }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await decide('Verify', 'Confirm');
    await page.getByRole('button', { name: 'Undo verification' }).waitFor();
    await decide('Ban', 'Cancel');
    expect(await standing(teacher)).toEqual({ status: 'active', verified: '1' });
    await decide('Ban', 'Confirm');
    await page.getByText('banned', { exact: true }).waitFor();
    const su = as(stage.system, await adminToken(stage.system));
    await eventually('the audit log has the reason', async () => {
      const filter = { filter_value: `user:${teacher.id}` };
      const log = data<{ data: { after: { reason?: string } }[] }>(await su.post('api/admin/auditall', filter));
      return log.data[0]?.after.reason === REASON;
    });
    expect(await standing(teacher)).toEqual({ status: 'banned', verified: '1' });
    for (const [fact, text] of [
      ['Banned by', 'Administrator'],
      ['Reason for the ban', REASON],
    ] as const)
      await page.locator('dl > div').filter({ hasText: fact }).getByText(text, { exact: true }).waitFor();
    await view.check('people-banned');
    await decide('Unban', 'Confirm');
    await page.getByText('active', { exact: true }).waitFor();
    expect(await standing(teacher)).toEqual({ status: 'active', verified: '1' });
    await view.close();
  });

  test('the pages about people are usable in French, dark, on a phone', async () => {
    const look = { language: 'fr', colours: 'dark', width: 'phone' } as const;
    const view = await stage.signedIn('/people', look);
    await view.page.getByRole('link', { name: 'Kossi Mensah' }).waitFor();
    await view.check('people');
    await view.page.getByRole('link', { name: 'Kossi Mensah' }).click();
    await view.page.getByRole('heading', { name: 'Signalements au sujet de la personne' }).waitFor();
    await view.check('people-teacher');
    await view.close();
  });

  test('a page says so without a connection, and loads again when it is back', async () => {
    const view = await stage.signedIn('/people');
    const { page } = view;
    await page.getByRole('link', { name: 'Awa Diallo' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('The connection is interrupted').waitFor();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Awa Diallo' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Awa Diallo' }).click();
    await page.getByRole('main').getByText('The server cannot be reached.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('I need help').waitFor();
    await view.close();
  });

  describe('the inbox:', () => {
    const write = (person: Person, message: string) =>
      as(stage.system, person.token).post('api/support/messages', { message });
    const roomsIn = ({ page }: View) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('button');
    const messagesIn = ({ page }: View) => page.getByRole('log').getByRole('article');

    test('the inbox shows the person beside the conversation, and relative times with a full tooltip', async () => {
      data(await as(stage.system, student.token).post('api/deposits', { amount: 5_000, method: 'card' }));
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

    test('a message shows a desktop notification if they are allowed and the window is not focused', async () => {
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
      data(await write(student, 'Please look at this'));
      const raised = () => page.evaluate('raised.map(({ title, body }) => [title, body])');
      await eventually('a notification', async () => ((await raised()) as unknown[]).length > 0);
      expect(await raised()).toEqual([['New support message', 'Please look at this']]);
      await page.evaluate('raised[0].onclick()');
      await messagesIn(view).getByText('Please look at this').waitFor();
      await view.check('support-notice');
      await view.close();
    });
  });
});
