import { adminToken, as, data, register, type Person } from '../../test/journeys/people.ts';
import { eventually } from '@tutoring/shared/testing/wait';
import type { Look, Stage, View } from './browser.ts';

/* People with support cases, a second clerk, saved replies, and what the desk's tests look for on its page. */

/** A clerk with the role `support`. */
export const ADA = {
  name: 'Ada Mensah',
  email: 'ada@example.com',
  password: 'a very long secret',
  phone_number: '+22890000000',
  roles: ['support'],
};

interface Case {
  id: number;
  room_uuid: string;
  state: string;
  assignee: { name: string } | null;
  snoozed_until: string | null;
  labels: string[];
  subject: string;
}

/** Three people who wait for an answer, in this order. */
export const PEOPLE = [
  ['Awa Diallo', 'student'],
  ['Kofi Agbeko', 'teacher'],
  ['Yao Amegah', 'student'],
] as const;

const REPLIES = [
  ['hello', 'Hello {{user.first_name}}, this is {{agent.name}}.', 'Bonjour {{user.first_name}}.'],
  ['paid', 'Your payment has arrived.', 'Votre paiement est arrivé.'],
];

export type Desk = ReturnType<typeof deskOf>;

/** Fills the system of a stage for the desk. */
export async function openDesk(stage: Stage): Promise<Desk> {
  const desk = deskOf(stage);
  const su = await desk.su();
  data(await su.post('api/admin/admins', ADA));
  for (const [name, platform] of PEOPLE) {
    await desk.join(name, platform);
    await desk.write(name, `${name} asks for help`);
  }
  for (const [shortcut, text_en, text_fr] of REPLIES)
    data(await su.post('api/admin/desk/replies', { shortcut, text_en, text_fr }));
  return desk;
}

function deskOf(stage: Stage) {
  const people = new Map<string, Person>();
  const person = (name: string) => people.get(name)!;
  let token: Promise<string> | undefined;
  const su = async () => as(stage.system, await (token ??= adminToken(stage.system)));
  const caseOf = async (name: string): Promise<Case> => {
    const body = { user_id: person(name).id, sort: 'newest' };
    return data<{ data: Case[] }>(await (await su()).post('api/admin/desk/casesall', body)).data[0]!;
  };
  return {
    su,
    person,
    caseOf,
    join: async (name: string, platform: 'student' | 'teacher') =>
      void people.set(name, await register(stage.system, platform, name)),
    write: async (name: string, message: string) =>
      data(await as(stage.system, person(name).token).post('api/support/messages', { message })),
    /** The messages that the person sees, oldest first. */
    saidTo: async (name: string) =>
      data<{ message: string }[]>(await as(stage.system, person(name).token).get('api/support/messages')).map(
        ({ message }) => message,
      ),
    /** Waits until the person's newest case fulfils the condition. */
    become: (what: string, name: string, is: (of: Case) => boolean) =>
      eventually(what, async () => is(await caseOf(name))),
    answer: async (name: string, message: string) => {
      const { room_uuid: uuid } = await caseOf(name);
      data(await (await su()).post(`api/admin/rooms/${uuid}/messages`, { message }));
    },
    label: async (name: string, labels: string[]) => {
      const { id } = await caseOf(name);
      data(await (await su()).put(`api/admin/desk/cases/${id}`, { labels }));
    },
    /** Opens the person's case, without an assignee. */
    reopen: async (name: string) => {
      const { id } = await caseOf(name);
      data(await (await su()).put(`api/admin/desk/cases/${id}`, { state: 'open', assignee_id: null }));
    },
    /** Ada's requests, without a browser. */
    ada: async () => {
      const body = { email: ADA.email, password: ADA.password };
      const { token } = data<{ token: string }>(await stage.system.request('POST', 'api/admin/auth/login', { body }));
      return as(stage.system, token);
    },
    asAda: async (path = '/support', look: Look = {}): Promise<View> => {
      const view = await stage.open(path, look);
      await view.signIn(ADA.email, ADA.password);
      return view;
    },
  };
}

export const listed = ({ page }: View) => page.getByRole('navigation', { name: 'Conversations' }).getByRole('button');
export const entry = (view: View, name: string) => listed(view).filter({ hasText: name });
/** The line above the conversation. The timeline beside it says the same, and goes on saying it. */
export const snoozedUntil = ({ page }: View) => page.getByText(/^Snoozed until /).and(page.locator(':not(aside *)'));
export const log = ({ page }: View) => page.getByRole('log');
export const button = ({ page }: View, name: string) => page.getByRole('button', { name, exact: true });
export const reply = ({ page }: View) => page.getByLabel('Reply');
export const note = ({ page }: View) => page.getByLabel('Note for the desk');
export const filter = ({ page }: View, name: RegExp) =>
  page.getByRole('group', { name: /^(Filter|Filtre)$/ }).getByRole('button', { name });
export const about = ({ page }: View) => page.getByRole('complementary', { name: 'About the person' });
/** Waits until what stood in the field was sent: its answer is shown, and nothing moves the focus any more. */
export const emptied = (view: View, id: 'reply' | 'note') =>
  view.page.waitForFunction(
    (given) => (document.getElementById(given) as HTMLTextAreaElement | null)?.value === '',
    id,
  );
/** Waits until no dialog is shown, also none that fades out: until then it has the keys, and hides the page. */
export const undisturbed = ({ page }: View) => page.getByRole('dialog').waitFor({ state: 'detached' });
/** Closes the open conversation with Escape. */
export async function leave({ page }: View): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForURL(({ pathname }) => pathname === '/admin/support');
}
export const focusIsIn = (view: View, id: string) =>
  view.page.waitForFunction((given) => document.activeElement?.id === given, id);
