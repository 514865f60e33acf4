import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rightsOf, type Role } from '@tutoring/shared/contract/rights';
import { adminToken, as, data } from '../../test/journeys/people.ts';
import type { Texts } from '../src/i18n/texts/catalogue.ts';
import { common } from '../src/i18n/texts/common.ts';
import { openStage, type Look, type Stage, type View } from './browser.ts';
import { fillWithSample, type Sample } from './sample.ts';

const PASSWORD = 'a long enough secret';
const OPEN = ['skills', 'plans', 'services', 'settings', 'administrators'];
const MONEY = ['deposits', 'withdrawals', 'payouts', 'payments', 'disputes', 'refunds', 'breaks'];
const LESSONS = ['calls', 'bookings'];

/** The entries of the navigation in order; the first page is the first one. */
const ENTRIES: Record<Role, string[]> = {
  all: ['overview', 'people', ...MONEY, ...LESSONS, 'reviews', 'support', 'reports', ...OPEN],
  support: ['people', ...LESSONS, 'reviews', 'support', 'reports', ...OPEN],
  finance: ['overview', 'people', ...MONEY, ...OPEN],
  approver: ['overview', 'people', ...MONEY, ...OPEN],
  viewer: ['overview', 'people', ...LESSONS, ...OPEN],
};
const ROLES = Object.keys(ENTRIES) as Role[];
/** The roles that see masked contacts. */
const MASKED = ROLES.filter((role) => !rightsOf('default', [role]).includes('contacts'));
const LANGUAGES = ['en', 'fr'] as const;
type Language = (typeof LANGUAGES)[number];

/** The name of an area in the navigation, from the dashboard's texts: `Call |||| Calls`. */
async function nameOf(area: string, language: Language): Promise<string> {
  if (area === 'overview') return common[language].overview;
  const texts = (await import(`../src/i18n/texts/${area}.ts`)) as Record<string, Record<Language, Texts>>;
  return (texts[area]![language]['name'] as string).split(' |||| ')[1]!;
}

