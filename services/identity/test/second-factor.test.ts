import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';

const logged: string[] = [];
let service: TestIdentity;
beforeAll(async () => {
  const logger = createLogger('identity', 'trace', { write: (line: string) => void logged.push(line) });
  service = await startIdentity({}, { logger });
});
afterEach(() => service.shiftClock(0));
afterAll(() => service.end());

type Admin = Awaited<ReturnType<TestIdentity['admin']>>;
const answerOf = (answer: TestResponse) => [answer.status, answer.body];
const INVALID = [403, { code: 'second_factor', message: 'The code is invalid.' }];
const REQUIRED = [403, { code: 'second_factor', message: 'A code is required.' }];
const REFUSED = [404, { code: 'not_found', message: 'Invalid credentials.' }];

/** The code of the app at `seconds` from now. */
const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1_000 });
const wrong = (...right: string[]) => ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code))!;

let networks = 0;
const login = (admin: { email: string }, more: object = {}, address = `10.1.${(networks += 1) % 250}.1`) =>
  service.api.anonymous.post(
    '/api/admin/auth/login',
    { email: admin.email, password: PASSWORD, ...more },
    { 'x-client-address': address },
  );

const open = ({ api }: Admin, body: object = { current_password: PASSWORD }) => api.post('/api/admin/auth/totp', body);
/** An administrator whose second factor is on. */
async function withTotp() {
  const admin = await service.admin();
  const { secret } = (await open(admin)).body as { secret: string };
  const confirming = codeOf(secret);
  const confirmed = await admin.api.put('/api/admin/auth/totp', { code: confirming });
  return { ...admin, secret, confirming, confirmed, recovery: confirmed.body.recovery_codes as string[] };
}

const isOn = async (admin: Admin) => (await admin.api.get('/api/admin/auth/totp')).body.totp as boolean;

const audited = async (admin: Admin) => {
  const entries = await service.published('admin.acted');
  return entries.filter(({ subject, action }) => subject === `admin:${admin.id}` && action.startsWith('totp'));
};

describe('switching the second factor on and off', () => {
  test('a second factor has no effect until a code confirms it', async () => {
    const admin = await service.admin();
    expect(await isOn(admin)).toBe(false);
    const first = await open(admin);
    const opened = await open(admin);
    expect(answerOf(opened)).toEqual([
      200,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringMatching(/^otpauth:\/\/totp\/Tutoring:bob/),
      },
    ]);
    const { secret, uri } = opened.body as { secret: string; uri: string };
    expect(new URL(uri).searchParams.get('secret')).toBe(secret);
    expect(secret).not.toBe(first.body.secret);
    expect((await login(admin)).status).toBe(200);
    const invalid = [422, { code: ['The code is invalid.'] }];
    for (const code of [
      wrong(codeOf(secret), codeOf(secret, 30)),
      codeOf(first.body.secret),
      codeOf(secret, -120),
      'x',
    ]) {
      const answer = await admin.api.put('/api/admin/auth/totp', { code });
      expect([answer.status, answer.body.errors]).toEqual(invalid);
    }
    expect((await admin.api.put('/api/admin/auth/totp', {})).body.errors).toEqual({
      code: ['The code field is required.'],
    });
    expect(await isOn(admin)).toBe(false);
    const code = codeOf(secret);
    const confirmed = await admin.api.put('/api/admin/auth/totp', { code });
    expect(answerOf(confirmed)).toEqual([200, { message: expect.any(String), recovery_codes: expect.any(Array) }]);
    expect([new Set(confirmed.body.recovery_codes).size, await isOn(admin)]).toEqual([10, true]);
    expect((await admin.api.put('/api/admin/auth/totp', { code: codeOf(secret, 30) })).status).toBe(422);
    expect((await open(admin)).status).toBe(409);
    expect(answerOf(await login(admin))).toEqual(REQUIRED);
    expect((await audited(admin)).map(({ action }) => action)).toEqual([
      'totp.created',
      'totp.created',
      'totp.confirmed',
    ]);
  });

  test('a wrong password at the setup counts for the lock-out and keeps the unconfirmed secret', async () => {
    const admin = await service.admin();
    const { secret } = (await open(admin)).body as { secret: string };
    const missing = { current_password: ['The current password field is required.'] };
    expect((await open(admin, {})).body.errors).toEqual(missing);
    for (let tries = 0; tries < 10; tries += 1)
      expect((await open(admin, { current_password: 'wrong' })).status).toBe(422);
    expect((await open(admin)).body.errors).toEqual({ current_password: ['The password is incorrect.'] });
    expect((await admin.api.put('/api/admin/auth/totp', { code: codeOf(secret) })).status).toBe(200);
    expect((await audited(admin)).map(({ action }) => action)).toEqual(['totp.created', 'totp.confirmed']);
  });

  test('only one of several concurrent confirmations succeeds', async () => {
    const admin = await service.admin();
    const { secret } = (await open(admin)).body as { secret: string };
    const code = codeOf(secret);
    const answers = await Promise.all(Array.from({ length: 8 }, () => admin.api.put('/api/admin/auth/totp', { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 422)]);
    expect(await service.rows('select 1 from admin_recovery_code where admin_id = $1', [admin.id])).toHaveLength(10);
  });

  test('switching off needs the password and deletes the recovery codes', async () => {
    const admin = await withTotp();
    for (const body of [{ current_password: 'wrong' }, {}])
      expect((await admin.api.delete('/api/admin/auth/totp', body)).status).toBe(422);
    expect(answerOf(await login(admin))).toEqual(REQUIRED);
    expect((await admin.api.delete('/api/admin/auth/totp', { current_password: PASSWORD })).status).toBe(200);
    expect((await login(admin)).status).toBe(200);
    expect(await service.rows('select 1 from admin_recovery_code where admin_id = $1', [admin.id])).toEqual([]);
    expect((await audited(admin)).at(-1)).toMatchObject({ action: 'totp.deleted', admin_id: admin.id });
  });
});

