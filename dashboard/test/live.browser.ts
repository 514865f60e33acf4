import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { as, data, register, type Person } from '../../test/journeys/people.ts';
import { openStage, type Stage } from './browser.ts';

describe('live events:', () => {
  let stage: Stage;
  let awa: Person;
  beforeAll(async () => {
    stage = await openStage();
    awa = await register(stage.system, 'student', 'Awa Diallo');
  });
  afterAll(() => stage?.close());

  const write = async (message: string) =>
    data(await as(stage.system, awa.token).post('api/support/messages', { message }));

  test('eight tabs share one stream, and another tab takes it over when its tab is closed', async () => {
    await write('Hello?');
    const view = await stage.signedIn('/support');
    const context = view.page.context();
    const hasStream = () => navigator.locks.query().then(({ held }) => held !== undefined && held.length > 0);
    await view.page.waitForFunction(hasStream);
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/api/events') && request.frame().page() !== view.page) streams.push(request.url());
    });
    const tabs: Page[] = [];
    for (let count = 0; count < 8; count += 1) {
      const page = await context.newPage();
      await page.goto(view.page.url());
      await page.getByRole('navigation', { name: 'Conversations' }).getByRole('button').first().click();
      tabs.push(page);
    }
    const message = (text: string) => tabs.map((page) => page.getByRole('log').getByText(text).waitFor());
    await write('To all of you.');
    await Promise.all(message('To all of you.'));
    expect(streams).toHaveLength(0);
    await view.page.close();
    await write('And now?');
    await Promise.all(message('And now?'));
    expect(streams).toHaveLength(1);
  });
});
