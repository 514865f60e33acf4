import type { Stage, View } from './browser.ts';

/* What the tests of disputes, refunds and breaks look for on their pages. */

export const PASSWORD = 'a long enough secret';

export const dialog = ({ page }: View) => page.getByRole('dialog');
export const press = (view: View, name: string) =>
  view.page.getByRole('main').getByRole('button', { name, exact: true }).click();
export const confirm = (view: View) => dialog(view).getByRole('button', { name: 'Confirm' });
export const factOf = ({ page }: View, name: string) =>
  page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
export const section = ({ page }: View, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
export const rowOf = ({ page }: View, id: number) =>
  page.locator('tbody tr').filter({ has: page.getByRole('link', { name: String(id), exact: true }) });

/** The sandbox has no deadlines. */
export const setDeadline = (stage: Stage, id: number, days: number) =>
  stage.system.sql('wallet', `update dispute set evidence_due_at = now() + interval '${days} days' where id = ${id}`);

export const LOOKS = (['en', 'fr'] as const).flatMap((language) =>
  (['desktop', 'phone'] as const).map((width) => ({ language, width })),
);