/**
 * Sends a code by 20 concurrent logins, and afterwards once more: one succeeds, unless it was refused with a 503 after
 * it had used up the code, which happens on a busy machine. Every other login is refused.
 */
async function expectOneLogin(admin: Admin, code: string): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 20 }, () => login(admin, { code })));
  const isBusy = answers.some(({ status }) => status === 503);
  answers.push(await retryWhile503(() => login(admin, { code })));
  const refused = answers.filter(({ status }) => status !== 200 && status !== 503);
  expect(refused.map(answerOf)).toEqual(refused.map(() => INVALID));
  const entered = answers.filter(({ status }) => status === 200).length;
  expect(isBusy ? [0, 1] : [1]).toContain(entered);
}

describe('login', () => {
  test('a login accepts codes of the current and adjacent steps once each, but not the confirming code', async () => {
    const admin = await withTotp();
    expect(answerOf(await login(admin, { code: admin.confirming }))).toEqual(INVALID);
    const next = codeOf(admin.secret, 30);
    expect((await login(admin, { code: ` ${next.slice(0, 3)} ${next.slice(3)} ` })).status).toBe(200);
    expect(answerOf(await login(admin, { code: next }))).toEqual(INVALID);
    // One second into a step, so that the step does not end during the test.
    const shift = 301 - ((Date.now() / 1_000) % 30);
    await service.shiftClock(shift);
    const [before, now] = [codeOf(admin.secret, shift - 30), codeOf(admin.secret, shift)];
    expect((await login(admin, { code: now })).status).toBe(200);
    expect((await login(admin, { code: before })).status).toBe(200);
    for (const code of [now, before, codeOf(admin.secret, shift - 60), codeOf(admin.secret, shift + 60)])
      expect(answerOf(await login(admin, { code }))).toEqual(INVALID);
  });

  test('a malformed code is a wrong code; without the right password no code is consumed', async () => {
    const admin = await withTotp();
    for (const code of ['1', '12345é', '1234567', 'x'.repeat(5_000), '١٢٣٤٥٦', '-1', '[object Object]'])
      expect([code.slice(0, 9), ...answerOf(await login(admin, { code }))]).toEqual([code.slice(0, 9), ...INVALID]);
    const code = codeOf(admin.secret, 30);
    expect(answerOf(await login(admin, { code, password: 'wrong' }))).toEqual(REFUSED);
    expect((await login(admin, { code })).status).toBe(200);
  });

  test('a code sent by 20 concurrent logins allows one', async () => {
    const admin = await withTotp();
    await expectOneLogin(admin, codeOf(admin.secret, 30));
  });

  test('a recovery code allows one login, in any spelling, also when sent by concurrent logins', async () => {
    const admin = await withTotp();
    const [first, second] = admin.recovery as [string, string];
    await expectOneLogin(admin, first);
    expect((await login(admin, { code: second.toLowerCase().replaceAll('-', ' ') })).status).toBe(200);
    expect(answerOf(await login(admin, { code: second }))).toEqual(INVALID);
    const [left] = await service.rows<{ count: number }>(
      'select count(*) from admin_recovery_code where admin_id = $1',
      [admin.id],
    );
    expect(left!.count).toBe(8);
  });

  test('wrong codes lock the account for the network; a missing code neither counts nor resets the count', async () => {
    const admin = await withTotp();
    const code = wrong(codeOf(admin.secret), codeOf(admin.secret, 30), codeOf(admin.secret, -30));
    const from = '192.0.2.1';
    for (let tries = 1; tries <= 9; tries += 1) expect(answerOf(await login(admin, { code }, from))).toEqual(INVALID);
    for (let tries = 0; tries < 3; tries += 1) expect(answerOf(await login(admin, {}, from))).toEqual(REQUIRED);
    expect(answerOf(await login(admin, { code }, from))).toEqual(INVALID);
    // While locked, the answer does not show whether password and code are right, and no code is used up.
    const [recovery] = admin.recovery;
    expect(answerOf(await login(admin, { code: recovery }, from))).toEqual(REFUSED);
    expect(answerOf(await login(admin, {}, from))).toEqual(REFUSED);
    expect((await login(admin, { code: recovery })).status).toBe(200);
  });
});

