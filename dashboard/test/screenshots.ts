import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStage, type Look, type Stage, type View } from './browser.ts';
import { fillWithSample, type Sample } from './sample.ts';

/*
 * `npm run screenshots` takes the README's screenshots of the dashboard. With SCREENSHOTS=all it instead takes every
 * page in both languages, themes and widths, into the ignored folder `screenshots`, for manual review.
 */

const isAll = process.env['SCREENSHOTS'] === 'all';
const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const images = folderOf('../../docs/images/');
const LIMIT_BYTES = 200_000;
const DESKTOP = { width: 1280, height: 860 };

let stage: Stage;
let sample: Sample;
beforeAll(async () => {
  stage = await openStage();
  sample = await fillWithSample(stage.system);
});
afterAll(() => stage?.close());

/** Every page except the sign-in pages. */
const pages = () => ({
  overview: '/',
  people: '/people',
  'people-student': `/people/${sample.student.id}/show`,
  'people-teacher': `/people/${sample.teacher.id}/show`,
  deposits: '/deposits',
  'deposits-one': `/deposits/${sample.deposit}/show`,
  withdrawals: '/withdrawals',
  'withdrawals-one': `/withdrawals/${sample.withdrawal}/show`,
  payouts: '/payouts',
  'payouts-one': `/payouts/${sample.batch}/show`,
  'payouts-results': `/payouts/${sample.batch}/results`,
  payments: '/payments',
  disputes: '/disputes',
  'disputes-one': `/disputes/${sample.dispute}/show`,
  'disputes-evidence': `/disputes/${sample.dispute}/evidence`,
  refunds: '/refunds',
  'refunds-one': `/refunds/${sample.refund}/show`,
  breaks: '/breaks',
  'breaks-reconcile': '/breaks/reconcile',
  calls: '/calls',
  'calls-one': `/calls/${sample.call}/show`,
  bookings: '/bookings',
  'bookings-week': `/bookings/${sample.teacher.id}/week?day=${sample.lessonDay}`,
  reviews: '/reviews',
  support: '/support',
  'support-room': `/support/${sample.room}/show`,
  reports: '/reports',
  'reports-one': `/reports/${sample.report}/show`,
  skills: '/skills',
  plans: '/plans',
  services: '/services',
  settings: '/settings',
  administrators: '/administrators',
  audit: '/audit',
});

async function show({ page }: View, path: string): Promise<void> {
  await page.goto(`${stage.system.url}/admin${path}`);
  await page.getByRole('banner').waitFor();
}

(isAll ? describe.skip : describe)('the screenshots of the README', () => {
  test.each([
    ['overview', 'overview'],
    ['support', 'support-room'],
    ['payouts', 'payouts-one'],
  ] as const)('%s', async (name, page) => {
    await mkdir(images, { recursive: true });
    const view = await stage.signedIn('/');
    await view.page.setViewportSize(DESKTOP);
    await show(view, pages()[page]);
    const file = join(images, `dashboard-${name}.png`);
    await view.picture(file);
    expect((await stat(file)).size).toBeLessThan(LIMIT_BYTES);
    await view.close();
  });
});

const looks = (['en', 'fr'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((colours) =>
    (['desktop', 'phone'] as const).map((width): Required<Look> => ({ language, colours, width })),
  ),
);

(isAll ? describe : describe.skip)('every page', () => {
  test.each(looks)('in $language, $colours, $width', async (look) => {
    const folder = folderOf('screenshots/all/');
    await mkdir(folder, { recursive: true });
    const view = await stage.signedIn('/', look);
    if (look.width === 'desktop') await view.page.setViewportSize(DESKTOP);
    for (const [name, path] of Object.entries(pages())) {
      await show(view, path);
      await view.picture(join(folder, `${[name, ...Object.values(look)].join('-')}.png`));
    }
    await view.close();
  });
});
