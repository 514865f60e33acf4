import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { chromium, type Browser, type Locator, type Page, type Request, type Route } from 'playwright-core';
import { eventually } from '@tutoring/shared/testing/wait';
import { adminToken } from '../../test/journeys/people.ts';
import { startSystem, type System } from '../../test/journeys/system.ts';

/*
 * Runs the dashboard in a real browser against the five real processes. A test file starts both once:
 *
 *   describe('deposits', () => {
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
const folder = fileURLToPath(new URL('.', import.meta.url));
const screenshots = join(folder, 'screenshots');
const require = createRequire(import.meta.url);
/** The minified axe: half the size, and it is sent to the page at every check. */
const { source: axe } = require('axe-core/axe.min.js') as { source: string };

export interface Look {
  language?: 'en' | 'fr';
  colours?: 'light' | 'dark';
  width?: 'desktop' | 'phone';
}

/** Long, because a few slow cores run five processes, two browsers and axe. */
const TIMEOUT_MS = 180_000;

const SIZES = { desktop: { width: 1366, height: 860 }, phone: { width: 390, height: 844 } };

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** A browser window with its own context: it shares nothing with other views. */
export interface View {
  page: Page;
  /** Console errors and warnings since the last check, including those of refusals that a test provokes. */
  complaints: string[];
  /** Saves a screenshot under the name. Fails if axe finds a violation or the console has a complaint. */
  check(name: string): Promise<void>;
  /** Waits until the page has this title: an effect sets it after the page is shown. */
  titled(title: string): Promise<unknown>;
  /** Waits for the console's complaint about a response with this status, and fails if there is any other. */
  refused(status: number): Promise<void>;
  /** Double-clicks as an impatient user does: no request of the first click is answered before the second. */
  clickTwice(button: Locator): Promise<void>;
  /** Whether the element's scroll container overflows horizontally. */
  overflowing(selector: string): Promise<boolean>;
  /** Saves a screenshot to a file once nothing is loading. */
  picture(file: string): Promise<void>;
  /** Signs in with the form on the page. Default: the first administrator. */
  signIn(email?: string, password?: string): Promise<void>;
  close(): Promise<void>;
}

export interface Stage {
  system: System;
  /** Opens a path of the dashboard, such as `/people`, without a session. */
  open(path?: string, look?: Look): Promise<View>;
  /** Opens a path as the first administrator, who has level `su`. */
  signedIn(path?: string, look?: Look): Promise<View>;
  close(): Promise<void>;
}

/** Builds the dashboard unless the build is up to date. */
export const buildDashboard = () => promisify(execFile)(process.execPath, [join(folder, '../build.ts')]);

/** Starts all services and a browser; `close` stops them. `gateway` adds environment variables to the gateways. */
export async function openStage(gateway?: NodeJS.ProcessEnv): Promise<Stage> {
  if (executable === undefined)
    throw new Error('Chromium was not found. Install it (apt-get install chromium) or set CHROMIUM_PATH.');
  await buildDashboard();
  await mkdir(screenshots, { recursive: true });
  const system = await startSystem({ gateway });
  // Chromium's sandbox does not work as root. The pages are our own, so they need no sandbox.
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
    ...(token !== undefined && { storageState: storageStateOf(system, token) }),
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Ignores failures caused by a network change (a container starts), by a test that goes offline, or by a service
    // that is busy. The client retries its reads, and what fails for good is shown on the page.
    const text = `${message.text()} ${message.location().url}`;
    const isIgnored = /ERR_(NETWORK_CHANGED|INTERNET_DISCONNECTED)|status of 503/.test(text);
    if (['error', 'warning'].includes(message.type()) && !isIgnored) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const settle = settlerOf(page);
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
    titled: (title) => page.waitForFunction((given) => document.title === given, title),
    refused: async (status) => {
      await eventually(`a complaint of ${status}`, () => complaints.length > 0, TIMEOUT_MS);
      expect(complaints.splice(0)).toEqual([expect.stringContaining(String(status))]);
    },
    clickTwice: async (button) => {
      let heldRoutes: Route[] | undefined = [];
      await page.route('**/api/**', (route) => (heldRoutes ? void heldRoutes.push(route) : route.fallback()));
      await button.dblclick();
      const waiting = heldRoutes;
      heldRoutes = undefined;
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

/** The browser storage of a signed-in administrator. */
const storageStateOf = ({ url }: System, token: string) => ({
  cookies: [],
  origins: [{ origin: url, localStorage: [{ name: 'tutoring.admin-token', value: token }] }],
});

/** Returns a function that waits until nothing is loading. The event stream, which stays open, does not count. */
function settlerOf(page: Page): () => Promise<unknown> {
  const running = new Set<Request>();
  page.on('request', (request) => {
    const isLoading = ['document', 'script', 'stylesheet', 'fetch', 'xhr'].includes(request.resourceType());
    if (isLoading && !request.url().endsWith('/api/events')) running.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => running.delete(request));
  // After two frames the last response is rendered and its follow-up requests have started.
  const isShown = () =>
    page
      .evaluate(async () => {
        for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
        const loading = document.querySelector('[role=progressbar], [role=status][aria-label]');
        return loading === null && document.fonts.status === 'loaded';
      })
      .catch((error: unknown) => {
        // The page reloads itself.
        if (/context was destroyed/.test(String(error))) return false;
        throw error;
      });
  return () =>
    eventually(
      'nothing is loading',
      async () => running.size === 0 && (await isShown()) && running.size === 0,
      TIMEOUT_MS,
    );
}

async function violationsOf(page: Page): Promise<string[]> {
  // Without transitions: a message that fades in or out has less contrast for a moment.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important; }');
    document.adoptedStyleSheets.push(still);
  });
  // Evaluated, because the policy forbids adding a script element.
  await page.evaluate(axe);
  const { violations } = await page
    .evaluate('axe.run({ resultTypes: ["violations"] })')
    .then((run) => run as { violations: Violation[] });
  await page.evaluate(() => void document.adoptedStyleSheets.pop());
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}
