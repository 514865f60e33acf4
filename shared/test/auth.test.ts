import { createHmac, sign, timingSafeEqual } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createIdentitySigner, type Caller, type SignerOptions } from '../src/identity/auth.ts';
import { makeKey, makeKeys, parseKeys, signerOf, testKeys } from '../src/testing/keys.ts';

const caller: Caller = { kind: 'user', id: 7, platform: 'teacher', tokenId: 3 };
const now = 1_800_000_000_000;
const at = (ms: number) => ({ now: () => ms });

test('a signed identity verifies where it is meant for', () => {
  const token = signerOf('gateway').sign(caller, 'wallet');
  expect(signerOf('wallet').verify(token)).toEqual(caller);
  expect(signerOf('calls').verify(token)).toBeUndefined();
});

test('keys rotate: a process that trusts two keys accepts signatures by either', () => {
  const [first, second] = [makeKey(), makeKey()];
  const own = testKeys('wallet');
  const both = `${own.TRUSTED_KEYS},gateway:k1:${first.trusted},gateway:k2:${second.trusted}`;
  const signing = (kid: string, key: typeof first) =>
    createIdentitySigner('gateway', parseKeys({ SIGNING_KEY: `${kid}:${key.signing}`, TRUSTED_KEYS: both }));
  const wallet = createIdentitySigner('wallet', parseKeys({ ...own, TRUSTED_KEYS: both }));
  const after = signerOf('wallet', () => ({ ...own, TRUSTED_KEYS: both.replace(/gateway:k1:[^,]+,/, '') }));
  for (const signer of [signing('k1', first), signing('k2', second)])
    expect(wallet.verify(signer.sign(caller, 'wallet'))).toEqual(caller);
  expect(after.verify(signing('k1', first).sign(caller, 'wallet'))).toBeUndefined();
  expect(after.verify(signing('k2', second).sign(caller, 'wallet'))).toEqual(caller);
});

test('a process whose own key nobody trusts does not start', () => {
  const { SIGNING_KEY } = makeKeys()('wallet');
  expect(() => signerOf('wallet', (name) => ({ ...testKeys(name), SIGNING_KEY }))).toThrow(
    'SIGNING_KEY: TRUSTED_KEYS does not have its public key as wallet:test',
  );
  expect(() => createIdentitySigner('gateway', parseKeys(testKeys('wallet')))).toThrow('as gateway:test');
});

const dot = (token: string) => token.split('.');
test.each<[string, (token: string) => string | undefined]>([
  ['nothing', () => undefined],
  ['an unknown process', (token) => token.replace('gateway.', 'stranger.')],
  ['another process', (token) => token.replace('gateway.', 'calls.')],
  ['an unknown key', (token) => token.replace('.test.', '.k9.')],
  ['another payload', (token) => token.replace(dot(token)[2]!, Buffer.from('{"exp":9e15}').toString('base64url'))],
  ['a cut signature', (token) => token.slice(0, -4)],
  ['an empty signature', (token) => token.replace(/[^.]+$/, '')],
  ['no signature', (token) => dot(token).slice(0, 3).join('.')],
  ['one part too many', (token) => `${token}.x`],
  ['something in front', (token) => `x.${token}`],
])('%s does not verify', (_name, tamper) => {
  expect(signerOf('wallet').verify(tamper(signerOf('gateway').sign(caller, 'wallet')))).toBeUndefined();
});

test('signed text that is not an identity is refused, not an error', () => {
  const { SIGNING_KEY } = parseKeys(testKeys('gateway'));
  for (const payload of ['', 'null', '{', '{"caller":null}', '{"caller":{"kind":"user"},"exp":1,"aud":"wallet"}']) {
    const text = `gateway.test.${Buffer.from(payload).toString('base64url')}`;
    const token = `${text}.${sign(null, Buffer.from(text), SIGNING_KEY.key).toString('base64url')}`;
    expect(signerOf('wallet').verify(token)).toBeUndefined();
  }
});

const MINUTES = 60_000;

