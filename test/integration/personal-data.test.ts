import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { ownData } from '../../services/identity/src/export/export.ts';

/*
 * `personal-data.json` declares for every table of the migrated databases which personal data it has, what deletion
 * does with its rows, and their key in `GET api/me/export` or the reason why they are not exported.
 */

const personal = { personal: z.literal(true), onDeletion: z.string() };
const register = z.record(
  z.string(),
  z.union([
    z.strictObject({ personal: z.literal(false), holds: z.string() }),
    z.strictObject({ ...personal, exportedAs: z.string() }),
    z.strictObject({ ...personal, notExported: z.string() }),
  ]),
);
const declaredIn = (folder: string) =>
  register.parse(JSON.parse(readFileSync(new URL(`../../${folder}/personal-data.json`, import.meta.url), 'utf8')));

const ofEveryService = declaredIn('shared');
const declared = Object.fromEntries(SERVICES.map((service) => [service, declaredIn(`services/${service}`)])) as Record<
  ServiceName,
  z.output<typeof register>
>;

async function tablesOf(service: ServiceName): Promise<string[]> {
  const database = await cloneDatabase(service);
  try {
    const found = await sql(database.ownerUrl, `select tablename as name from pg_tables where schemaname = 'public'`);
    return found.map(({ name }) => String(name));
  } finally {
    await database.drop();
  }
}

const advice = (service: ServiceName, table: string) =>
  `Declare ${table} in services/${service}/personal-data.json: either personal: false and what it holds, or personal: ` +
  `true, what deletion of an account does with it (and implement that), and the key of GET api/me/export that ` +
  `contains it, or why it is not exported.`;

describe.each(SERVICES)('%s', (service) => {
  test('the personal data of every table is declared', async () => {
    const tables = await tablesOf(service);
    const allDeclared = { ...ofEveryService, ...declared[service] };
    expect(tables.filter((table) => !(table in allDeclared)).map((table) => advice(service, table))).toEqual([]);
    expect(Object.keys(allDeclared).filter((table) => !tables.includes(table))).toEqual([]);
  });

  test('the declared keys exist in the export', () => {
    const shownAs = Object.values(declared[service]).flatMap((table) =>
      'exportedAs' in table ? table.exportedAs : [],
    );
    expect(shownAs.filter((key) => !(key in ownData.shape))).toEqual([]);
  });
});

test('every key of the export belongs to a table', () => {
  const shown = Object.values(declared)
    .flatMap((tables) => Object.values(tables))
    .flatMap((table) => ('exportedAs' in table ? table.exportedAs : []));
  expect(Object.keys(ownData.shape).filter((key) => !shown.includes(key))).toEqual([]);
});
