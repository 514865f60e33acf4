import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { startIdentity, type TestIdentity } from './identity.ts';
import { serve, startIssuer, type LocalServer } from './issuer.ts';

const GOOGLE = 'google-client';
const FACEBOOK = { app: '4711', secret: 'facebook-secret' };
const SENT = 'EAAsent';

/** The next answers of the provider, by path. */
type Answers = Record<string, { status?: number; body: unknown }>;

let google: Awaited<ReturnType<typeof startIssuer>>;
let provider: LocalServer;
let service: TestIdentity;
let answers: Answers = {};
const lines: string[] = [];

beforeAll(async () => {
  google = await startIssuer(GOOGLE);
  provider = await serve((url) => answers[url.pathname] ?? { status: 404, body: {} });
  service = await startIdentity(
    {
      GOOGLE_CLIENT_ID: GOOGLE,
      GOOGLE_ISSUER: google.url,
      GOOGLE_JWKS_URL: `${provider.url}/keys`,
      FACEBOOK_APP_ID: FACEBOOK.app,
      FACEBOOK_APP_SECRET: FACEBOOK.secret,
      FACEBOOK_GRAPH_URL: provider.url,
      FACEBOOK_JWKS_URL: `${provider.url}/keys`,
    },
    { logger: createLogger('identity', 'warn', { write: (line: string) => void lines.push(line) }) },
  );
});
afterAll(async () => {
  await service.end();
  await Promise.all([google.close(), provider.close()]);
});

const ask = (gauth_type: string, gauth_token: string) =>
  service.api.anonymous.post('/api/auth/login', { gauth_type, gauth_token });
const ERROR = (code: number, message = '') => ({ error: { message, type: 'OAuthException', code } });
const VALID = { data: { app_id: FACEBOOK.app, is_valid: true, user_id: '1' } };

async function expectUnverified(gauth_type: string, token: string) {
  lines.length = 0;
  const answer = await ask(gauth_type, token);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(lines.filter((line) => line.includes('could not be verified'))).toHaveLength(1);
  for (const secret of [token, FACEBOOK.secret]) expect(lines.join()).not.toContain(secret);
}

describe('a token that cannot be verified: 503 and a log line without the token', () => {
  test.each<[string, Answers]>([
    ['keys that are no JSON', { '/keys': { body: Buffer.from('<html>') } }],
    ['an error instead of keys', { '/keys': { body: ERROR(4) } }],
    ['a malformed list of keys', { '/keys': { body: { keys: 'none' } } }],
    ['a rate limit', { '/keys': { status: 429, body: { keys: [] } } }],
    ['an outage', { '/keys': { status: 500, body: {} } }],
  ])('an issuer that answers %s is a 503', async (_name, given) => {
    answers = given;
    const token = await google.token({ sub: 's' });
    await expectUnverified('google', token);
    await expectUnverified('facebook', token);
  });

  test.each<[string, Answers]>([
    ['a rate limit', { '/debug_token': { status: 400, body: ERROR(4, '(#4) Application request limit reached') } }],
    ['a rate limit by status', { '/debug_token': { status: 429, body: ERROR(190) } }],
    ['an outage', { '/debug_token': { status: 500, body: ERROR(190) } }],
    ['an error of its own', { '/debug_token': { status: 400, body: ERROR(2, 'Service temporarily unavailable') } }],
    [
      'a wrong app secret',
      { '/debug_token': { status: 400, body: ERROR(190, 'Invalid OAuth access token signature.') } },
    ],
    ['a wrong client secret', { '/debug_token': { status: 400, body: ERROR(1, 'Error validating client secret.') } }],
    ['an unknown app', { '/debug_token': { status: 400, body: ERROR(101, 'Error validating application.') } }],
    ['no JSON', { '/debug_token': { body: Buffer.from('<html>') } }],
    ['no JSON and a refusal', { '/debug_token': { status: 403, body: Buffer.from('') } }],
    ['another shape', { '/debug_token': { body: {} } }],
    [
      'a wrong proof',
      { '/debug_token': { body: VALID }, '/me': { status: 400, body: ERROR(100, 'Invalid appsecret_proof') } },
    ],
    ['a rate limit of the profile', { '/debug_token': { body: VALID }, '/me': { status: 403, body: ERROR(17) } }],
  ])('Facebook that answers %s is a 503', async (_name, given) => {
    answers = given;
    await expectUnverified('facebook', SENT);
  });

  test('an unreachable Google is a 503, an unconfigured provider a 404', async () => {
    const away = await startIdentity({
      GOOGLE_CLIENT_ID: GOOGLE,
      GOOGLE_ISSUER: google.url,
      GOOGLE_JWKS_URL: 'http://127.0.0.1:1/keys',
    });
    try {
      const gauth_token = await google.token({ sub: 's' });
      const byProvider = async (gauth_type: string) =>
        (await away.api.anonymous.post('/api/auth/login', { gauth_type, gauth_token })).status;
      // Providers that are not configured refuse every token.
      expect([await byProvider('google'), await byProvider('apple'), await byProvider('facebook')]).toEqual([
        503, 404, 404,
      ]);
    } finally {
      await away.end();
    }
  });
});

test.each<[string, Answers]>([
  ['that is invalid', { '/debug_token': { body: { data: { error: { code: 190 }, is_valid: false, scopes: [] } } } }],
  ['that is malformed', { '/debug_token': { status: 400, body: ERROR(190, 'Malformed access token') } }],
  [
    'of another app',
    { '/debug_token': { status: 400, body: ERROR(100, 'The App_id in the input_token did not match') } },
  ],
  [
    'that has just expired',
    { '/debug_token': { body: VALID }, '/me': { status: 401, body: ERROR(190, 'Session has expired') } },
  ],
])('a Facebook token %s is refused without a log line', async (_name, given) => {
  answers = given;
  lines.length = 0;
  const answer = await ask('facebook', SENT);
  const unverified = lines.filter((line) => line.includes('could not be verified'));
  expect([answer.status, answer.body.message, unverified]).toEqual([404, 'Invalid credentials.', []]);
});
