import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { dist } from '../release.ts';
import { buildDashboard, openStage, type Stage, type View } from './browser.ts';

/** Builds the same pages with other file names. */
const ANOTHER = `
  import { build } from 'vite';
  const name = (kind) => 'assets/another-' + kind + '-[hash].js';
  const output = { entryFileNames: name('entry'), chunkFileNames: name('chunk') };
  await build({ logLevel: 'warn', build: { outDir: process.argv[1], emptyOutDir: true, rolldownOptions: { output } } });
`;

describe('releases:', () => {
  let folder: string;
  let stage: Stage;
  const served = () => join(folder, 'served');
  const another = () => join(folder, 'another');
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'release-'));
    await buildDashboard();
    await cp(dist, served(), { recursive: true });
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', ANOTHER, another()], {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { ...process.env, NODE_ENV: 'production' },
    });
    stage = await openStage({ DASHBOARD_FOLDER: served() });
  });
  afterAll(async () => {
    await stage?.close();
    await rm(folder, { recursive: true });
  });

  let view: View;
  beforeEach(async () => {
    await serve(dist);
    view = await stage.signedIn('/account');
    await view.page.getByRole('heading', { name: 'My account' }).waitFor();
    await view.page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
  });
  afterEach(() => view.close());

  /** Replaces the served build, without keeping files of the previous one. */
  async function serve(build: string): Promise<void> {
    await rm(served(), { recursive: true });
    await cp(build, served(), { recursive: true });
  }
  const visit = (name: string) => view.page.getByRole('link', { name, exact: true }).click();
  const shows = (name: string) => view.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
  const runs = async () => (await view.page.locator('script[type=module]').getAttribute('src')) ?? '';
  const isLoaded = () => eventually('the other build runs', async () => (await runs()).includes('another'));
  const news = () => view.page.getByText('A new version is available.');

  test('an unvisited page says so when offline, and loads by itself when the browser is online', async () => {
    const { page } = view;
    const failure = page.getByRole('main').getByText('The server cannot be reached.');
    await page.context().setOffline(true);
    await visit('Settings');
    await failure.waitFor();
    await shows('Settings');
    await page.getByRole('button', { name: 'Try again' }).click();
    await failure.waitFor();
    await visit('Deposits');
    await shows('Deposits');
    await visit('Settings');
    await failure.waitFor();
    view.complaints.splice(0);
    await view.check('release-offline');

    await page.context().setOffline(false);
    await page.getByRole('table').first().waitFor();
    view.complaints.splice(0);
    await view.check('release-online');
  });

  test('an unopened search says so when offline, and opens when the browser is online', async () => {
    const { page } = view;
    const dialog = page.getByRole('dialog', { name: 'Search everything' });
    const open = () => page.keyboard.press('Control+k');
    await page.context().setOffline(true);
    await open();
    await page.getByRole('banner').getByText('The server cannot be reached.').waitFor();
    view.complaints.splice(0);
    await view.check('release-search');

    await page.context().setOffline(false);
    // If the browser caches the failed import, the page reloads itself.
    await eventually('the search opens', async () => {
      await open();
      return dialog.getByRole('combobox').isVisible();
    });
  });

  test('a page whose files failed to load is loaded by a retry when the gateway is back', async () => {
    const { page } = view;
    await stage.system.kill('gateway');
    await visit('Settings');
    await page.getByRole('main').getByText('The server cannot be reached.').waitFor();
    await stage.system.start('gateway');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table').first().waitFor();
    expect(await news().count()).toBe(0);
  });

  test('a page whose files a release has removed is shown by the new version', async () => {
    await serve(another());
    await visit('Settings');
    await isLoaded();
    await shows('Settings');
    await view.page.getByRole('table').first().waitFor();
    view.complaints.splice(0);
    await view.check('release-taken');
  });

  test('a new version is loaded only when nothing is unsaved', async () => {
    const name = view.page.getByLabel('Name', { exact: true });
    await name.fill('Half written');
    await stage.system.kill('gateway');
    await serve(another());
    await stage.system.start('gateway');
    await news().waitFor();
    expect(await name.inputValue()).toBe('Half written');
    expect(await runs()).not.toContain('another');
    view.complaints.splice(0);
    await view.check('release-waiting');
    await visit('Settings');
    await isLoaded();
    await view.page.getByRole('table').first().waitFor();
    expect(await news().count()).toBe(0);
  });
});
