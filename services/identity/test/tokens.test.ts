import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { connect } from '@nats-io/transport-node';
import { eventually } from '@tutoring/shared/testing/wait';
import { bearer, newSecret, parseBearer } from '@tutoring/shared/kit/identity/bearer';
import { matches, secretHash } from '../src/tokens/token.ts';
import { PASSWORD, startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

const devicesOf = async (id: number) =>
  (await service.published('devices.changed'))
    .filter((event) => event.user_id === id)
    .map((event) => event.device_keys);

describe('a token', () => {
  test('a token parses to its id and secret; a changed or malformed token is refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.nat(47), (id, at) => {
        const secret = newSecret();
        expect(parseBearer(bearer(id, secret))).toEqual({ id, secret });
        expect(matches(secret, secretHash(secret))).toBe(true);
        const other = secret[at] === 'a' ? 'b' : 'a';
        const changed = secret.slice(0, at) + other + secret.slice(at + 1);
        expect(parseBearer(bearer(id, changed))).toBeUndefined();
        expect(matches(changed, secretHash(secret))).toBe(false);
      }),
    );
    for (const text of ['', 'x', '1|', '|abc', `1 |${newSecret()}`, `${'9'.repeat(16)}|${newSecret()}`])
      expect(parseBearer(text)).toBeUndefined();
  });

  test('a token is stored as SHA-256 only', async () => {
    const { token } = await service.user();
    const [id, secret] = token.split('|') as [string, string];
    const [row] = await service.rows<{ hash: Buffer }>('select hash from token where id = $1', [id]);
    expect(row!.hash.equals(createHash('sha256').update(secret).digest())).toBe(true);
    expect(JSON.stringify(await service.rows('select * from token where id = $1', [id]))).not.toContain(secret);
  });
});

describe('POST api/auth/tokens', () => {
  test('a user has at most 100 API tokens, also with concurrent requests', async () => {
    const user = await service.user();
    await service.rows(
      `insert into token (account_id, hash, name) select $1, '', 'script' from generate_series(1, 99)`,
      [user.id],
    );
    const { released } = await service.lockUntil(`perform from account where id = ${user.id} for update`, {
      until: `(select count(*) > 1 from pg_locks where not granted)`,
    });
    await Promise.all(Array.from({ length: 5 }, () => user.api.post('/api/auth/tokens', { name: 'script' })));
    await released;
    expect((await user.api.get('/api/auth/tokens')).body).toHaveLength(100);
  });

  test('creating an API token is a 401 when the session has ended during the request', async () => {
    const user = await service.user();
    await user.api.post('/api/auth/logout');
    expect((await user.api.post('/api/auth/tokens', { name: 'script' })).status).toBe(401);
  });
});

describe('POST api/auth/logout', () => {
  test.each([
    ['null', { 'content-type': 'application/json' }],
    ['[]', { 'content-type': 'application/json' }],
    [' [ ] ', { 'content-type': 'application/json; charset=utf8' }],
    ['   ', { 'content-type': 'application/json' }],
    ['\uFEFF\n', { 'content-type': 'application/json' }],
    ['', { 'content-type': 'application/json' }],
    [' ', { 'content-type': 'text/plain;charset=UTF-8' }],
    ['null', { 'content-type': 'text/plain;charset=UTF-8' }],
    [' ', { 'content-type': 'application/x-www-form-urlencoded; charset=utf8' }],
  ])('a logout with the empty body %j and the headers %j ends the token', async (body, headers) => {
    const user = await service.user();
    expect((await user.api.post('/api/auth/logout', body, headers)).status).toBe(200);
    expect((await service.verifyToken(user.token)).status).toBe(401);
  });
});

