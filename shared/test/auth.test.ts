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

test('it lives 30 seconds', () => {
  const signer = createIdentitySigner([current]);
  const token = signer.sign(caller, now);
  expect(signer.verify(token, now + 29_999)).toEqual(caller);
  expect(signer.verify(token, now + 30_000)).toBeUndefined();
});
