import { expect, test } from '@jest/globals';
import { configurationPage } from './configuration-page.ts';
import { text } from './processes.ts';

test('docs/configuration.md matches the schemas (npm run docs)', async () => {
  expect(await text('docs/configuration.md')).toBe(await configurationPage());
});