describe('POST internal/tokens/verify', () => {
  test('a malformed token, a wrong secret and an unknown id are a 401; only services may verify tokens', async () => {
    const { token, caller } = await service.user();
    const [id] = token.split('|');
    for (const bad of ['', 'x', `${id}|${newSecret()}`, `999999|${newSecret()}`]) {
      const answer = await service.verifyToken(bad);
      expect([bad, answer.status]).toEqual([bad, bad === '' ? 422 : 401]);
    }
    expect((await service.api.as(caller).post('/internal/tokens/verify', { token })).status).toBe(403);
    expect((await service.api.anonymous.post('/internal/tokens/verify', { token })).status).toBe(401);
    const good = await service.verifyToken(token);
    expect(good.body).toEqual({ caller, expires_at: expect.stringMatching(/Z$/) });
  });

  test('unused tokens expire after 180 days, of admins after 12 hours; uses are recorded every 5 minutes', async () => {
    const user = await service.user();
    const su = await service.su();
    const day = 24 * 3600;
    const lastUse = async () =>
      (
        await service.rows<{ at: string | null }>('select last_used_at as at from token where id = $1', [
          user.caller.tokenId,
        ])
      )[0]!.at;
    try {
      await service.verifyToken(user.token);
      await service.runJob('token-uses');
      const first = await lastUse();
      expect(first).not.toBeNull();
      await service.shiftClock(200);
      await service.verifyToken(user.token);
      await service.runJob('token-uses');
      expect(await lastUse()).toBe(first);
      await service.shiftClock(11 * 3600);
      expect((await service.verifyToken(su.token)).status).toBe(200);
      await service.runJob('token-uses');
      await service.shiftClock(24 * 3600);
      expect((await service.verifyToken(su.token)).status).toBe(401);
      await service.shiftClock(179 * day);
      expect((await service.verifyToken(user.token)).status).toBe(200);
      await service.runJob('token-uses');
      await service.shiftClock(300 * day);
      expect((await service.verifyToken(user.token)).status).toBe(200);
      await service.runJob('token-uses');
      await service.shiftClock(481 * day);
      expect((await service.verifyToken(user.token)).status).toBe(401);
      await service.runJob('idle-tokens');
      expect(await service.rows('select 1 from token where id = $1', [user.caller.tokenId])).toEqual([]);
    } finally {
      await service.shiftClock(0);
    }
  });
});

describe('POST internal/tokens/verify-batch', () => {
  const verify = (tokens: string[]) => service.api.service('gateway').post('/internal/tokens/verify-batch', { tokens });

  test('the holders are in the order of the tokens; null for malformed, forged, unknown and revoked ones', async () => {
    const [user, other, su] = [await service.user(), await service.user(), await service.su()];
    await other.api.post('/api/auth/logout');
    const forged = `${user.caller.tokenId}|${newSecret()}`;
    const answer = await verify([user.token, 'x', forged, other.token, su.token, `999999|${newSecret()}`, user.token]);
    const holds = (caller: object) => ({ caller, expires_at: expect.stringMatching(/Z$/) });
    const [ofUser, ofAdmin] = [holds(user.caller), holds(su.caller)];
    expect(answer.body).toEqual({ holders: [ofUser, null, null, null, ofAdmin, null, ofUser] });
  });

  test('a batch has 1 to 500 tokens and counts as a use of each; only services may send it', async () => {
    const user = await service.user();
    for (const tokens of [[], Array.from({ length: 501 }, () => user.token)])
      expect((await verify(tokens)).status).toBe(422);
    expect((await verify(Array.from({ length: 500 }, () => user.token))).body.holders).toHaveLength(500);
    await service.runJob('token-uses');
    const used = 'select 1 from token where id = $1 and last_used_at is not null';
    expect(await service.rows(used, [user.caller.tokenId])).toHaveLength(1);
    expect((await user.api.post('/internal/tokens/verify-batch', { tokens: [user.token] })).status).toBe(403);
  });
});

describe('revocation', () => {
  test('a revocation reaches every gateway, by a hint and by an event', async () => {
    const user = await service.user();
    const gateways = await Promise.all([1, 2].map(() => connect({ ...natsOptions(service.config.NATS_URL) })));
    const received = gateways.map((gateway) => {
      const messages: { subject: string; data: unknown }[] = [];
      for (const subject of ['hints.tokens.revoked', 'events.tokens.revoked'])
        gateway.subscribe(`${service.prefix}.${subject}`, {
          callback: (_error, message) => void messages.push({ subject: message.subject, data: message.json() }),
        });
      return messages;
    });
    await Promise.all(gateways.map((gateway) => gateway.flush()));
    await user.api.post('/api/auth/logout');
    const revocation = { subject: `user:${user.id}`, token_ids: [user.caller.tokenId] };
    for (const messages of received) {
      await eventually('hint and event', () => messages.length === 2);
      expect(messages.find((message) => message.subject.includes('hints'))!.data).toEqual(revocation);
      expect(messages.find((message) => message.subject.includes('events'))!.data).toMatchObject({ data: revocation });
    }
    await Promise.all(gateways.map((gateway) => gateway.close()));
  });

  test('a new e-mail publishes no revocation when the user has no other session', async () => {
    const user = await service.user();
    const gateway = await connect({ ...natsOptions(service.config.NATS_URL) });
    const received: unknown[] = [];
    gateway.subscribe(`${service.prefix}.hints.tokens.revoked`, {
      callback: (_error, message) => void received.push(message.json()),
    });
    await gateway.flush();
    const change = { email: `new-${user.email}`, current_password: PASSWORD };
    await user.api.put('/api/me', change);
    const changed = await user.api.put('/api/me', { ...change, code: await service.codeTo(change.email) });
    expect(changed.status).toBe(200);
    await user.api.post('/api/auth/logout');
    await eventually('the hint about the logout', () => received.length > 0);
    expect(received).toEqual([{ subject: `user:${user.id}`, token_ids: [user.caller.tokenId] }]);
    await gateway.close();
  });

  test('a ban ends every token, also of concurrent logins', async () => {
    const user = await service.user();
    const su = await service.su();
    const [, ...logins] = await Promise.all([
      su.api.put(`/api/admin/users/${user.id}`, { status: 'banned' }),
      ...Array.from({ length: 10 }, () => service.login(user.email)),
    ]);
    for (const answer of logins)
      if (answer.status === 200) expect((await service.verifyToken(answer.body.token)).status).toBe(401);
    expect((await service.verifyToken(user.token)).status).toBe(401);
    expect(await service.rows('select 1 from token where account_id = $1', [user.id])).toEqual([]);
  });
});

