import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from '@jest/globals';
import { chromium, type Browser, type Locator, type Page, type Request, type Route } from 'playwright-core';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken } from '../../test/journeys/people.ts';
import { startSystem, type System } from '../../test/journeys/system.ts';

/*
 * The dashboard in a real browser, before the five real processes. A test file starts both once:
 *
 *   inBrowser('deposits', () => {
 *     let stage: Stage;
 *     beforeAll(async () => (stage = await openStage()));
 *     afterAll(() => stage.close());
 *     test('...', async () => {
 *       const view = await stage.signedIn();
 *       await view.page.getByRole('link', { name: 'Deposits' }).click();
 *       await view.check('deposits');
 *     });
 *   });
 */

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const executable = [process.env['CHROMIUM_PATH'] ?? '', ...CANDIDATES].find((path) => path !== '' && existsSync(path));
/** `.ci/run` installs Chromium: there its absence is a failure, not a reason to skip. */
const isSkipped = executable === undefined && process.env['CI'] !== 'true';

/** A `describe` whose tests are skipped on a machine without Chromium. */
export const inBrowser = (name: string, tests: () => void) =>
  isSkipped ? describe.skip(`${name} (skipped: there is no Chromium)`, tests) : describe(name, tests);

const folder = fileURLToPath(new URL('.', import.meta.url));
const screenshots = join(folder, 'screenshots');
const require = createRequire(import.meta.url);
/** Half of the text that a page has to read otherwise, at each look. */
const { source: axe } = require('axe-core/axe.min.js') as { source: string };

export interface Look {
  language?: 'en' | 'fr';
  colours?: 'light' | 'dark';
  width?: 'desktop' | 'phone';
}

/** For what must appear: a few slow cores carry five processes, two browsers and axe. */
const PATIENCE_MS = 180_000;

const SIZES = { desktop: { width: 1366, height: 860 }, phone: { width: 390, height: 844 } };

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** A browser window of its own: nothing is shared with other views. */
export interface View {
  page: Page;
  /** What the console has complained of since the last check. A refusal of the server that a test provokes is one. */
  complaints: string[];
  /** Fails when axe finds a violation or the console complained; keeps a picture of the page under the name. */
  check(name: string): Promise<void>;
  /** Waits until the console has complained of this refusal of the server, which a test has provoked, and of nothing else. */
  refused(status: number): Promise<void>;
  /** Clicks twice, as an impatient hand does: nothing that the first click asks for is answered before the second. */
  clickTwice(button: Locator): Promise<void>;
  /** Whether what a selector finds is wider than its place. */
  overflowing(selector: string): Promise<boolean>;
  /** Takes a picture of the page, as soon as nothing is loading, into a file. */
  picture(file: string): Promise<void>;
  /** Signs in with the form that is shown. */
  signIn(email?: string, password?: string): Promise<void>;
  close(): Promise<void>;
}

export interface Stage {
  system: System;
  /** A view on a path of the dashboard, like `/people`. */
  open(path?: string, look?: Look): Promise<View>;
  /** A view of the first administrator, who has level `su`. */
  signedIn(path?: string, look?: Look): Promise<View>;
  close(): Promise<void>;
}

/** Builds the dashboard, unless it is built. */
export const buildDashboard = () => promisify(execFile)(process.execPath, [join(folder, '../build.ts')]);

