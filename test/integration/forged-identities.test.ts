import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IDENTITY_HEADER } from '@tutoring/shared/kit/identity/auth';
import type { ProcessName } from '@tutoring/shared/contract/names';
import { send } from '@tutoring/shared/testing/client';
import { makeKeys, signerOf, signText, testKeys } from '@tutoring/shared/testing/keys';
import { startWallet } from '../../services/wallet/test/wallet.ts';

/* An attacker who controls one process sends forged requests to wallet: none may move money. */

const STUDENT = 77;
const SU = { kind: 'admin', id: 424_242, name: 'Nobody', level: 'su', tokenId: 1 } as const;
const CALLS = { kind: 'service', name: 'calls' } as const;

let wallet: Awaited<ReturnType<typeof startWallet>>;
let deposit: number;
beforeAll(async () => {
  wallet = await startWallet();
  deposit = (await wallet.service.api.student(STUDENT).post('/api/deposits', { amount: 5_000 })).body.id;
});
afterAll(async () => {
  await wallet.service.stop();
});

const encoded = (claims: unknown) => Buffer.from(JSON.stringify(claims)).toString('base64url');
const soon = () => Date.now() + 30_000;
const towardsWallet = (caller: unknown) => ({ caller, aud: 'wallet', exp: soon() });

/** An identity that claims to be signed by `signer`, signed with the key of the process `by`. */
const forged = (signer: string, by: ProcessName, claims: unknown, keys = testKeys) =>
  signText(`${signer}.test.${encoded(claims)}`, { by, to: 'wallet', keys });
const publicKeyOf = (name: string) => new RegExp(`${name}:test:([^,]+)`).exec(testKeys('wallet').TRUSTED_KEYS)![1]!;
const minutesAway = (minutes: number) =>
  signerOf('gateway', testKeys, { now: () => Date.now() + minutes * 60_000 }).sign(SU, 'wallet');
const valid = () => signerOf('gateway').sign(SU, 'wallet');

const FORGERIES: [string, () => string][] = [
  [
    'the public key of the gateway as a secret',
    () => {
      const text = `gateway.test.${encoded(towardsWallet(SU))}`;
      return `${text}.test.${createHmac('sha256', publicKeyOf('gateway')).update(text).digest('base64url')}`;
    },
  ],
  ['a service that claims to be an administrator', () => forged('calls', 'calls', towardsWallet(SU))],
  [
    'a service that claims to be a person',
    () => {
      const person = { kind: 'user', id: STUDENT, platform: 'student', tokenId: 1 };
      return forged('calls', 'calls', towardsWallet(person));
    },
  ],
  ['a service that signs as the gateway', () => forged('gateway', 'calls', towardsWallet(SU))],
  [
    'a service that claims to be the gateway',
    () => forged('calls', 'calls', towardsWallet({ kind: 'service', name: 'gateway' })),
  ],
  ['a service that claims to be another', () => forged('messaging', 'messaging', towardsWallet(CALLS))],
  ['wallet itself as calls', () => forged('wallet', 'wallet', towardsWallet(CALLS))],
  ['the gateway that claims to be a service', () => forged('gateway', 'gateway', towardsWallet(CALLS))],
  ['an unknown key', () => forged('gateway', 'gateway', towardsWallet(SU), makeKeys('test'))],
  [
    'a signature of calls for identity',
    () => signText(`calls.test.${encoded(towardsWallet(CALLS))}`, { by: 'calls', to: 'identity' }),
  ],
  ['an identity that the gateway signed for identity', () => signerOf('gateway').sign(SU, 'identity')],
  ['an identity that calls signed for identity', () => signerOf('calls').sign(CALLS, 'identity')],
  ['no audience', () => forged('gateway', 'gateway', { caller: SU, exp: soon() })],
  ['an expired identity', () => minutesAway(-4)],
  ['an identity from the future', () => minutesAway(4)],
  ['a truncated signature', () => valid().slice(0, -6)],
  ['no signature', () => valid().replace(/[^.]+$/, '')],
  [
    'other claims with a valid signature',
    () => valid().replace(/[^.]+(?=\.test\.[^.]*$)/, encoded(towardsWallet(CALLS))),
  ],
  ['an unparsable text', () => '....'],
];

const moneyOf = async () => ({
  deposit: await wallet.service.rows('select status from payment where user_id = $1', [STUDENT]),
  transfers: await wallet.service.rows('select count(*)::int as n from transfer'),
  holds: await wallet.service.rows('select count(*)::int as n from hold'),
  accounts: await wallet.service.rows('select user_id, balance from account where balance <> 0'),
});

test.each(FORGERIES)('wallet refuses %s, and no money moves', async (_name, forge) => {
  const before = await moneyOf();
  const headers = { [IDENTITY_HEADER]: forge() };
  const at = (path: string) => `${wallet.service.url}${path}`;
  const answers = [
    await send('PUT', at(`/api/admin/deposits/${deposit}`), { headers, body: { status: 'success' } }),
    await send('POST', at('/api/deposits'), { headers, body: { amount: 5_000 } }),
    await send('POST', at('/internal/holds'), {
      headers,
      body: { reference: 'call:forged', user_id: STUDENT, amount: 1 },
    }),
    await send('POST', at(`/internal/users/${STUDENT}/forfeit`), { headers, body: {} }),
  ];
  for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([401, 'identity_refused']);
  expect(await moneyOf()).toEqual(before);
});

test('the same requests succeed with valid identities', async () => {
  const hold = { reference: 'call:real', user_id: STUDENT, amount: 1 };
  const decided = await send('PUT', `${wallet.service.url}/api/admin/deposits/${deposit}`, {
    headers: { [IDENTITY_HEADER]: valid() },
    body: { status: 'success' },
  });
  expect([decided.status, (await wallet.balance(STUDENT)).balance]).toEqual([200, 5_000]);
  expect((await wallet.service.api.service('calls').post('/internal/holds', hold)).status).toBe(200);
});
