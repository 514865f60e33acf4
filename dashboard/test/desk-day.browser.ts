import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scaled } from '@tutoring/shared/testing/scale';
import { data } from '../../test/journeys/people.ts';
import { openStage, type Stage, type View } from './browser.ts';
import {
  button,
  emptied,
  entry,
  filter,
  focusIsIn,
  leave,
  log,
  note,
  openDesk,
  PEOPLE,
  reply,
  snoozedUntil,
  undisturbed,
  type Desk,
} from './desk-kit.ts';

/* A day of two clerks: everybody who has written gets one answer, and no case stays open. */

const CONVERSATIONS = scaled(40, 12);
/** Registrations at once. */
const AT_ONCE = 4;

const FIRST = ['Abla', 'Binta', 'Chidi', 'Dela', 'Esi', 'Femi', 'Gifty', 'Hawa'];
const LAST = ['Adjei', 'Bello', 'Camara', 'Dossou', 'Eze'];
const NEW = FIRST.flatMap((first) => LAST.map((last) => `${first} ${last}`)).slice(0, CONVERSATIONS - PEOPLE.length);
const EVERYBODY = [...PEOPLE.map(([name]) => name), ...NEW];

describe('a day at the desk:', () => {
  let stage: Stage;
  let desk: Desk;
  let clerks: [View, View];
  /** What the clerks have answered, by person. */
  const answers = new Map<string, string>();
  beforeAll(async () => {
    stage = await openStage();
    desk = await openDesk(stage);
    for (let from = 0; from < NEW.length; from += AT_ONCE)
      await Promise.all(NEW.slice(from, from + AT_ONCE).map((name) => desk.join(name, 'student')));
    for (const name of NEW) await desk.write(name, `${name} asks for help`);
    clerks = [await stage.signedIn('/support'), await desk.asAda()];
    for (const { page } of clerks) await page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => stage?.close());

  async function open(view: View, name: string): Promise<void> {
    await entry(view, name).click();
    await log(view).getByText(`${name} asks for help`).waitFor();
    await reply(view).waitFor();
  }
  const write = async (view: View, name: string) => {
    const text = `Dear ${name}, this is done.`;
    answers.set(name, text);
    await reply(view).fill(text);
  };
  /** Sends with a button, and waits until the case shows it. */
  async function send(view: View, name: string, by = 'Send and resolve'): Promise<void> {
    await button(view, by).click();
    await log(view).getByText(answers.get(name)!).waitFor();
    await emptied(view, 'reply');
    if (by !== 'Send') await button(view, 'Open').waitFor();
  }

  /** The ways in which clerks work, in turn. `next` is the next person of the same clerk. */
  const WAYS: ((view: View, name: string, next?: string) => Promise<void>)[] = [
    async function savedReply(view, name) {
      answers.set(name, 'Your payment has arrived.');
      await log(view).focus();
      await view.page.keyboard.press('/');
      await focusIsIn(view, 'reply');
      await view.page.getByRole('option', { name: /hello/ }).waitFor();
      await view.page.keyboard.type('pa');
      await view.page.getByRole('option', { name: /hello/ }).waitFor({ state: 'detached' });
      await view.page.keyboard.press('Enter');
      await view.page.waitForFunction(
        () => document.querySelector<HTMLTextAreaElement>('#reply')?.value === 'Your payment has arrived.',
      );
      await send(view, name);
    },
    async function noteAndKeys(view, name) {
      await log(view).focus();
      await view.page.keyboard.press('a');
      await view.page.getByRole('button', { name: /^Assigned to / }).waitFor();
      await view.page.keyboard.press('n');
      await focusIsIn(view, 'note');
      await note(view).fill(`SECRET about ${name}`);
      await button(view, 'Add the note').click();
      await log(view).getByRole('note').getByText(`SECRET about ${name}`).waitFor();
      await emptied(view, 'note');
      await button(view, 'Reply').click();
      await write(view, name);
      await send(view, name, 'Send');
      await log(view).focus();
      await view.page.keyboard.press('e');
      await button(view, 'Open').waitFor();
    },
    async function snooze(view, name) {
      await write(view, name);
      await send(view, name, 'Send');
      await button(view, 'Snooze').click();
      await view.page.getByRole('menuitem', { name: /^Monday/ }).click();
      await snoozedUntil(view).waitFor();
    },
    async function draft(view, name, next) {
      await write(view, name);
      await button(view, 'Note').click();
      await note(view).fill('Half a note');
      if (next !== undefined) await open(view, next);
      await open(view, name);
      expect([await reply(view).inputValue(), await note(view).inputValue()]).toEqual([
        answers.get(name),
        'Half a note',
      ]);
      await send(view, name);
      await button(view, 'Note').click();
      await note(view).fill('');
    },
    async function twoQuestions(view, name) {
      await desk.write(name, 'And one more thing');
      await log(view).getByText('And one more thing').waitFor();
      await write(view, name);
      await send(view, name);
    },
  ];

  async function work(view: View, mine: string[]): Promise<void> {
    for (const [index, name] of mine.entries()) {
      await open(view, name);
      await WAYS[index % WAYS.length]!(view, name, mine[index + 1]);
    }
    await leave(view);
  }

  test('two clerks look at one case, and the one who sees the other typing leaves it', async () => {
    const [first, second] = clerks;
    const [name] = EVERYBODY as [string];
    for (const view of clerks) await open(view, name);
    await Promise.all([
      first.page
        .getByRole('status')
        .getByText(/Ada Mensah.* is typing/)
        .waitFor(),
      reply(second).pressSequentially('I am at it'),
    ]);
    await first.check('desk-day-typing');
    await leave(first);
    await write(second, name);
    await send(second, name);
    await leave(second);
  });

  test('everybody else gets one answer, and every case ends resolved or snoozed', async () => {
    const waiting = EVERYBODY.slice(1);
    const halves = [0, 1].map((half) => waiting.filter((_name, index) => index % 2 === half));
    await Promise.all(clerks.map((view, index) => work(view, halves[index]!)));
    for (const view of clerks) {
      await undisturbed(view);
      await filter(view, /^Open 0$/).waitFor();
    }
    const su = await desk.su();
    const counts = data<{ open: number; snoozed: number }>(await su.get('api/admin/desk/counts'));
    const { data: cases } = data<{ data: { state: string }[] }>(
      await su.post('api/admin/desk/casesall', { pageItems: 100 }),
    );
    const states = cases.map(({ state }) => state);
    expect(states).toHaveLength(EVERYBODY.length);
    for (const name of EVERYBODY) {
      const said = (await desk.saidTo(name)).filter(
        (text) => text !== `${name} asks for help` && text !== 'And one more thing',
      );
      expect([name, said]).toEqual([name, [answers.get(name)]]);
    }
    expect(new Set(states)).toEqual(new Set(['resolved', 'snoozed']));
    expect(counts).toMatchObject({ open: 0, snoozed: states.filter((state) => state === 'snoozed').length });
  });

  test.each([
    ['fr', 1440],
    ['en', 390],
    ['fr', 390],
  ] as const)('the desk of that day is usable in %s at %i pixels', async (language, width) => {
    const look = { language, width: width === 390 ? 'phone' : 'desktop' } as const;
    const view = await stage.signedIn('/support?show=resolved', look);
    await view.page.setViewportSize({ width, height: 900 });
    await entry(view, EVERYBODY[1]!).waitFor();
    if (width === 390) await view.check('desk-day-list');
    await entry(view, EVERYBODY[1]!).click();
    await log(view).getByText(answers.get(EVERYBODY[1]!)!).waitFor();
    await view.check(`desk-day-${width}`);
    expect(await view.overflowing('main')).toBe(false);
    await view.close();
  });
});
