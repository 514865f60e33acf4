import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { newAccounts, ownStats } from '../src/stats/stats-store.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.end());

const register = (ids: string, more = '') =>
  identity.asOwner(
    `insert into account (id, platform, gauth_type, name, email, email_key, phone_number, created_at)
     select g, case g % 3 when 0 then 'teacher' else 'student' end, 'email', 'n', 'e' || g, 'e' || g, '',
       timestamptz '2026-03-01' + g % 5 * interval '1 day' from ${ids} g ${more}`,
  );
const change = (what: string) => identity.asOwner(`update account set ${what}`);

const SPAN = { from: '2026-03-01', to: '2026-03-31' };

async function expectEqualCounts() {
  const { manager } = identity.service.database;
  const { users, students, teachers } = await ownStats(manager);
  const [counted] = await identity.rows(
    `select count(*) as users, count(*) filter (where platform = 'student') as students,
       count(*) filter (where platform = 'teacher') as teachers from account where deleted_at is null`,
  );
  expect({ users, students, teachers }).toEqual(counted);
  const days = await identity.rows<{ date: string }>(
    `select created_at::date::text as date, count(*) filter (where platform = 'student') as new_students,
       count(*) filter (where platform = 'teacher') as new_teachers
     from account where created_at >= $1::date and created_at < $2::date + 1 group by 1 order by 1`,
    [SPAN.from, SPAN.to],
  );
  const reported = await newAccounts(manager, SPAN);
  expect(reported.sort((one, other) => (one.date < other.date ? -1 : 1))).toEqual(days);
}

test('concurrent registrations, deletions and platform changes of users are all counted', async () => {
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await register(`generate_series(${1000 + index * 2}, ${1001 + index * 2})`);
      if (index % 4 === 0) await change(`deleted_at = app_now() where id = ${1000 + index * 2}`);
      if (index % 8 === 0) await change(`deleted_at = null where id = ${1000 + index * 2}`);
      if (index % 5 === 0) await change(`platform = 'teacher' where id = ${1001 + index * 2}`);
    }),
  );
  await expectEqualCounts();
});

test('the statistics of 100,000 accounts read no rows of accounts', async () => {
  await register('generate_series(10001, 110000)');
  expect(await rowsRead(identity, 'account', ownStats)).toBe(0);
  expect(await rowsRead(identity, 'account', (tx) => newAccounts(tx, SPAN))).toBe(0);
  await expectEqualCounts();
});
