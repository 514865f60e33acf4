import { expect, test } from '@jest/globals';
import { CALL_TYPES } from '@tutoring/shared/contract/call-types';
import { cloneDatabase, sql } from '@tutoring/shared/testing/infra';

test('the tables of calls and bookings accept exactly the call types of the contract', async () => {
  const database = await cloneDatabase('calls');
  const checks = (await sql(
    database.ownerUrl,
    `select conrelid::regclass::text as table_name, pg_get_constraintdef(oid) as check from pg_constraint
     where contype = 'c' and conparentid = 0 and pg_get_constraintdef(oid) like '%call_type%' order by 1`,
  ).finally(() => database.drop())) as { table_name: string; check: string }[];
  expect(checks.map(({ table_name }) => table_name)).toEqual(['booking', 'call']);
  for (const { check } of checks)
    expect(Array.from(check.matchAll(/'(\w+)'/g), ([, type]) => type).sort()).toEqual([...CALL_TYPES].sort());
});
