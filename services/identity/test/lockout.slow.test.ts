import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { beginAttempt, endAttempt, type Count } from '../src/credentials/lockout.ts';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterEach(() => service.shiftClock(0));
afterAll(() => service.end());

const DAY = 86_400;
const from = (address: string) => ({ 'x-client-address': address });
const guess = (email: string, address: string, password = 'wrong password') =>
  service.api.anonymous.post('/api/auth/login', { email, password }, from(address));
const logsIn = async (email: string, address: string) => (await guess(email, address, PASSWORD)).status === 200;

const times = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));
/** Ten wrong guesses from each of ten networks that the account has never used. */
const guessFromTenNetworks = async (email: string) => {
  for (let network = 1; network <= 10; network += 1) await times(10, () => guess(email, `10.7.${network}.1`));
};
const countOf = async (email: string, network: string) =>
  (
    await service.rows('select failures, under_way, locks from login_failure where account = $1 and network = $2', [
      `user:${email}`,
      network,
    ])
  )[0];

test('ten failures of a stranger lock out only their own network', async () => {
  const { email } = await service.user();
  await times(10, () => guess(email, '192.0.2.1'));
  expect(await logsIn(email, '192.0.2.200')).toBe(false);
  expect(await logsIn(email, '198.51.100.1')).toBe(true);
});

test('a hundred failures over all networks lock out new networks, but none that was used within 30 days', async () => {
  const { id, email, token } = await service.user();
  expect(await logsIn(email, '198.51.100.1')).toBe(true);
  await guessFromTenNetworks(email);
  expect(await logsIn(email, '203.0.113.1')).toBe(false);
  expect(await logsIn(email, '198.51.100.99')).toBe(true);
  expect((await service.verifyToken(token)).status).toBe(200);
  await (await service.su()).api.put(`/api/admin/users/${id}`, { status: 'active' });
  expect(await logsIn(email, '203.0.113.1')).toBe(true);
  expect(await logsIn(email, '10.7.1.1')).toBe(true);
  await service.shiftClock(31 * DAY);
  await guessFromTenNetworks(email);
  expect(await logsIn(email, '198.51.100.1')).toBe(false);
});

test('parallel guesses, from one network or many, get no more tries than sequential ones', async () => {
  const { email } = await service.user();
  await times(40, () => guess(email, '192.0.2.1'));
  expect(await countOf(email, '192.0.2.0/24')).toEqual({ failures: 0, under_way: 0, locks: 1 });
  expect(await countOf(email, '')).toEqual({ failures: 10, under_way: 0, locks: 0 });
  for (let round = 0; round < 3; round += 1) await times(40, (n) => guess(email, `10.${round}.${n}.1`));
  expect(await countOf(email, '')).toEqual({ failures: 0, under_way: 0, locks: 1 });
  const alone = await Promise.all([...Array(15).keys()].map((n) => logsIn(email, `10.9.${n}.1`)));
  expect(alone).not.toContain(true);
});

test('concurrent logins with the right password succeed or are a 503, and do not count as failures', async () => {
  const { email } = await service.user();
  const logins = (address: string) => Promise.all([...Array(25).keys()].map(() => guess(email, address, PASSWORD)));
  expect((await logins('192.0.2.1')).map(({ status }) => status)).toEqual(Array(25).fill(200));
  const nearly = [`user:${email}`, '192.0.2.0/24', '198.51.100.7'];
  await service.rows(
    `insert into login_failure (account, network, failures) values ($1, $2, 9), ('', $3, 99)
     on conflict (account, network) do update set failures = excluded.failures`,
    nearly,
  );
  for (const address of ['192.0.2.1', '198.51.100.7']) {
    const statuses = (await logins(address)).map(({ status }) => status);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 503]).toContain(status);
  }
});

test('a code by SMS that a locked network enters is not used up', async () => {
  const phone_number = '+2250701020399';
  await service.user({ gauth_type: 'phone_number', phone_number });
  await service.api.anonymous.post('/api/auth/login/send-code', { phone_number });
  const code = await service.codeTo(phone_number, 2);
  const enter = (password: string, address: string) =>
    service.api.anonymous.post(
      '/api/auth/login',
      { gauth_type: 'phone_number', phone_number, password },
      from(address),
    );
  await service.rows(
    `insert into login_failure (account, network, locked_until) values ($1, '192.0.2.0/24', app_now() + interval '1 minute')`,
    [`user:${phone_number}`],
  );
  expect((await enter(code, '192.0.2.1')).status).toBe(404);
  expect((await enter(code, '198.51.100.1')).status).toBe(200);
});

