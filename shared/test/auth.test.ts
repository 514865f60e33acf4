import { expect, test } from '@jest/globals';
import { createIdentitySigner, type Caller } from '../src/auth.ts';

const old = { kid: 'k0', secret: 'a'.repeat(32) };
const current = { kid: 'k1', secret: 'b'.repeat(32) };
const caller: Caller = { kind: 'user', id: 7, platform: 'teacher', tokenId: 3 };
const now = 1_800_000_000_000;

test('a signed identity verifies, by the old key too while it is known', () => {
  const signer = createIdentitySigner([current, old]);
  expect(signer.verify(signer.sign(caller, now), now)).toEqual(caller);
  expect(signer.verify(createIdentitySigner([old]).sign(caller, now), now)).toEqual(caller);
});

test.each<[string, (token: string) => string | undefined]>([
  ['nothing', () => undefined],
  ['an unknown key', (token) => token.replace('k1.', 'k9.')],
  ['another payload', (token) => token.replace(/\.[^.]+\./, `.${Buffer.from('{"exp":9e15}').toString('base64url')}.`)],
  ['a cut signature', (token) => token.slice(0, -4)],
  ['an empty signature', (token) => token.replace(/[^.]+$/, '')],
])('%s does not verify', (_name, tamper) => {
  const signer = createIdentitySigner([current]);
  expect(signer.verify(tamper(signer.sign(caller, now)), now)).toBeUndefined();
});

const MINUTES = 60_000;

test('it lives 30 seconds, by clocks that differ by at most three minutes', () => {
  const refusals: string[] = [];
  const signer = createIdentitySigner([current], { onRefusal: (reason) => refusals.push(reason) });
  const token = signer.sign(caller, now);
  for (const good of [29_999, 30_000 + 3 * MINUTES - 1, 1 - 3 * MINUTES])
    expect(signer.verify(token, now + good)).toEqual(caller);
  for (const bad of [30_000 + 3 * MINUTES, -3 * MINUTES]) expect(signer.verify(token, now + bad)).toBeUndefined();
  expect(signer.verify(token.slice(0, -4), now)).toBeUndefined();
  expect(refusals).toEqual(['clock', 'clock', 'signature']);
});

test('it tells once how old an identity is when it arrives', () => {
  const ages: number[] = [];
  const signer = createIdentitySigner([current], { onAge: (age) => ages.push(age), now: () => now });
  const early = createIdentitySigner([current], { now: () => now + 2 * MINUTES }).sign(caller);
  expect([signer.verify(early), signer.verify(early)]).toEqual([caller, caller]);
  expect(ages).toEqual([-2 * MINUTES]);
});
