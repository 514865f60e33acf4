import type { View } from './browser.ts';

/* What tests of record pages and their dialogs look for. */

export const dialog = ({ page }: View) => page.getByRole('dialog');
export const main = ({ page }: View) => page.getByRole('main');
export const press = (view: View, name: string) => main(view).getByRole('button', { name, exact: true }).click();
export const confirm = (view: View) => dialog(view).getByRole('button', { name: 'Confirm' });
export const closed = (view: View) => dialog(view).waitFor({ state: 'detached' });
export const factOf = ({ page }: View, name: string) =>
  page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
export const rowOf = ({ page }: View, id: number) =>
  page.locator('tbody tr').filter({ has: page.getByRole('link', { name: String(id), exact: true }) });