describe('the shared secret', () => {
  test('the secret is in plain text neither in the database nor in events, audit or logs', async () => {
    const admin = await withTotp();
    await login(admin, { code: codeOf(admin.secret, 30) });
    await login(admin, { code: admin.recovery[0] });
    await admin.api.delete('/api/admin/auth/totp', { current_password: 'wrong' });
    const [factor] = await service.rows<{ sealed: Buffer }>('select sealed from admin_totp where admin_id = $1', [
      admin.id,
    ]);
    const stored = [
      factor!.sealed.toString('latin1'),
      ...logged,
      JSON.stringify(await service.rows('select data from outbox')),
      JSON.stringify(await service.rows('select * from audit')),
      JSON.stringify(await service.rows('select * from outgoing')),
    ].join('\n');
    expect(logged.length).toBeGreaterThan(0);
    for (const secret of [admin.secret, ...admin.recovery, PASSWORD]) expect(stored).not.toContain(secret);
  });

  test('a start with a new first key encrypts the secrets again', async () => {
    const admin = await withTotp();
    const keys = service.config.TOTP_KEYS!;
    try {
      service.config.TOTP_KEYS = [{ kid: 'next', secret: 'n'.repeat(32) }, ...keys];
      await service.restart();
      service.config.TOTP_KEYS = [{ kid: 'next', secret: 'n'.repeat(32) }];
      await service.restart();
      expect((await login(admin, { code: codeOf(admin.secret, 30) })).status).toBe(200);
    } finally {
      service.config.TOTP_KEYS = [...keys, { kid: 'next', secret: 'n'.repeat(32) }];
      await service.restart();
    }
  });

  test('a start succeeds without the key of a secret, whose administrator can only use recovery codes', async () => {
    const [lost, other] = [await withTotp(), await withTotp()];
    const keys = service.config.TOTP_KEYS!;
    const next = { kid: 'after', secret: 'a'.repeat(32) };
    await service.asOwner(`update admin_totp set key_id = 'gone' where admin_id = $1`, [lost.id]);
    logged.length = 0;
    try {
      service.config.TOTP_KEYS = [next, ...keys];
      await service.restart();
      const reports = () =>
        logged
          .map((line) => JSON.parse(line) as Record<string, unknown>)
          .filter(({ level, admin_id: id, key_id: keyId }) => level === 'error' && id === lost.id && keyId === 'gone');
      expect(reports()).toHaveLength(1);
      expect(answerOf(await login(lost, { code: codeOf(lost.secret, 30) }))).toEqual(INVALID);
      expect(reports()).toHaveLength(2);
      expect((await login(lost, { code: lost.recovery[0] })).status).toBe(200);
      expect((await login(other, { code: codeOf(other.secret, 30) })).status).toBe(200);
      const sealed = await service.rows('select key_id from admin_totp where admin_id = any($1) order by admin_id', [
        [lost.id, other.id],
      ]);
      expect(sealed).toEqual([{ key_id: 'gone' }, { key_id: 'after' }]);
      expect(logged.join('\n')).not.toContain(lost.secret);
    } finally {
      await service.asOwner('delete from admin_totp where admin_id = $1', [lost.id]);
      service.config.TOTP_KEYS = [...keys, next];
      await service.restart();
    }
  });
});

describe('require_admin_totp', () => {
  test('gateways verify tokens again when the setting or a second factor changes', async () => {
    const su = await service.su();
    const [without, having] = [await service.admin(), await withTotp()];
    const { body } = await su.api.post('/api/admin/settingsall', { filter_value: 'require_admin_totp' });
    const set = (value: number) => su.api.put(`/api/admin/settings/${body.data[0].id}`, { value });
    const needs = async (token: string) => (await service.verifyToken(token)).body.needs_totp;
    const revocations = async () =>
      (await service.published('tokens.revoked')).filter(({ subject }) => subject === `admin:${without.id}`);
    expect(await needs(without.token)).toBeUndefined();
    const tokenId = Number(without.token.split('|')[0]);
    try {
      await set(1);
      expect([await needs(without.token), await needs(having.token)]).toEqual([true, undefined]);
      expect(await revocations()).toEqual([{ subject: `admin:${without.id}`, token_ids: [tokenId] }]);
      const { secret } = (await open(without)).body as { secret: string };
      expect(await needs(without.token)).toBe(true);
      await without.api.put('/api/admin/auth/totp', { code: codeOf(secret) });
      expect(await needs(without.token)).toBeUndefined();
      expect(await revocations()).toHaveLength(2);
      await without.api.delete('/api/admin/auth/totp', { current_password: PASSWORD });
      expect(await needs(without.token)).toBe(true);
      expect(await revocations()).toHaveLength(3);
    } finally {
      await set(0);
    }
    expect(await needs((await service.su()).token)).toBeUndefined();
  });
});
