import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { startIdentity, unique, type TestIdentity } from './identity.ts';
import { createHash } from 'node:crypto';
import { serve, startIssuer, type Claims, type LocalServer } from './issuer.ts';

const GOOGLE = '4040-web.apps.googleusercontent.com';
const APPLE = 'apple-client';
const FACEBOOK = { app: '4711', secret: 'facebook-secret' };

let google: Awaited<ReturnType<typeof startIssuer>>;
let apple: Awaited<ReturnType<typeof startIssuer>>;
let facebook: LocalServer;
let limited: Awaited<ReturnType<typeof startIssuer>>;
let service: TestIdentity;
const facebookTokens = new Map<
  string,
  { app_id: string; is_valid: boolean; user_id: string; email?: string; expires_at?: number }
>();

beforeAll(async () => {
  google = await startIssuer(GOOGLE);
  apple = await startIssuer(APPLE);
  limited = await startIssuer(FACEBOOK.app);
  facebook = await serve((url) => {
    const token = url.searchParams.get(url.pathname === '/me' ? 'access_token' : 'input_token') ?? '';
    const known = facebookTokens.get(token);
    if (url.pathname === '/me') return { body: { id: known?.user_id, email: known?.email } };
    const entitled = url.searchParams.get('access_token') === `${FACEBOOK.app}|${FACEBOOK.secret}`;
    return entitled && known ? { body: { data: known } } : { status: 400, body: { error: { code: 190 } } };
  });
  service = await startIdentity({
    GOOGLE_CLIENT_ID: `other-client, ${GOOGLE}`,
    GOOGLE_ISSUER: google.url,
    GOOGLE_JWKS_URL: `${google.url}/keys`,
    APPLE_CLIENT_ID: APPLE,
    APPLE_ISSUER: apple.url,
    APPLE_JWKS_URL: `${apple.url}/keys`,
    FACEBOOK_APP_ID: FACEBOOK.app,
    FACEBOOK_APP_SECRET: FACEBOOK.secret,
    FACEBOOK_GRAPH_URL: facebook.url,
    FACEBOOK_ISSUER: `https://facebook.test, ${limited.url}`,
    FACEBOOK_JWKS_URL: `${limited.url}/keys`,
  });
});
afterAll(async () => {
  await service.end();
  await Promise.all([google.close(), apple.close(), facebook.close(), limited.close()]);
});

const register = (fields: object) =>
  service.api.anonymous.post('/api/auth/register', service.submission({ password: undefined, ...fields }));
const login = (gauth_type: string, gauth_token: string, more: object = {}) =>
  service.api.anonymous.post('/api/auth/login', { gauth_type, gauth_token, ...more });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const now = () => Math.floor(Date.now() / 1000);

const INVALID = [404, { code: 'not_found', message: 'Invalid credentials.' }];
const SELECTED = { gauth_token: ['The selected gauth token is invalid.'] };

async function member() {
  const email = `g-${unique()}@example.com`;
  const sub = unique();
  const token = await google.token({ sub, email });
  const answer = await register({ gauth_type: 'google', gauth_token: token, email });
  return { email, sub, token, answer };
}

