import { describe, expect, test } from '@jest/globals';
import { MECHANICS, type PersonalData } from '@tutoring/shared/database/personal-data';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';
import { SERVICES, type ServiceName } from '@tutoring/shared/process/names';
import { personalData as calls } from '../../services/calls/src/personal-data.ts';
import { ownData } from '../../services/identity/src/export/export.ts';
import { personalData as identity } from '../../services/identity/src/personal-data.ts';
import { personalData as messaging } from '../../services/messaging/src/personal-data.ts';
import { personalData as wallet } from '../../services/wallet/src/personal-data.ts';

/* Deletion and export know every table of the migrated databases: what each holds of people is declared. */

const declared: Record<ServiceName, PersonalData> = { identity, wallet, messaging, calls };

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
  `Declare ${table} in services/${service}/src/personal-data.ts: either personal: false and what it holds, or personal: ` +
  `true, what deleting an account makes of it (and make deletion do so), and the key of GET api/me/export that shows it ` +
  `to the person, or why none does.`;

describe.each(SERVICES)('%s', (service) => {
  test('every table says what it holds of people', async () => {
    const tables = await tablesOf(service);
    const known = { ...MECHANICS, ...declared[service] };
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
  const comes = ['reviews', 'bookings'];
  expect(Object.keys(ownData.shape).filter((key) => !shown.includes(key) && !comes.includes(key))).toEqual([]);
});
