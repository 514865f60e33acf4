import { expect, test } from '@jest/globals';
import { presentMigrations, releasedMigrations } from './released-migrations.ts';

const [released, present] = await Promise.all([releasedMigrations(), presentMigrations()]);

test.each(Object.entries(released))('the released migration %s is unchanged', (path, sum) => {
  expect(present[path]).toBe(sum);
});

test('a new migration comes after the released ones of its folder', () => {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
  for (const path of Object.keys(present).filter((one) => !(one in released))) {
    const before = Object.keys(released).filter((one) => folderOf(one) === folderOf(path));
    expect(before.filter((one) => one > path)).toEqual([]);
  }
});
