import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';
import { serve, type LocalServer } from './issuer.ts';

/** Answers of wallet and calls; `asked` has the paths of the requests. */
const peers = {
  live: false,
  /** A call begins after so many requests for the live call. */
  ringsAfter: Infinity,
  money: { balance: 0, open_withdrawals: 0 } as Record<string, unknown>,
  asked: [] as string[],
  down: false,
};
const frozen = { until: '2026-11-20T21:04:36.593904Z', before: null };
let others: LocalServer;
let service: TestIdentity;
beforeAll(async () => {
  others = await serve(({ pathname }) => {
    peers.asked.push(pathname);
    if (peers.down) return { status: 503, body: { code: 'unavailable', message: 'down' } };
    if (pathname.endsWith('/live-call')) return { body: { live: peers.live || (peers.ringsAfter -= 1) < 0 } };
    if (pathname.endsWith('/obligations')) return { body: { ...peers.money, frozen } };
    if (pathname.endsWith('/forfeit')) return { body: { forfeited: 5 } };
    const user_id = Number(pathname.split('/').at(-1));
    return { body: { user_id, balance: 900, held: 100, available: 800, currency: 'XOF', version: 3 } };
  });
  service = await startIdentity({ WALLET_URL: others.url, CALLS_URL: others.url });
});
afterAll(async () => {
  await service.end();
  await others.close();
});

const errorsOf = (answer: { status: number; body: { errors: unknown } }) => [answer.status, answer.body.errors];

