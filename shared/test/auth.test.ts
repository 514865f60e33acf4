import { describe, expect, test } from '@jest/globals';
import { createIdentitySigner, type Caller, type SignerOptions } from '../kit/identity/auth.ts';
import { makeKey, makeKeys, parseKeys, signerOf, signText, testKeys } from '../testing/keys.ts';

const caller: Caller = { kind: 'user', id: 7, platform: 'teacher', tokenId: 3 };
const now = 1_800_000_000_000;
const at = (ms: number) => ({ now: () => ms });

test('a signed identity is accepted by its audience and refused by other services', () => {
  const token = signerOf('gateway').sign(caller, 'wallet');
  expect(signerOf('wallet').verify(token)).toEqual(caller);
  expect(signerOf('calls').verify(token)).toBeUndefined();
});

test.each<[string, 'gateway' | 'wallet']>([
  ['the signer', 'gateway'],
  ['the audience', 'wallet'],
])(
  'while the keys of %s rotate in three rollouts, identities by both keys are accepted; afterwards only by the new one',
  (_who, name) => {
    const [first, second] = [makeKey(), makeKey()];
    const fixed = testKeys('calls')
      .TRUSTED_KEYS.split(',')
      .filter((key) => !key.startsWith(name));
    const [k1, k2] = [`${name}:k1:${first.trusted}`, `${name}:k2:${second.trusted}`];
    const both = [fixed, k1, k2].join();
    const process = (who: 'gateway' | 'wallet', key: string, trusted: string) =>
      signerOf(who, (own) => ({ SIGNING_KEY: who === name ? key : testKeys(own).SIGNING_KEY, TRUSTED_KEYS: trusted }));
    const [old, renewed] = [`k1:${first.signing}`, `k2:${second.signing}`];
    const works = (gateway: [string, string], wallet: [string, string]) =>
      process('wallet', ...wallet).verify(process('gateway', ...gateway).sign(caller, 'wallet')) !== undefined;
    const [before, after] = [[fixed, k1].join(), [fixed, k2].join()];
    expect([works([old, before], [old, both]), works([old, both], [old, before])]).toEqual([true, true]);
    expect([works([renewed, both], [renewed, both]), works([renewed, both], [renewed, after])]).toEqual([true, true]);
    expect([works([renewed, after], [renewed, both]), works([old, before], [renewed, after])]).toEqual([true, false]);
  },
);

test('a process whose public key is not in TRUSTED_KEYS does not start', () => {
  const { SIGNING_KEY } = makeKeys()('wallet');
  expect(() => signerOf('wallet', (name) => ({ ...testKeys(name), SIGNING_KEY }))).toThrow(
    'SIGNING_KEY: TRUSTED_KEYS does not have its public key as wallet:test',
  );
  expect(() => createIdentitySigner('gateway', parseKeys(testKeys('wallet')))).toThrow('as gateway:test');
});

const dot = (token: string) => token.split('.');
test.each<[string, (token: string) => string | undefined]>([
  ['an absent token', () => undefined],
  ['a token of an unknown process', (token) => token.replace('gateway.', 'stranger.')],
  ['a token of another process', (token) => token.replace('gateway.', 'calls.')],
  ['a token with an unknown key', (token) => token.replace('.test.', '.k9.')],
  [
    'a token with another payload',
    (token) => token.replace(dot(token)[2]!, Buffer.from('{"exp":9e15}').toString('base64url')),
  ],
  ['a token with a truncated signature', (token) => token.slice(0, -4)],
  ['a token with an empty signature', (token) => token.replace(/[^.]+$/, '')],
  ['a token without a signature', (token) => dot(token).slice(0, 3).join('.')],
  ['a token with a MAC for another key of the audience', (token) => token.replace(/\.test\.([^.]+)$/, '.k9.$1')],
  ['a token with a prefix', (token) => `x.${token}`],
])('%s is refused', (_name, tamper) => {
  expect(signerOf('wallet').verify(tamper(signerOf('gateway').sign(caller, 'wallet')))).toBeUndefined();
});

test('a signed text that is not an identity is refused without an error', () => {
  for (const payload of ['', 'null', '{', '{"caller":null}', '{"caller":{"kind":"user"},"exp":1,"aud":"wallet"}']) {
    const token = signText(`gateway.test.${Buffer.from(payload).toString('base64url')}`, {
      by: 'gateway',
      to: 'wallet',
    });
    expect(signerOf('wallet').verify(token)).toBeUndefined();
  }
});

