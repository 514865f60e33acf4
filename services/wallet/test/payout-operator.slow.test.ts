import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { PROVIDERS } from '../src/providers/registry.ts';
import { operator } from './operator.ts';
import { operatorPayouts, type OperatorPayouts } from './operator-payouts.ts';
import { startOperator, type Operator } from './operator-stand-in.ts';
import type { Wallet } from './wallet.ts';

/* Payouts by a provider over HTTP that fails in every way: each is sent at most once. */

const HOUR = 3_600;

let wallet: Wallet;
let payouts: OperatorPayouts;
let far: Operator;
beforeAll(async () => {
  PROVIDERS.push(operator);
  far = await startOperator();
  const { startWallet } = await import('./wallet.ts');
  wallet = await startWallet({ ...far.env, PAYMENT_METHODS: JSON.stringify({ momo: 'operator' }) });
  payouts = operatorPayouts(wallet, far);
});
beforeEach(() => void Object.assign(far.state, { mood: 'paid', isAway: false }));
afterEach(async () => {
  await wallet.service.shiftClock(0);
  expect([...far.sends.values()].filter((count) => count > 1)).toEqual([]);
  const { audit } = await import('../src/audit/audit-store.ts');
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
});
afterAll(async () => {
  await wallet.stop();
  await far.stop();
});

describe('what the operator answers', () => {
  test('paid: the payout is paid, at once', async () => {
    const paid = await payouts.becomes(await payouts.exported('paid'), 'paid');
    expect([paid.provider_ref, await payouts.told(paid)]).toEqual([
      far.byReference(paid.reference)!.ref,
      ['payout_paid'],
    ]);
  });

  test('refused: the payout has failed, and its message is told', async () => {
    const failed = await payouts.becomes(await payouts.exported('failed'), 'failed');
    expect(failed).toMatchObject({ message: 'The wallet is full.', settled_by: null });
    expect(await payouts.told(failed)).toEqual(['payout_failed']);
  });

  test('accepted: it stays sent, and is paid or refused later', async () => {
    for (const [later, ended] of [
      ['paid', 'paid'],
      ['failed', 'failed'],
    ] as const) {
      const batch = await payouts.accepted();
      await payouts.asked(batch);
      expect((await payouts.item(batch)).status).toBe('sent');
      (await payouts.known(batch)).status = later;
      await payouts.asked(batch);
      expect(await payouts.told(await payouts.becomes(batch, ended))).toEqual([`payout_${ended}`]);
    }
  });

  test.each([
    ['a request that got lost', 'lost'],
    ['an answer that got lost', 'mute'],
    ['a word that nobody knows', 'strange word'],
  ] as const)('%s: the payout is uncertain, and never sent again', async (_case, mood) => {
    const batch = await payouts.exported(mood);
    const uncertain = await payouts.becomes(batch, 'uncertain');
    far.be('paid');
    far.state.isAway = true;
    await payouts.asked(batch);
    expect((await payouts.item(batch)).status).toBe('uncertain');
    expect(await wallet.balance(uncertain.user.id)).toMatchObject({ held: 1_000 });
    expect(await payouts.told(uncertain)).toEqual([]);
  });

  test('an uncertain payout that the operator has paid is paid', async () => {
    const batch = await payouts.exported('mute');
    const uncertain = await payouts.becomes(batch, 'uncertain');
    await payouts.asked(batch);
    expect(await payouts.told(await payouts.becomes(batch, 'paid'))).toEqual(['payout_paid']);
    expect(await wallet.balance(uncertain.user.id)).toEqual({ balance: 0, held: 0, available: 0 });
    expect((await payouts.batch(batch)).status).toBe('closed');
  });

  test('its "failed" about an uncertain payout is a break, and a person decides', async () => {
    const batch = await payouts.exported('mute');
    const uncertain = await payouts.becomes(batch, 'uncertain');
    (await payouts.known(batch)).status = 'failed';
    expect(await payouts.asked(batch)).toEqual({ next: null });
    expect(await payouts.breaks(uncertain)).toMatchObject([
      { kind: 'status', provider: 'operator', ours: 'uncertain', theirs: 'failed', amount_ours: 1_000 },
    ]);
    expect((await payouts.item(batch)).status).toBe('uncertain');
    const decided = await payouts.settle(batch, uncertain.id, { status: 'failed', message: 'The operator is right.' });
    expect(decided.body.status).toBe('failed');
  });

  test('an uncertain payout that a person released and the operator has paid is a break', async () => {
    const batch = await payouts.exported('mute');
    const uncertain = await payouts.becomes(batch, 'uncertain');
    await payouts.settle(batch, uncertain.id, { status: 'failed', message: 'Said on the phone.' });
    await payouts.asked(batch);
    expect(await payouts.breaks(uncertain)).toMatchObject([{ kind: 'status', ours: 'failed', theirs: 'paid' }]);
    expect([(await payouts.item(batch)).status, await payouts.told(uncertain)]).toEqual(['failed', ['payout_failed']]);
  });

  test('"failed" about a paid payout is a break, "returned" gives the money back', async () => {
    const batch = await payouts.exported('paid');
    const paid = await payouts.becomes(batch, 'paid');
    const theirs = await payouts.known(batch);
    theirs.status = 'failed';
    await payouts.hint({ key: theirs.key });
    expect(await payouts.breaks(paid)).toMatchObject([{ kind: 'status', ours: 'paid', theirs: 'failed' }]);
    theirs.status = 'returned';
    await Promise.all([
      payouts.hint({ key: theirs.key }),
      payouts.hint({ ref: theirs.ref }),
      payouts.hint({ key: theirs.key }),
    ]);
    expect((await payouts.item(batch)).status).toBe('returned');
    expect(await payouts.told(paid)).toEqual(['payout_paid', 'payout_returned']);
    expect(await wallet.balance(paid.user.id)).toEqual({ balance: 1_000, held: 0, available: 1_000 });
    expect((await payouts.breaks(paid)).map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
      'returned',
      'status',
    ]);
  });

  test.each([
    ['amount', 999],
    ['currency', 'EUR'],
  ])('another %s settles nothing: it is a break, and the payout uncertain', async (field, value) => {
    const batch = await payouts.accepted();
    const sent = await payouts.item(batch);
    Object.assign(await payouts.known(batch), { status: 'paid', [field]: value });
    expect(await payouts.asked(batch)).toEqual({ next: null });
    expect((await payouts.item(batch)).status).toBe('uncertain');
    expect(await payouts.breaks(sent)).toMatchObject([{ kind: 'amount', amount_ours: 1_000 }]);
    expect(await payouts.told(sent)).toEqual([]);
  });
});