/** Starts the whole product and a browser; `close` ends both. `gateway` is more environment of the gateways. */
export async function openStage(gateway?: NodeJS.ProcessEnv): Promise<Stage> {
  if (executable === undefined) throw new Error('There is no Chromium: apt-get install chromium');
  await buildDashboard();
  await mkdir(screenshots, { recursive: true });
  const system = await startSystem({ gateway });
  // As root Chromium has no sandbox; the pages are this project's own.
  const args = [
    '--disable-gpu',
    '--disable-software-rasterizer',
    '--disable-dev-shm-usage',
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  const browser = await chromium.launch({ executablePath: executable, args });

  const open = async (path = '/', look: Look = {}, token?: string): Promise<View> => {
    const view = await viewIn(browser, system, look, token);
    await view.page.goto(`${system.url}/admin${path}`);
    return view;
  };
  return {
    system,
    open,
    signedIn: async (path, look) => {
      const view = await open(path, look, await adminToken(system));
      await view.page.getByRole('banner').waitFor();
      return view;
    },
    close: async () => {
      await browser.close();
      await system.stop();
    },
  };
}

async function viewIn(browser: Browser, system: System, look: Look, token?: string): Promise<View> {
  const { language = 'en', colours = 'light', width = 'desktop' } = look;
  const context = await browser.newContext({
    locale: language === 'fr' ? 'fr-FR' : 'en-GB',
    timezoneId: 'Africa/Lome',
    colorScheme: colours,
    reducedMotion: 'reduce',
    viewport: SIZES[width],
    ...(token !== undefined && { storageState: signedInWith(system, token) }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // The machine's own network changes when a container starts; the client repeats what it reads. While a test takes the
    // network away, what a page asks by itself fails, too.
    const isOurs =
      ['error', 'warning'].includes(message.type()) &&
      !/ERR_(NETWORK_CHANGED|INTERNET_DISCONNECTED)/.test(message.text());
    if (isOurs) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const settle = settlingOf(page);
  const picture = async (file: string) => {
    await settle();
    await page.screenshot({ path: file });
  };
  return {
    page,
    complaints,
    picture,
    overflowing: (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((found) => {
          const place = found.closest('[role=group]') ?? document.documentElement;
          return place.scrollWidth > place.clientWidth;
        }),
    refused: async (status) => {
      await eventually(`a complaint of ${status}`, () => complaints.length > 0);
      expect(complaints.splice(0)).toEqual([expect.stringContaining(String(status))]);
    },
    clickTwice: async (button) => {
      let held: Route[] | undefined = [];
      await page.route('**/api/**', (route) => (held ? void held.push(route) : route.fallback()));
      await button.dblclick();
      const waiting = held;
      held = undefined;
      for (const route of waiting) await route.fallback();
    },
    check: async (name) => {
      await picture(join(screenshots, `${[name, language, colours, width].join('-')}.png`));
      expect(await violationsOf(page)).toEqual([]);
      expect(complaints.splice(0)).toEqual([]);
    },
    signIn: async (email = system.secrets.ADMIN_EMAIL, password = system.secrets.ADMIN_PASSWORD) => {
      const words = language === 'fr' ? ['Mot de passe', 'Se connecter'] : ['Password', 'Sign in'];
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel(words[0]!).fill(password);
      await page.getByRole('button', { name: words[1]! }).click();
      await page.getByRole('banner').waitFor();
    },
    close: () => context.close(),
  };
}

/** What the browser of somebody who is signed in has kept. */
const signedInWith = ({ url }: System, token: string) => ({
  cookies: [],
  origins: [{ origin: url, localStorage: [{ name: 'tutoring.admin-token', value: token }] }],
});

/** Waits until nothing is loading any more; the stream of events is open all the time. */
function settlingOf(page: Page): () => Promise<unknown> {
  const running = new Set<Request>();
  page.on('request', (request) => {
    const isLoading = ['document', 'script', 'stylesheet', 'fetch', 'xhr'].includes(request.resourceType());
    if (isLoading && !request.url().endsWith('/api/events')) running.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => running.delete(request));
  // Two frames later what came last is shown, and has asked for more.
  const isShown = () =>
    page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
      const loading = document.querySelector('[role=progressbar], [role=status][aria-label]');
      return loading === null && document.fonts.status === 'loaded';
    });
  return () =>
    eventually('nothing is loading', async () => running.size === 0 && (await isShown()) && running.size === 0);
}

async function violationsOf(page: Page): Promise<string[]> {
  // Not by a script element, which the policy forbids.
  await page.evaluate(axe);
  const { violations } = await page
    .evaluate('axe.run({ resultTypes: ["violations"] })')
    .then((run) => run as { violations: Violation[] });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}
