import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceName } from '@tutoring/shared/contract/names';
import { cloneDatabase, sql, type TestDatabase } from '@tutoring/shared/testing/infra';

/* For a service a partitioned table (docs/decisions/0048-partitions.md) behaves like any other table. */

const TABLES: { service: ServiceName; table: string; constraint: string; before: string; write: string }[] = [
  {
    service: 'messaging',
    table: 'message',
    constraint: 'message_client',
    before: `insert into room (uuid, student_id, teacher_id) select md5('r' || g)::uuid, g, g + 1000 from generate_series(1, 100) g`,
    write: `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
      select md5('r' || g)::uuid, g, 'x', 'text', 'c', app_now() from generate_series(1, 100) g returning id`,
  },
  {
    service: 'wallet',
    table: 'transfer',
    constraint: 'transfer_reference',
    before: 'select',
    write: `insert into transfer (kind, reference, debit_account, credit_account, amount)
      select 'call', 'call:x:step:' || g, g, g + 1, g from generate_series(1, 100) g returning id`,
  },
];

describe.each(TABLES)('$table', ({ service, table, constraint, before, write }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await cloneDatabase(service);
    await sql(database.ownerUrl, before);
    await sql(database.url, write);
  });
  afterAll(() => database.drop());

  test('rows are in eight partitions, with ids of one sequence', async () => {
    const found = `select count(distinct tableoid)::int as parts, count(distinct id)::int as ids from ${table}`;
    expect(await sql(database.url, found)).toEqual([{ parts: 8, ids: 100 }]);
  });

  test('a duplicate row is refused with the constraint of the whole table', async () => {
    await expect(sql(database.url, write)).rejects.toMatchObject({ constraint, table });
  });

  test.each([`update ${table} set created_at = now()`, `delete from ${table}`, `truncate ${table}`])(
    'the service may only insert and select: "%s" is refused',
    async (statement) => {
      await expect(sql(database.url, statement)).rejects.toThrow('permission denied');
    },
  );

  test('the service cannot read a partition directly', async () => {
    await expect(sql(database.url, `select from part_0.${table}`)).rejects.toThrow('permission denied');
  });
});