describe('time', () => {
  test('an accepted payout without an end in three days is uncertain, and the operator is asked no more', async () => {
    const batch = await payouts.accepted();
    await wallet.service.shiftClock(73 * HOUR);
    expect(await payouts.asked(batch)).toEqual({ next: null });
    expect((await payouts.item(batch)).status).toBe('uncertain');
  });

  test('while the operator is away it is asked again, hourly and beyond three days', async () => {
    const batch = await payouts.exported('lost');
    await payouts.becomes(batch, 'uncertain');
    far.state.isAway = true;
    await wallet.service.shiftClock(2 * HOUR);
    expect(await payouts.asked(batch)).toEqual({ next: 150 });
    await wallet.service.shiftClock(73 * HOUR);
    expect(await payouts.asked(batch)).toEqual({ next: 73 * 60 + 30 });
  });
});

describe('a crash', () => {
  test('before the sending began: it is sent when the lease has ended', async () => {
    const batch = await payouts.died({ begun: false });
    await payouts.asked(batch);
    const paid = await payouts.becomes(batch, 'paid');
    expect([...far.sends.keys()]).toContain(`key-${paid.id}`);
  });

  test('after it began, of what the operator does not know: it is uncertain', async () => {
    const batch = await payouts.died({ begun: true });
    await payouts.asked(batch);
    const uncertain = await payouts.becomes(batch, 'uncertain');
    expect([...far.sends.keys()]).not.toContain(`key-${uncertain.id}`);
  });

  test.each(['paid', 'failed'])('after it began, of what the operator calls %s: that counts', async (status) => {
    const batch = await payouts.died({ begun: true });
    const { id, reference } = await payouts.item(batch);
    const taken = { key: `key-${id}`, ref: `lost-${id}`, reference, status, amount: 1_000, currency: 'XOF' };
    far.payouts.set(taken.key, taken);
    await payouts.asked(batch);
    expect(await payouts.told(await payouts.becomes(batch, status))).toEqual([`payout_${status}`]);
  });
});
