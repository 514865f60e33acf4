import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FROM_SERIES, rowsRead, scansOfJobs, vacuum } from '@tutoring/shared/testing/plans';
import { MORE } from '@tutoring/shared/kit/jobs';
import { bearer, newSecret } from '@tutoring/shared/kit/identity/bearer';
import { newAccounts, ownStats } from '../src/stats/stats-store.ts';
import { countTeachers, searchTeachers, type DirectoryFilter } from '../src/teachers/teacher-store.ts';
import { secretHash } from '../src/tokens/token.ts';
import { findValid, writeUses } from '../src/tokens/verification-service.ts';
import { startIdentity } from './identity.ts';

let identity: Awaited<ReturnType<typeof startIdentity>>;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(() => identity.stop());

test('no job and no daily statistic scans a growing table', async () => {
  const growing = {
    account: `(id, platform, gauth_type, name, email, email_key, phone_number)
      select g + 1000, 'student', 'email', 'n' || g, 'e' || g, 'e' || g, '' ${FROM_SERIES}`,
    account_ban: `(account_id, admin_id, admin_name, reason) select g + 1000, 1, 'x', 'x' ${FROM_SERIES}`,
    account_skill: `(account_id, skill_id, position) select g + 1000, (select min(id) from skill), 1 ${FROM_SERIES}`,
    external_identity: `(issuer, subject, account_id) select 'x', g, g + 1000 ${FROM_SERIES}`,
    registration: `(email_key, address_key, submission) select 'r' || g, 'r' || g, '{}' ${FROM_SERIES}`,
    code: `(purpose, subject) select 'login', g ${FROM_SERIES}`,
    code_try: `(purpose, subject, network, tries, tries_since, day_tries, day_since)
      select 'login', g, '', 1, app_now(), 1, app_now() ${FROM_SERIES}`,
    send_count: `(key) select g ${FROM_SERIES}`,
    outgoing: `(channel, recipient, subject, text, next_attempt_at, expires_at)
      select 'email', 'x', 'x', 'x', app_now() + interval '1 day', app_now() + interval '2 days' ${FROM_SERIES}`,
    sms_day: `(recipient, day, sent) select g, app_now()::date, 1 ${FROM_SERIES}`,
    reset_grant: `(account_id, token_hash, client_address, user_agent, expires_at)
      select g + 1000, '', 'x', 'x', app_now() + interval '10 minutes' ${FROM_SERIES}`,
    spent_token: `(hash, use) select int8send(g), 'login' ${FROM_SERIES}`,
    login_failure: `(account, network) select g, '' ${FROM_SERIES}`,
    login_network: `(person_id, network) select g, '' ${FROM_SERIES}`,
    token: `(account_id, hash, device_key, last_used_at) select g + 1000, '', 'd' || g, app_now() ${FROM_SERIES}`,
    presence: `(account_id, seen_at) select g + 1000, app_now() ${FROM_SERIES}`,
    audit: `(admin_id, admin_name, action, subject, request_id, created_at) select 1, 'x', 'x', 'x', 'x', app_now() ${FROM_SERIES}`,
    balance_copy: `(user_id, available, version) select g, 0, 1 ${FROM_SERIES}`,
    accepted_call: `(identifier, teacher_id) select g, g ${FROM_SERIES}`,
    photo: `(key, account_id, size, state) select 'k' || g, g + 1000, 1, 'visible' ${FROM_SERIES}`,
    favourite: `(student_id, teacher_id) select g + 1000, 1001 ${FROM_SERIES}`,
    rating_copy: `(teacher_id, reviews, stars, version, ranked_by) select g + 1000, 1, 5, 1, 2 ${FROM_SERIES}`,
    upload_day: `(day, owner_id, files, bytes) select app_now()::date, g, 1, 1 ${FROM_SERIES}`,
    call_count: `(teacher_id, calls) select g, 1 ${FROM_SERIES}`,
  };
  // Queues that jobs keep short, and tables that do not grow with the number of users.
  const small = [
    'stale_account',
    'code_request',
    'forfeit',
    'export_count',
    'plan',
    'skill',
    'directory_version',
    'admin',
    'admin_totp',
    'admin_recovery_code',
    'admin_invitation',
    'setting',
    'stats_copy',
    'account_tally',
    'audit_tally',
  ];
  await identity.asOwner(`insert into skill (name) values ('x') on conflict do nothing`);
  const { manager } = identity.service.database;
  const also = async () => {
    await ownStats(manager);
    await newAccounts(manager, { from: '2020-01-01', to: '2020-12-31' });
  };
  expect(await scansOfJobs(identity, { growing, small, also })).toEqual([]);
});

describe('pages of 20,000 teachers', () => {
  beforeAll(async () => {
    await identity.asOwner(`insert into account (id, platform, gauth_type, name, email, email_key, phone_number, plan_id, tags,
        rating, rating_gain)
      select g + 100000, 'teacher', 'email', 'n' || g, 't' || g, 't' || g, '', g % 3 + 1, array[-(g % 3 + 1)],
        case when g % 2 = 0 then 1 + g % 41 * 0.1 end,
        -- all teachers of plan 3 are among the last by rating
        case when g % 3 = 2 then -4 when g % 2 = 0 then g % 41 * 0.1 - 3 else 0 end ${FROM_SERIES}`);
    await vacuum(identity, 'account');
  });

  test.each<[string, Omit<DirectoryFilter, 'words' | 'verifiedOnly'>, most: number]>([
    ['newest', {}, 40],
    ['rating', { sort: 'rating' }, 40],
    ['price', { sort: 'price' }, 80],
    ['price within a plan', { plan_id: 2, sort: 'price' }, 80],
    ['rating within a plan', { plan_id: 2, sort: 'rating' }, 40],
    ['rating within the plan rated lowest', { plan_id: 3, sort: 'rating' }, 40],
    ['newest with a minimum rating', { min_rating: '4.9' }, 700],
    ['price with a minimum rating', { min_rating: '4.9', sort: 'price' }, 700],
  ])('a page sorted by %s reads few rows', async (_name, wanted, most) => {
    const filter = { ...wanted, words: null, verifiedOnly: false };
    const { total } = await countTeachers(identity.service.database.manager, filter);
    expect(total).toBeGreaterThan(400);
    const read = await rowsRead(identity, 'account', (tx) =>
      searchTeachers(tx, 1001, filter, { limit: 15, offset: 0, total }),
    );
    expect(read).toBeLessThanOrEqual(most);
  });
});

test('last uses of many tokens are written in batches', async () => {
  const { database } = identity.service;
  const secret = newSecret();
  await identity.asOwner('update token set hash = $1, last_used_at = null where id <= 2500', [secretHash(secret)]);
  const tokenUses = { used: new Set<number>(), writing: Promise.resolve() };
  const parts = { database, idle: { user: '60 days', admin: '12 hours' }, tokenUses };
  const ids = (await identity.rows<{ id: number }>('select id from token where last_used_at is null')).map(
    ({ id }) => id,
  );
  expect(ids.length).toBeGreaterThan(2400);
  // More concurrent requests would wait too long for a connection.
  for (let first = 0; first < ids.length; first += 100)
    await Promise.all(ids.slice(first, first + 100).map((id) => findValid(parts, [bearer(id, secret)])));
  const left: number[] = [];
  for (let more: unknown = MORE; more === MORE;) {
    more = await writeUses(parts);
    left.push((await identity.rows('select from token where last_used_at is null')).length);
  }
  expect(left).toEqual([ids.length - 1000, ids.length - 2000, 0]);
});