describe('rights:', () => {
  let stage: Stage;
  let sample: Sample;
  const ids = new Map<Role, number>();
  beforeAll(async () => {
    stage = await openStage();
    sample = await fillWithSample(stage.system);
    const admin = await su();
    for (const role of ROLES)
      await admin.post('api/admin/admins', {
        name: `Clerk ${role}`,
        email: `${role}@example.com`,
        phone_number: '+22890112244',
        password: PASSWORD,
        roles: [role],
      });
    const all = data<{ id: number; email: string }[]>(await admin.get('api/admin/admins'));
    for (const role of ROLES) ids.set(role, all.find(({ email }) => email === `${role}@example.com`)!.id);
  });
  afterAll(() => stage?.close());

  const su = async () => as(stage.system, await adminToken(stage.system));
  /** Signs in on the first page. The list has the refused requests of the view. */
  async function signedIn(role: Role, look: Look = {}, path = '/'): Promise<{ view: View; refused: string[] }> {
    const view = await stage.open(path, look);
    const refused: string[] = [];
    view.page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await view.signIn(`${role}@example.com`, PASSWORD);
    return { view, refused };
  }
  const navigationOf = ({ page }: View) => page.getByRole('navigation').first();
  const heading = ({ page }: View, name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const denied = ({ page }: View) => page.getByRole('heading', { name: 'Access denied', level: 2 });
  /** The pages of records, by the area that opens them. */
  const records = (): Record<string, string> => ({
    people: `/people/${sample.teacher.id}/show`,
    deposits: `/deposits/${sample.deposit}/show`,
    withdrawals: `/withdrawals/${sample.withdrawal}/show`,
    payouts: `/payouts/${sample.batch}/show`,
    disputes: `/disputes/${sample.dispute}/show`,
    refunds: `/refunds/${sample.refund}/show`,
    calls: `/calls/${sample.call}/show`,
    bookings: `/bookings/${sample.teacher.id}/week?day=${sample.lessonDay}`,
    support: `/support/${sample.room}/show`,
    reports: `/reports/${sample.report}/show`,
  });

  const walks = ROLES.flatMap((role) => LANGUAGES.map((language) => [role, language] as const));
  test.each(walks)('the role %s sees its pages in %s, and no request is refused', async (role, language) => {
    const { view, refused } = await signedIn(role, { language });
    const entries = ENTRIES[role];
    const names = await Promise.all(entries.map((area) => nameOf(area, language)));
    await heading(view, names[0]!).waitFor();
    expect(await navigationOf(view).getByRole('link').allInnerTexts()).toEqual(names);
    for (const [index, area] of entries.entries()) {
      await navigationOf(view).getByRole('link', { name: names[index]!, exact: true }).click();
      await heading(view, names[index]!).waitFor();
      // The other tests check the whole pages, and those in French.
      if (language === 'fr' || !MASKED.includes(role)) continue;
      await view.check(`role-${role}-${area}`);
      const path = records()[area];
      if (path === undefined) continue;
      await view.page.goto(`${stage.system.url}/admin${path}`);
      await view.page.getByRole('banner').waitFor();
      await view.check(`role-${role}-${area}-one`);
    }
    await view.page.keyboard.press('Control+k');
    await view.page.getByRole('dialog').getByRole('combobox').fill('Kossi');
    await view.page.getByRole('option').first().waitFor();
    await view.check(`role-${role}-search`);
    expect(refused).toEqual([]);
    await view.close();
  });

  test.each(ROLES)('a page without the right says so to the role %s, and requests nothing', async (role) => {
    const closed = [...ENTRIES.all, 'audit'].filter((area) => area !== 'overview' && !ENTRIES[role].includes(area));
    const { view, refused } = await signedIn(role);
    for (const area of closed) {
      await view.page.goto(`${stage.system.url}/admin/${area}`);
      await denied(view).waitFor();
      await view.titled('Access denied · Tutoring');
    }
    await view.check(`role-${role}-denied`);
    await denied(view).locator('..').getByRole('link').click();
    await heading(view, await nameOf(ENTRIES[role][0]!, 'en')).waitFor();
    expect(refused).toEqual([]);
    await view.close();
  });

  test('without the right to contacts they are masked, and the head of the column says so', async () => {
    for (const [role, head, email] of [
      ['support', 'E-mail (masked)', 'k…@e….com'],
      ['finance', 'E-mail', sample.teacher.email],
    ] as const) {
      const { view } = await signedIn(role, {}, '/people');
      await view.page.getByRole('columnheader', { name: head, exact: true }).waitFor();
      const row = view.page.getByRole('row').filter({ hasText: sample.teacher.name });
      expect(await row.locator('.column-email').innerText()).toBe(email);
      await view.page.goto(`${stage.system.url}/admin/people/${sample.teacher.id}/show`);
      await view.page.getByText(email, { exact: true }).waitFor();
      // Neither role may ban.
      expect(await view.page.getByRole('button', { name: 'Ban', exact: true }).count()).toBe(0);
      await view.close();
    }
  });

  test('a withdrawal is claimed and refused with the right to pay out, and only confirmed without', async () => {
    const decisions = async (role: Role) => {
      const { view } = await signedIn(role, {}, `/withdrawals/${sample.withdrawal}/show`);
      await view.page.getByText('Withdrawal', { exact: false }).first().waitFor();
      await view.check(`withdrawal-${role}`);
      const buttons = await view.page.getByRole('main').getByRole('button').allInnerTexts();
      await view.close();
      return buttons.filter((name) => ['Claim', 'Mark as paid', 'Refuse'].includes(name));
    };
    expect(await decisions('finance')).toEqual(['Claim', 'Mark as paid', 'Refuse']);
    expect(await decisions('approver')).toEqual([]);
    data(await (await su()).put(`api/admin/withdrawals/${sample.withdrawal}`, { status: 'pending' }));
    expect(await decisions('finance')).toEqual(['Mark as paid', 'Refuse']);
    expect(await decisions('approver')).toEqual(['Mark as paid']);
  });

  test('other roles are in effect in an open page without a reload', async () => {
    const { view } = await signedIn('viewer');
    await heading(view, 'Overview').waitFor();
    const path = `api/admin/admins/${ids.get('viewer')}/roles`;
    data(await (await su()).put(path, { roles: ['support'] }));
    await navigationOf(view).getByRole('link', { name: 'Reports', exact: true }).waitFor();
    await heading(view, 'People').waitFor();
    expect(await navigationOf(view).getByRole('link', { name: 'Overview' }).count()).toBe(0);
    data(await (await su()).put(path, { roles: ['viewer'] }));
    await navigationOf(view).getByRole('link', { name: 'Overview', exact: true }).waitFor();
    await view.close();
  });
});
