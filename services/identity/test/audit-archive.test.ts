import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const MOVE = `call archive.move_audit('2024-01-01')`;

test('only the database owner can archive old audit entries, which leave the list and its total', async () => {
  const su = await service.su();
  const add = (action: string, at: string, rows = 1) =>
    service.asOwner(
      `insert into audit (admin_id, admin_name, action, subject, request_id, created_at)
       select 7, 'Ada', '${action}', 'thing:' || g, 'r', '${at}' from generate_series(1, ${rows}) g`,
    );
  const listed = async () => {
    const { body } = await su.api.post('/api/admin/auditall', { admin_id: 7, pageItems: 1 });
    return [body.total, body.data[0].action] as unknown;
  };
  const archived = () => service.asOwner('select action, count(*)::int as n from archive.audit group by action');
  await add('old', '2023-12-31T23:59:59.999999Z', 4_500);
  await add('young', '2024-01-01T00:00:00Z', 2);
  expect(await listed()).toEqual([4_502, 'young']);

  await expect(service.rows(MOVE)).rejects.toThrow('permission denied');
  await expect(service.rows('select from archive.audit')).rejects.toThrow('permission denied');
  expect([await archived(), await listed()]).toEqual([[], [4_502, 'young']]);

  await service.asOwner(MOVE);
  expect([await archived(), await listed()]).toEqual([[{ action: 'old', n: 4_500 }], [2, 'young']]);
  // A second call archives entries that arrived late.
  await add('old', '2023-01-01T00:00:00Z');
  await service.asOwner(MOVE);
  expect([await archived(), await listed()]).toEqual([[{ action: 'old', n: 4_501 }], [2, 'young']]);
});
