import { describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * A file in a service's feature folder is named after one entity, in the singular, and after its role: `user.ts`,
 * `user-routes.ts`, `user-service.ts`, `user-store.ts`, `user-job.ts`.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = ['routes', 'service', 'store', 'job'];
/** A word without a singular. */
const STATS = 'stats';

const files = globSync('services/*/src/*/**/*.ts', { cwd: root })
  .sort()
  .map((path) => {
    const words = basename(path)
      .replace(/(\.d)?\.ts$/, '')
      .split('-');
    const part = PARTS.includes(words.at(-1) ?? '') ? words.pop() : undefined;
    return { path, words, part, source: readFileSync(join(root, path), 'utf8') };
  });

const named = (wrong: (file: (typeof files)[number]) => boolean) => files.filter(wrong).map(({ path }) => path);

const isPlural = (word: string) => word !== STATS && (word === 'people' || /[^s]s$/.test(word));
const declaresRoutes = (source: string) => /\b(route|listRoute|command|adminRecordRoutes)\(/.test(source);
const hasStatements = (source: string) =>
  /from '(typeorm|@tutoring\/shared\/kit\/database\/(sql|pages))'/.test(source) ||
  /[`']\s*(select|insert into|update|delete from|with \w+ as)\s/.test(source);
const runsTransactions = (source: string) => /\.(transact|autocommit)\(/.test(source);
const writes = (source: string) => /\bTx\b/.test(source) || runsTransactions(source);

describe('files of a feature folder', () => {
  test('are found by the glob', () => {
    expect(files.length).toBeGreaterThan(100);
  });

  test('are named in the singular', () => {
    expect(named(({ words }) => words.some(isPlural))).toEqual([]);
  });

  test('declare routes in `-routes.ts` and nowhere else', () => {
    expect(named(({ part, source }) => (part === 'routes') !== declaresRoutes(source))).toEqual([]);
  });

  test('have SQL only in `-store.ts`', () => {
    expect(named(({ part, source }) => part !== 'store' && hasStatements(source))).toEqual([]);
  });

  test('run no transactions in `-routes.ts`, only in services', () => {
    expect(named(({ part, source }) => part === 'routes' && runsTransactions(source))).toEqual([]);
  });

  test('change data only in files with a role: `user.ts` holds schemas, types and pure rules', () => {
    expect(named(({ part, source }) => part === undefined && writes(source))).toEqual([]);
  });
});