test('it lives 30 seconds, by clocks that differ by at most three minutes', () => {
  const refusals: string[] = [];
  let time = now;
  const onRefusal = (reason: string) => void refusals.push(reason);
  const wallet = signerOf('wallet', testKeys, { now: () => time, onRefusal });
  const token = signerOf('gateway', testKeys, at(now)).sign(caller, 'wallet');
  const verifiedAt = (ms: number, text = token) => {
    time = ms;
    return wallet.verify(text);
  };
  for (const good of [29_999, 30_000 + 3 * MINUTES - 1, 1 - 3 * MINUTES])
    expect(verifiedAt(now + good)).toEqual(caller);
  for (const bad of [30_000 + 3 * MINUTES, -3 * MINUTES]) expect(verifiedAt(now + bad)).toBeUndefined();
  expect(verifiedAt(now, token.slice(0, -4))).toBeUndefined();
  expect(refusals).toEqual(['clock', 'clock', 'signature']);
});

test('it reports once the age of an identity on arrival', () => {
  const ages: number[] = [];
  const options: SignerOptions = { onAge: (age) => ages.push(age), now: () => now };
  const wallet = signerOf('wallet', testKeys, options);
  const early = signerOf('gateway', testKeys, at(now + 2 * MINUTES)).sign(caller, 'wallet');
  expect([wallet.verify(early), wallet.verify(early)]).toEqual([caller, caller]);
  expect(ages).toEqual([-2 * MINUTES]);
});

test('a claim is signed once for five seconds, and anew when the clock jumps', () => {
  let time = now;
  const claim = signerOf('gateway', testKeys, { now: () => time }).claim(caller, 'wallet');
  const first = claim();
  for (const [after, isSame] of [
    [0, true],
    [5_000, true],
    [5_001, false],
    [-10 * MINUTES, false],
  ] as const) {
    time = now + after;
    expect(claim() === first).toBe(isSame);
  }
});

describe('beside replicas of the previous release, which know only the shared key', () => {
  const secret = '0123456789abcdef0123456789abcdef';
  const INTERNAL_KEYS = `k1:${secret}`;
  const mac = (payload: string) => createHmac('sha256', secret).update(payload).digest();
  const upgraded = (name: 'gateway' | 'wallet') => signerOf(name, (own) => ({ ...testKeys(own), INTERNAL_KEYS }));

  /** What they sign, and how they read. */
  const former = {
    sign: (who: Caller) => {
      const payload = Buffer.from(JSON.stringify({ caller: who, exp: Date.now() + 30_000 })).toString('base64url');
      return `k1.${payload}.${mac(payload).toString('base64url')}`;
    },
    verify: (token: string): unknown => {
      const [kid, payload, signature] = token.split('.');
      const given = Buffer.from(signature!, 'base64url');
      const isRight = kid === 'k1' && timingSafeEqual(given, mac(payload!));
      return isRight ? JSON.parse(Buffer.from(payload!, 'base64url').toString()).caller : undefined;
    },
  };

  test('each accepts what the other signs', () => {
    expect(former.verify(upgraded('gateway').sign(caller, 'wallet'))).toEqual(caller);
    expect(upgraded('wallet').verify(former.sign(caller))).toEqual(caller);
  });

  test("processes with and without the shared key accept each other's signatures", () => {
    expect(signerOf('wallet').verify(upgraded('gateway').sign(caller, 'wallet'))).toEqual(caller);
    expect(upgraded('wallet').verify(signerOf('gateway').sign(caller, 'wallet'))).toEqual(caller);
    expect(signerOf('calls').verify(upgraded('gateway').sign(caller, 'wallet'))).toBeUndefined();
  });

  test('a process without the shared key refuses signatures by it', () => {
    expect(signerOf('wallet').verify(former.sign(caller))).toBeUndefined();
    const another = signerOf('wallet', (own) => ({ ...testKeys(own), INTERNAL_KEYS: `k1:${'z'.repeat(32)}` }));
    expect(another.verify(former.sign(caller))).toBeUndefined();
  });
});