describe('DELETE api/me', () => {
  const gone = { message: 'Your account has been deleted.' };

  test('a deleted student has no favourites, and a deleted teacher is removed from favourites', async () => {
    const [teacher, other] = [await service.user({ platform: 'teacher' }), await service.user({ platform: 'teacher' })];
    const student = await service.user();
    for (const { id } of [teacher, other]) await student.api.put(`/api/favourites/${id}`, {});
    const left = async () =>
      (await service.rows<{ id: number }>('select teacher_id as id from favourite')).map(({ id }) => id);
    expect(await left()).toEqual([teacher.id, other.id]);
    await teacher.api.delete('/api/me', { password: PASSWORD });
    expect(await left()).toEqual([other.id]);
    await student.api.delete('/api/me', { password: PASSWORD });
    expect(await left()).toEqual([]);
    expect((await service.api.student(student.id).put(`/api/favourites/${teacher.id}`, {})).status).toBe(404);
    expect((await service.api.student(student.id).put(`/api/favourites/${other.id}`, {})).status).toBe(200);
    expect(await left()).toEqual([]);
  });

  test('a deletion pseudonymises the account, frees the e-mail and ends every session', async () => {
    const user = await service.user({ platform: 'teacher', bio: 'About', city: 'Abidjan' });
    await service.login(user.email, PASSWORD, { device_key: `d${user.id}` });
    const answer = await user.api.delete('/api/me', { password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([200, gone]);
    const [deleted] = (await service.published('user.changed')).filter((event) => event.id === user.id).slice(-1);
    expect(deleted).toMatchObject({
      deleted: true,
      version: 2,
      name: 'Deleted user',
      email: `deleted-${user.id}@deleted.invalid`,
      phone_number: '',
      city: '',
      bio: null,
      domains: [],
      plan_id: null,
    });
    expect((await service.verifyToken(user.token)).status).toBe(401);
    expect((await service.login(user.email)).status).toBe(404);
    expect((await user.api.get('/api/me')).status).toBe(404);
    expect(
      (await service.published('devices.changed')).filter((event) => event.user_id === user.id).at(-1)?.device_keys,
    ).toEqual([]);
    const left = await service.rows(
      `select to_jsonb(a)::text || coalesce((select string_agg(c.subject, ' ') from code c), '') as text from account a where id = $1`,
      [user.id],
    );
    expect(JSON.stringify(left)).not.toContain(user.email);
    const again = await service.user({ email: user.email });
    expect(again.id).not.toBe(user.id);
    expect((await service.api.service('calls').get(`/internal/users/${user.id}`)).body.deleted).toBe(true);
  });

  test('a wrong password is a 422, and so is a request without password and code, which sends a code', async () => {
    const user = await service.user();
    expect(errorsOf(await user.api.delete('/api/me', { password: 'wrong' }))).toEqual([
      422,
      { password: ['The password is incorrect.'] },
    ]);
    expect(errorsOf(await user.api.delete('/api/me'))).toEqual([
      422,
      { password: ['A code has been sent. Send it as code to confirm.'] },
    ]);
    const code = await service.codeTo(user.email, 2);
    const wrong = code === '000000' ? '000001' : '000000';
    expect(errorsOf(await user.api.delete('/api/me', { code: wrong }))).toEqual([
      422,
      { code: ['The code is invalid.'] },
    ]);
    expect((await user.api.delete('/api/me', { code })).body).toEqual(gone);
  });

  test.each<[string, Partial<typeof peers>, string]>([
    ['of an account in a call', { live: true }, 'The account cannot be deleted during a call.'],
    [
      'of an account with an open withdrawal',
      { money: { balance: 0, open_withdrawals: 1 } },
      'The account cannot be deleted while a withdrawal is open.',
    ],
    [
      'of an account with a refund on its way',
      { money: { balance: 5, open_withdrawals: 0, open_refunds: 1 } },
      'The account cannot be deleted while a refund is on its way.',
    ],
    [
      'of an account with a disputed payment',
      { money: { balance: 0, open_withdrawals: 0, open_disputes: 1 } },
      'The account cannot be deleted while a payment is disputed.',
    ],
    [
      'of a student with money that can be refunded',
      { money: { balance: 5, open_withdrawals: 0, refunds_offered: true } },
      'The account still holds money. Ask for a refund of your deposits, or give the money up with forfeit: true.',
    ],
    [
      'of a student with money left',
      { money: { balance: 5, open_withdrawals: 0 } },
      'The account still holds money, which is forfeited with forfeit: true.',
    ],
    [
      'of a teacher with money left',
      { money: { balance: 5, open_withdrawals: 0 } },
      'The account still holds money. Withdraw it, or send forfeit to give it up.',
    ],
  ])('the deletion %s is a 409', async (name, state, message) => {
    const user = await service.user({ platform: name.includes('teacher') ? 'teacher' : 'student' });
    const before = { live: peers.live, money: peers.money };
    Object.assign(peers, state);
    try {
      const answer = await user.api.delete('/api/me', { password: PASSWORD });
      expect([answer.status, answer.body]).toEqual([409, { code: 'conflict', message }]);
      expect((await user.api.get('/api/me')).status).toBe(200);
    } finally {
      Object.assign(peers, before);
    }
  });

  test('a live call prevents the freeze by wallet; a call that begins meanwhile ends the freeze', async () => {
    const user = await service.user();
    const deleteAccount = async (state: Partial<typeof peers>) => {
      Object.assign(peers, { live: false, ringsAfter: Infinity, asked: [] }, state);
      const answer = await user.api.delete('/api/me', { password: PASSWORD });
      Object.assign(peers, { live: false, ringsAfter: Infinity });
      return [answer.status, ...peers.asked.map((path) => path.replace(`/internal/users/${user.id}/`, ''))];
    };
    expect(await deleteAccount({ live: true })).toEqual([409, 'live-call']);
    expect(await deleteAccount({ ringsAfter: 1 })).toEqual([409, 'live-call', 'obligations', 'live-call', 'thaw']);
    expect(await deleteAccount({})).toEqual([200, 'live-call', 'obligations', 'live-call']);
  });

  test('a deletion with forfeit forfeits the balance at wallet', async () => {
    const user = await service.user();
    peers.money = { balance: 5, open_withdrawals: 0 };
    expect((await user.api.delete('/api/me', { password: PASSWORD, forfeit: 'yes' })).status).toBe(422);
    expect((await user.api.delete('/api/me', { password: PASSWORD, forfeit: true })).body).toEqual(gone);
    peers.money = { balance: 0, open_withdrawals: 0 };
    await eventually('wallet forfeits the balance', () => peers.asked.includes(`/internal/users/${user.id}/forfeit`));
    await eventually('the forfeit is closed', async () => (await service.rows('select 1 from forfeit')).length === 0);
  });

  test('a deletion while wallet or calls is unavailable is a 503 and deletes nothing', async () => {
    const user = await service.user();
    peers.down = true;
    try {
      expect((await user.api.delete('/api/me', { password: PASSWORD })).status).toBe(503);
    } finally {
      peers.down = false;
    }
    expect((await service.login(user.email)).status).toBe(200);
  });
});

test('unlocking or deleting an account keeps codes and failures of a login by the same number', async () => {
  const number = '+2250700000023';
  await service.user({ gauth_type: 'phone_number', phone_number: number, password: undefined });
  const other = await service.user({ phone_number: number });
  await service.api.anonymous.post('/api/auth/login/send-code', { phone_number: number });
  const code = await service.codeTo(number, 2);
  const byPhone = { gauth_type: 'phone_number', phone_number: number };
  for (let n = 0; n < 3; n += 1) await service.login('x', `wrong${n}`, byPhone);
  const left = () =>
    service.rows(
      `select (select sum(failures) from login_failure where account = $1) as failures,
         (select sum(day_tries) from code_try where subject = $2) as tries`,
      [`user:${number}`, number],
    );
  const before = await left();
  expect(before).toEqual([{ failures: 6, tries: 6 }]);
  const su = await service.su();
  expect((await su.api.put(`/api/admin/users/${other.id}`, { status: 'active' })).status).toBe(200);
  expect(await left()).toEqual(before);
  expect((await other.api.delete('/api/me', { password: other.password })).status).toBe(200);
  expect(await left()).toEqual(before);
  expect((await service.login('x', code, byPhone)).status).toBe(200);
});