describe('API tokens', () => {
  test('an API token is shown once, listed without its secret, and deleted', async () => {
    const user = await service.user();
    const created = await user.api.post('/api/auth/tokens', { name: 'dashboard' });
    const row = { id: expect.any(Number), name: 'dashboard', last_used_at: null, created_at: expect.any(String) };
    expect([created.status, created.body]).toEqual([200, { ...row, token: expect.any(String) }]);
    expect(Object.keys(JSON.parse(created.text))).toEqual(['id', 'name', 'last_used_at', 'created_at', 'token']);
    const list = await user.api.get('/api/auth/tokens');
    expect(list.body).toEqual([row]);
    expect((await service.verifyToken(created.body.token)).body.caller).toMatchObject({
      id: user.id,
      tokenId: created.body.id,
    });
    await service.runJob('token-uses');
    expect((await user.api.get('/api/auth/tokens')).body[0].last_used_at).toMatch(/Z$/);
    const other = await service.user();
    const foreign = await other.api.delete(`/api/auth/tokens/${created.body.id}`);
    const login = await user.api.delete(`/api/auth/tokens/${user.caller.tokenId}`);
    const malformed = await user.api.delete('/api/auth/tokens/abc');
    for (const answer of [foreign, login, malformed])
      expect([answer.status, answer.body]).toEqual([
        404,
        { code: 'not_found', message: 'The record could not be found.' },
      ]);
    expect((await user.api.delete(`/api/auth/tokens/${created.body.id}`)).body).toEqual({
      message: 'The token has been deleted.',
    });
    expect((await service.verifyToken(created.body.token)).status).toBe(401);
    expect((await service.verifyToken(user.token)).status).toBe(200);
  });

  test('an API token without a name is a 422', async () => {
    const user = await service.user();
    expect((await user.api.post('/api/auth/tokens', {})).body.errors).toEqual({
      name: ['The name field is required.'],
    });
  });
});

describe('device keys', () => {
  test('a logout removes the device key of its token', async () => {
    const user = await service.user();
    const one = await service.login(user.email, PASSWORD, { device_key: `a${user.id}` });
    await service.login(user.email, PASSWORD, { device_key: `b${user.id}` });
    const caller = { ...user.caller, tokenId: Number(String(one.body.token).split('|')[0]) };
    await service.api.as(caller).post('/api/auth/logout');
    expect(await devicesOf(user.id)).toEqual([[`a${user.id}`], [`a${user.id}`, `b${user.id}`], [`b${user.id}`]]);
  });

  test('a device belongs to its last login', async () => {
    const first = await service.user();
    const second = await service.user();
    const device_key = `shared-${first.id}`;
    await service.login(first.email, PASSWORD, { device_key });
    await service.login(second.email, PASSWORD, { device_key });
    expect([(await devicesOf(first.id)).at(-1), (await devicesOf(second.id)).at(-1)]).toEqual([[], [device_key]]);
  });

  test('after concurrent logins with one device key, one token has it', async () => {
    const users = await Promise.all([service.user(), service.user()]);
    const device_key = `raced-${users[0].id}`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => service.login(users[n % 2]!.email, PASSWORD, { device_key })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    expect(await service.rows('select 1 from token where device_key = $1', [device_key])).toHaveLength(1);
  });
});

/** The test server's address in the form that the NATS client needs. */
function natsOptions(url: string) {
  const { host, username, password } = new URL(url);
  return { servers: host, ...(password ? { user: username, pass: password } : { token: username }) };
}