test('a wrong current_password and a wrong password of a deletion count like a failed login', async () => {
  const user = await service.user();
  const body = { password: 'a new password', current_password: 'wrong password' };
  await times(5, () => user.api.put('/api/me', body, from('192.0.2.1')));
  await times(5, () => user.api.delete('/api/me', { password: 'wrong password' }, from('192.0.2.1')));
  expect(await logsIn(user.email, '192.0.2.1')).toBe(false);
  const right = { ...body, current_password: PASSWORD };
  expect((await user.api.put('/api/me', right, from('192.0.2.1'))).body.errors).toEqual({
    current_password: ['The password is incorrect.'],
  });
  expect(await logsIn(user.email, '198.51.100.1')).toBe(true);
});

test('administrators have the same lock-out', async () => {
  const bob = await service.admin();
  const login = (password: string, address: string) =>
    service.api.anonymous.post('/api/admin/auth/login', { email: bob.email, password }, from(address));
  await times(10, () => login('wrong password', '192.0.2.1'));
  expect((await login(bob.password, '192.0.2.1')).status).toBe(404);
  expect((await login(bob.password, '198.51.100.1')).status).toBe(200);
});

test('networks of logins are stored for 30 days, at most fifty per user; counts of failures for a day', async () => {
  const { id, email } = await service.user();
  for (let network = 0; network < 52; network += 1) await logsIn(email, `10.3.${network}.1`);
  const networks = () => service.rows('select network from login_network where person_id = $1', [id]);
  expect(await networks()).toHaveLength(50);
  expect(await networks()).not.toContainEqual({ network: '10.3.0.0/24' });
  await guess(email, '192.0.2.1');
  await service.shiftClock(31 * DAY);
  await service.runJob('forget');
  expect(await networks()).toEqual([]);
  expect(await countOf(email, '192.0.2.0/24')).toBeUndefined();
});

test('an attempt in flight at a crash counts as failed until the window is over', async () => {
  const { email } = await service.user();
  await service.rows(`insert into login_failure (account, network, under_way) values ($1, '192.0.2.0/24', 10)`, [
    `user:${email}`,
  ]);
  expect(await logsIn(email, '192.0.2.1')).toBe(false);
  await service.shiftClock(15 * 60 + 1);
  expect(await logsIn(email, '192.0.2.1')).toBe(true);
});

describe('the rule of the lock-out', () => {
  const MINUTE = 60_000;
  const emptyCount: Count = { failures: 0, underWay: 0, since: 0, locks: 0, lockedUntil: null, touchedAt: 0 };
  const fail = (count: Count, at: number) => {
    const begun = beginAttempt(count, 10, at);
    return typeof begun === 'string' ? count : endAttempt(begun, 10, at, 'wrong');
  };
  const failures = (count: Count, at: number) => Array.from({ length: 10 }).reduce<Count>((so) => fail(so, at), count);

  test('ten failures lock for 1 minute, then 2, 4 ... 60 minutes', () => {
    let count = emptyCount;
    let at = 0;
    const minutes = [1, 2, 4, 8, 16, 32, 60, 60].map(() => {
      count = failures(count, at);
      const locked = count.lockedUntil! - at;
      at = count.lockedUntil!;
      return locked / MINUTE;
    });
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  const BEGUN = expect.objectContaining({ underWay: 1 });
  test.each<[string, Count, number, unknown]>([
    ['an attempt after nine failures begins', { ...emptyCount, failures: 9 }, 1, BEGUN],
    [
      'an attempt after nine failures is undecided while another is in flight',
      { ...emptyCount, failures: 9, underWay: 1 },
      1,
      'undecided',
    ],
    [
      'failures and attempts in flight expire after fifteen minutes',
      { ...emptyCount, failures: 9, underWay: 1 },
      15 * MINUTE,
      BEGUN,
    ],
    ['an attempt during a lock is refused', { ...emptyCount, lockedUntil: 10 }, 9, 'locked'],
    ['an attempt after a lock begins', { ...emptyCount, lockedUntil: 10 }, 10, BEGUN],
  ])('%s', (_name, count, at, expected) => {
    expect(beginAttempt(count, 10, at)).toEqual(expected);
  });

  test('an unchecked or right attempt adds no failure', () => {
    for (const outcome of ['unchecked', 'right'] as const)
      expect(endAttempt({ ...emptyCount, failures: 9, underWay: 1 }, 10, 2, outcome)).toMatchObject({
        failures: 9,
        underWay: 0,
      });
  });

  test('a day without failures resets the number of locks', () => {
    const count = failures(emptyCount, 0);
    expect(beginAttempt(count, 10, 24 * 60 * MINUTE)).toMatchObject({ locks: 0 });
    expect(beginAttempt(count, 10, 24 * 60 * MINUTE - 1)).toMatchObject({ locks: 1 });
  });
});
