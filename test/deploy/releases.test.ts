import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { RELEASES_FILE, runtimeDependencies } from './releases.ts';

/** Runtime dependencies without a release for three years, and why each stays. */
const STAYS: Record<string, string> = {};
const YEARS = 3;

test('every runtime dependency has had a release within three years, or a reason to stay', async () => {
  const releases = JSON.parse(await readFile(RELEASES_FILE, 'utf8')) as Record<string, string>;
  // `npm run releases` writes the file.
  expect(Object.keys(releases)).toEqual(await runtimeDependencies());
  const limit = new Date();
  limit.setUTCFullYear(limit.getUTCFullYear() - YEARS);
  const old = Object.keys(releases).filter((name) => Date.parse(releases[name]!) < limit.getTime());
  expect(old).toEqual(Object.keys(STAYS));
});