describe('registering with a provider', () => {
  test('a token verifies the account immediately', async () => {
    const { answer, email, token } = await member();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Your account has been created and verified.',
        user: expect.objectContaining({ email, gauth_type: 'google' }),
      },
    ]);
    const entered = await login('google', token, { platform: 'student' });
    expect([entered.status, entered.body.user]).toEqual([200, answer.body.user]);
    expect(await service.mailsTo(email)).toEqual([]);
  });

  test.each<[string, (email: string) => Promise<string>]>([
    ['signed with another key', (email) => google.forged({ sub: 's', email })],
    ['for another app', (email) => google.token({ sub: 's', email, aud: 'their-client' })],
    ['of another issuer', (email) => google.token({ sub: 's', email, iss: 'https://evil.test' })],
    ['of Apple', (email) => apple.token({ sub: 's', email })],
    ['that expired more than a minute ago', (email) => google.token({ sub: 's', email, exp: now() - 61 })],
    ['with an unverified e-mail', (email) => google.token({ sub: 's', email, email_verified: false })],
    ['with another e-mail', () => google.token({ sub: 's', email: 'other@example.com' })],
    ['without an e-mail', () => google.token({ sub: 's' })],
    ['without a time of issue', (email) => google.token({ sub: 's', email, iat: undefined })],
    [
      'requested by an app of another project',
      (email) => google.token({ sub: 's', email, azp: '5050-ios.apps.googleusercontent.com' }),
    ],
    ['for several apps, without azp', (email) => google.token({ sub: 's', email, aud: [GOOGLE, 'their-client'] })],
    ['that is malformed', () => Promise.resolve('abc')],
  ])('a token %s is a 422', async (_name, token) => {
    const email = `g-${unique()}@example.com`;
    const answer = await register({ gauth_type: 'google', gauth_token: await token(email), email });
    expect([answer.status, answer.body.errors]).toEqual([422, SELECTED]);
    expect(await service.rows('select 1 from account where email_key = $1', [email])).toEqual([]);
  });

  test('an unsigned token, another nonce and an identity with an account are a 422', async () => {
    const email = `g-${unique()}@example.com`;
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: google.url, aud: GOOGLE, sub: 's', email, email_verified: true, exp: 9999999999 })).toString('base64url')}.`;
    expect((await register({ gauth_type: 'google', gauth_token: none, email })).body.errors).toEqual(SELECTED);
    const nonce = await google.token({ sub: unique(), email, nonce: 'mine' });
    expect((await register({ gauth_type: 'google', gauth_token: nonce, nonce: 'theirs', email })).body.errors).toEqual(
      SELECTED,
    );
    expect((await register({ gauth_type: 'google', gauth_token: nonce, nonce: 'mine', email })).status).toBe(200);
    const first = await member();
    const second = await google.token({ sub: first.sub, email: `g-${unique()}@example.com` });
    const claims = JSON.parse(Buffer.from(second.split('.')[1]!, 'base64url').toString()) as { email: string };
    const answer = await register({ gauth_type: 'google', gauth_token: second, email: claims.email });
    expect(answer.body.errors).toEqual({ gauth_token: ['The gauth token has already been taken.'] });
  });
});

describe('logging in with a provider', () => {
  test('a token can be used for several logins, also concurrent ones, but not for a second registration', async () => {
    const { answer, token, email } = await member();
    const again = await register({ gauth_type: 'google', gauth_token: token, email });
    expect([again.status, again.body.errors]).toEqual([422, { email: ['The email has already been taken.'] }]);
    const attempts = await Promise.all(Array.from({ length: 6 }, () => retryWhile503(() => login('google', token))));
    expect(attempts.map(({ status, body }) => [status, body.user?.id])).toEqual(
      attempts.map(() => [200, answer.body.user.id]),
    );
    expect(new Set(attempts.map(({ body }) => body.token as string)).size).toBe(6);
  });

  test.each<[string, () => Claims]>([
    ['expired less than a minute ago', () => ({ exp: now() - 30 })],
    ['is an hour old and has not expired', () => ({ iat: now() - 3_600 })],
    ['was requested by an app of the same project', () => ({ azp: '4040-android.apps.googleusercontent.com' })],
    ['has a nonce that the app does not send', () => ({ nonce: 'mine' })],
  ])('a token that %s is accepted', async (_name, claims) => {
    const { sub, email } = await member();
    expect((await login('google', await google.token({ sub, email, ...claims() }))).status).toBe(200);
  });

  test('used tokens stored by the previous release are removed after an hour', async () => {
    await service.rows(`insert into spent_token (hash, use) values ('x', 'login')`);
    await service.shiftClock(3_601);
    await service.runJob('forget');
    expect(await service.rows('select 1 from spent_token')).toEqual([]);
    await service.shiftClock(0);
  });

  test('a token requested by another of our apps is accepted', async () => {
    const { sub, email } = await member();
    const token = await google.token({ sub, email, aud: [GOOGLE, 'their-client'], azp: 'other-client' });
    expect((await login('google', token)).status).toBe(200);
  });

  test.each<[number, string, string | undefined, string]>([
    [200, 'the nonce of the token', 'n-0S6 é', 'n-0S6 é'],
    [200, 'a nonce whose SHA-256 the token has', sha256('n-0S6 é'), 'n-0S6 é'],
    [200, 'a nonce whose SHA-256 the token has in capital letters', sha256('n-0S6 é').toUpperCase(), 'n-0S6 é'],
    [404, 'another nonce', 'mine', 'theirs'],
    [404, 'the nonce in another case', 'mine', 'Mine'],
    [404, 'a nonce for a token without one', undefined, 'mine'],
  ])('a login is a %i with %s', async (status, _name, signed, nonce) => {
    const { sub, email } = await member();
    const token = await google.token({ sub, email, ...(signed !== undefined && { nonce: signed }) });
    expect((await login('google', token, { nonce })).status).toBe(status);
  });

  test('accounts are never linked by e-mail: not to passwords, nor within or between providers', async () => {
    const owner = await service.user();
    const stranger = await google.token({ sub: unique(), email: owner.email });
    const answer = await login('google', stranger);
    expect([answer.status, answer.body]).toEqual(INVALID);
    const { email } = await member();
    expect((await login('google', await google.token({ sub: unique(), email }))).status).toBe(404);
    const viaApple = await apple.token({ sub: unique(), email });
    expect((await login('apple', viaApple)).status).toBe(404);
    expect((await service.login(email, 'anything')).status).toBe(404);
  });

  test('a login finds the account by issuer and subject, also after a change of e-mail', async () => {
    const { sub, answer } = await member();
    const moved = await google.token({ sub, email: 'moved@example.com', email_verified: false });
    expect((await login('google', moved)).body.user.id).toBe(answer.body.user.id);
  });

  test('a missing or forged token, a wrong platform or provider and a banned account are a 404', async () => {
    const { sub, token, answer } = await member();
    expect((await login('google', '')).status).toBe(404);
    expect((await login('google', await google.forged({ sub }))).status).toBe(404);
    expect((await login('google', token, { platform: 'teacher' })).status).toBe(404);
    expect((await login('apple', token)).status).toBe(404);
    await (await service.su()).api.put(`/api/admin/users/${answer.body.user.id}`, { status: 'banned' });
    expect((await login('google', token)).status).toBe(404);
  });

  test('email_verified may be a string, as Apple sends it', async () => {
    const email = `a-${unique()}@example.com`;
    const token = await apple.token({ sub: unique(), email, email_verified: 'true' });
    expect((await register({ gauth_type: 'apple', gauth_token: token, email })).status).toBe(200);
    expect((await login('apple', token)).status).toBe(200);
  });

  test('access tokens of Facebook are checked for validity, app, user and expiry', async () => {
    const email = `f-${unique()}@example.com`;
    const mine = { app_id: FACEBOOK.app, is_valid: true, user_id: unique(), email };
    facebookTokens.set('good', mine);
    facebookTokens.set('other-app', { ...mine, app_id: '1' });
    facebookTokens.set('invalid', { ...mine, is_valid: false });
    facebookTokens.set('expired', { ...mine, expires_at: 1 });
    for (const bad of ['other-app', 'invalid', 'expired', 'unknown'])
      expect((await register({ gauth_type: 'facebook', gauth_token: bad, email })).body.errors).toEqual(SELECTED);
    expect((await register({ gauth_type: 'facebook', gauth_token: 'good', email })).status).toBe(200);
    expect((await login('facebook', 'good')).body.user.email).toBe(email);
    for (const bad of ['other-app', 'invalid', 'expired', 'unknown'])
      expect((await login('facebook', bad)).status).toBe(404);
  });

  test('signed tokens of Limited Login register, and log in to the same account as access tokens', async () => {
    const email = `f-${unique()}@example.com`;
    const sub = unique();
    const token = await limited.token({ sub, email, nonce: 'mine', email_verified: undefined });
    const answer = await register({ gauth_type: 'facebook', gauth_token: token, nonce: 'mine', email });
    expect([answer.status, answer.body.user?.gauth_type]).toEqual([200, 'facebook']);
    const again = await limited.token({ sub, iss: 'https://facebook.test' });
    facebookTokens.set('classic', { app_id: FACEBOOK.app, is_valid: true, user_id: sub });
    for (const good of [token, again, 'classic'])
      expect((await login('facebook', good)).body.user.id).toBe(answer.body.user.id);
    const bad = [
      await limited.forged({ sub }),
      await limited.token({ sub, aud: 'their-app' }),
      await limited.token({ sub, iss: 'https://evil.test' }),
      await limited.token({ sub, exp: now() - 61 }),
      await google.token({ sub, aud: FACEBOOK.app }),
    ];
    for (const token of bad) expect((await login('facebook', token)).body).toEqual(INVALID[1]);
    expect((await login('facebook', token, { nonce: 'theirs' })).status).toBe(404);
  });
});
