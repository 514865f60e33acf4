import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countBacklog } from '@tutoring/shared/database/tally';
import { rowsRead } from '@tutoring/shared/testing/plans';
import { recountInSteps } from '@tutoring/shared/testing/tally';
import { accountBacklog, newAccounts, ownStats } from '../src/stats/stats-store.ts';
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

async function agree() {
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
  const told = await newAccounts(manager, SPAN);
  expect(told.sort((one, other) => (one.date < other.date ? -1 : 1))).toEqual(days);
}

test('fifty people who come and go at once are all counted', async () => {
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await register(`generate_series(${1000 + index * 2}, ${1001 + index * 2})`);
      if (index % 4 === 0) await change(`deleted_at = app_now() where id = ${1000 + index * 2}`);
      if (index % 8 === 0) await change(`deleted_at = null where id = ${1000 + index * 2}`);
      if (index % 5 === 0) await change(`platform = 'teacher' where id = ${1001 + index * 2}`);
    }),
  );
  await agree();
});

test('accounts from before the counters are counted in steps, exact in between, whatever happens to them', async () => {
  let turn = 0;
  await recountInSteps(identity, {
    backlog: accountBacklog,
    table: 'account',
    last: '(select max(id)::text from account)',
    step: 20,
    between: async () => {
      turn += 1;
      await change(`deleted_at = app_now() where id % 17 = ${turn}`);
      // Ids are drawn when somebody begins to register: an account may come late, among those of the backlog.
      await register(`generate_series(${turn * 2}, ${turn * 2})`);
      await agree();
    },
  });
});

test('no step passes an account that has not committed', async () => {
  const { database } = identity.service;
  let commit: () => void = () => undefined;
  const committed = new Promise<void>((resolve) => (commit = resolve));
  let late: Promise<void> | undefined;
  await recountInSteps(identity, {
    backlog: accountBacklog,
    table: 'account',
    last: '(select max(id)::text from account)',
    step: 100_000,
    between: async () => {
      if (late) return;
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      late = database.transact(async (tx) => {
        await tx.query(
          `insert into account (id, platform, gauth_type, name, email, email_key, phone_number)
           values (900, 'student', 'email', 'n', 'late', 'late', '')`,
        );
        begin();
        await committed;
      });
      await begun;
      await database.transact((tx) => countBacklog(tx, accountBacklog));
      commit();
      await late;
    },
  });
  await agree();
});

test('the figures read none of 100,000 accounts', async () => {
  await register('generate_series(10001, 110000)');
  expect(await rowsRead(identity, 'account', ownStats)).toBe(0);
  expect(await rowsRead(identity, 'account', (tx) => newAccounts(tx, SPAN))).toBe(0);
  await agree();
});
