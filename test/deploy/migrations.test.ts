import { expect, test } from '@jest/globals';
import { text } from './processes.ts';
import { currentMigrations, releasedMigrations } from './released-migrations.ts';

const [released, present] = await Promise.all([releasedMigrations(), currentMigrations()]);

test.each(Object.entries(released))('the released migration %s is unchanged', (path, sum) => {
  expect(present[path]).toBe(sum);
});

test('a new migration comes after the released ones of its folder', () => {
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
  for (const path of Object.keys(present).filter((migration) => !(migration in released))) {
    const before = Object.keys(released).filter((other) => folderOf(other) === folderOf(path));
    expect(before.filter((other) => other > path)).toEqual([]);
  }
});

/** Statements that remove or change objects which the previous release may still use. */
const BREAKING =
  /\b(drop\s+(table|column|function|procedure|view|type)|rename\s|set\s+not\s+null|alter\s+\S+\s+type)\b/i;
const isBaseline = (path: string) => /\/1[01]0{8}\d{3}-/.test(path);

test('the name of a breaking migration contains the oldest release that is compatible with it', async () => {
  expect(
    ['drop table a;', 'alter table a rename to b;', 'alter table a alter b type int;'].filter(
      (sql) => !BREAKING.test(sql),
    ),
  ).toEqual([]);
  const later = Object.keys(present).filter((path) => !isBaseline(path));
  const texts = await Promise.all(later.map(async (path) => [path, await text(path)] as const));
  expect(texts.filter(([path, sql]) => BREAKING.test(sql) && !/-needs-(shared-)?\d+-\d+-/.test(path))).toEqual([]);
});
