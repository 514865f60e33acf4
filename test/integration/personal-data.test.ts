import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SERVICES, type ServiceName } from '@tutoring/shared/process/names';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { ownData } from '../../services/identity/src/export/export.ts';

/*
 * Deletion and export know every table of the migrated databases: `personal-data.json` says what each holds of people,
 * what deletion does with their rows, and their key in `GET api/me/export` or why they are not in it.
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
  `true, what deleting an account makes of it (and make deletion do so), and the key of GET api/me/export that shows it ` +
  `to the person, or why none does.`;

describe.each(SERVICES)('%s', (service) => {
  test('every table says what it holds of people', async () => {
    const tables = await tablesOf(service);
    const known = { ...ofEveryService, ...declared[service] };
    expect(tables.filter((table) => !(table in known)).map((table) => advice(service, table))).toEqual([]);
    expect(Object.keys(known).filter((table) => !tables.includes(table))).toEqual([]);
  });

  test('what is shown is shown under a key of the export', () => {
    const shownAs = Object.values(declared[service]).flatMap((table) =>
      'exportedAs' in table ? table.exportedAs : [],
    );
    expect(shownAs.filter((key) => !(key in ownData.shape))).toEqual([]);
  });
});

test('every key of the export shows some table', () => {
  const shown = Object.values(declared)
    .flatMap((tables) => Object.values(tables))
    .flatMap((table) => ('exportedAs' in table ? table.exportedAs : []));
  expect(Object.keys(ownData.shape).filter((key) => !shown.includes(key))).toEqual([]);
});