const MINUTES = 60_000;

test('an identity is valid for 30 seconds if the clocks differ by less than three minutes', () => {
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

describe('a replayed identity', () => {
  /** Two machines whose wall clocks differ. */
  function machines(gatewayAheadMs: number) {
    const time = { passed: 0 };
    const shift = { gateway: gatewayAheadMs };
    const refusals: string[] = [];
    const gateway = (ahead = () => shift.gateway) =>
      signerOf('gateway', testKeys, { now: () => now + ahead() + time.passed, uptime: () => time.passed });
    const wallet = signerOf('wallet', testKeys, {
      now: () => now + time.passed,
      uptime: () => 77_000 + time.passed,
      onRefusal: (reason) => void refusals.push(reason),
    });
    const at = (ms: number, token: string) => {
      time.passed = ms;
      return wallet.verify(token) !== undefined;
    };
    return { time, shift, refusals, gateway, at };
  }

  test.each([0, 2 * MINUTES, -2 * MINUTES])('is refused after 30 s when the clocks are %i ms apart', (ahead) => {
    const { gateway, at, refusals } = machines(ahead);
    const signer = gateway();
    const token = signer.sign(caller, 'wallet');
    expect([at(0, token), at(29_999, token), at(30_000, token)]).toEqual([true, true, false]);
    for (const ms of [31_000, 120_000, 200_000]) {
      expect(at(ms, token)).toBe(false);
      expect(at(ms, signer.sign(caller, 'wallet'))).toBe(true);
    }
    expect(refusals[0]).toBe('age');
  });

  test('is refused after 30 s even at its first use, if the receiver has seen another identity of its signer', () => {
    const { gateway, at } = machines(MINUTES);
    const signer = gateway();
    const [used, captured] = [signer.sign(caller, 'wallet'), signer.sign({ ...caller, id: 8 }, 'wallet')];
    expect([at(0, used), at(29_999, captured)]).toEqual([true, true]);
    const unused = signer.sign({ ...caller, id: 9 }, 'wallet');
    expect([at(40_000, captured), at(59_998, unused), at(59_999, unused)]).toEqual([false, true, false]);
  });

  test('does not affect identities of a process with another clock, or of one whose clock was set', () => {
    const { gateway, at, shift, time } = machines(2 * MINUTES);
    const [fast, right] = [gateway(), gateway(() => 0)];
    expect([at(0, fast.sign(caller, 'wallet')), at(0, right.sign(caller, 'wallet'))]).toEqual([true, true]);
    for (const ahead of [-2 * MINUTES, 2 * MINUTES, 0]) {
      shift.gateway = ahead;
      time.passed += 1_000;
      const token = fast.sign(caller, 'wallet');
      const signedAt = time.passed;
      expect([at(signedAt, token), at(signedAt + 29_999, token), at(signedAt + 30_000, token)]).toEqual([
        true,
        true,
        false,
      ]);
    }
  });

  test('is not assumed while the signer’s clock is slowed down for hours to correct it', () => {
    const { gateway, at, shift, time } = machines(2 * MINUTES);
    const signer = gateway();
    for (let second = 0; second < 1_440; second += 1) {
      time.passed += 1_000;
      shift.gateway -= 83;
      expect(at(time.passed, signer.sign(caller, 'wallet'))).toBe(true);
    }
  });
});

test('an identity without a run id, of the previous release, is checked by the wall clocks only', () => {
  const claims = { caller, exp: Date.now() + 30_000, aud: 'wallet' };
  const text = `gateway.test.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  expect(signerOf('wallet').verify(signText(text, { by: 'gateway', to: 'wallet' }))).toEqual(caller);
});

test('the age of an identity is reported once, at its first arrival', () => {
  const ages: number[] = [];
  const options: SignerOptions = { onAge: (age) => ages.push(age), now: () => now };
  const wallet = signerOf('wallet', testKeys, options);
  const early = signerOf('gateway', testKeys, at(now + 2 * MINUTES)).sign(caller, 'wallet');
  expect([wallet.verify(early), wallet.verify(early)]).toEqual([caller, caller]);
  expect(ages).toEqual([-2 * MINUTES]);
});

test('a claim is cached for five seconds, and signed again when the clock jumps', () => {
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
