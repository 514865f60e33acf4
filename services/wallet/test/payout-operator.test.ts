import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { assertSentOnce, startWithOperator, type OperatorPayouts } from './operator-payouts.ts';
import type { Operator } from './operator-stand-in.ts';
import type { Wallet } from './wallet.ts';

/* Payouts by a provider over HTTP that fails in every way: each is sent at most once. */

const HOUR = 3_600;

let wallet: Wallet;
let payouts: OperatorPayouts;
let far: Operator;
beforeAll(async () => {
  ({ wallet, payouts, far } = await startWithOperator());
});
beforeEach(() => void Object.assign(far.state, { mood: 'paid', isAway: false }));
afterEach(() => assertSentOnce(wallet, far));
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

  test('refused: the payout has failed with the message of the operator, and the teacher is notified', async () => {
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

  test('a payout that the operator did not read is not uncertain: it is sent when the operator reads again', async () => {
    const before = far.state.turnedAway;
    const batch = await payouts.exported('turns away');
    const isTakenBack = async () =>
      (await wallet.service.rows('select from payout_item where batch_id = $1 and sending_at is null', [batch]))
        .length === 1;
    await eventually('it is turned away', () => far.state.turnedAway > before);
    await eventually('its sending is taken back', isTakenBack);
    expect(await payouts.item(batch)).toMatchObject({ status: 'sent', provider_ref: null });
    far.be('paid');
    await wallet.service.asOwner('update payout_item set ask_at = app_now() where batch_id = $1', [batch]);
    await wallet.service.runJob('ask-providers');
    expect(await payouts.told(await payouts.becomes(batch, 'paid'))).toEqual(['payout_paid']);
  });

  test('a payout that was sent stays sent when the operator turns our question away, and is never sent again', async () => {
    const batch = await payouts.accepted();
    far.be('turns away');
    await payouts.asked(batch);
    const begun = 'select status from payout_item where batch_id = $1 and sending_at is not null';
    expect(await wallet.service.rows(begun, [batch])).toEqual([{ status: 'sent' }]);
    far.be('paid');
    (await payouts.known(batch)).status = 'paid';
    await payouts.asked(batch);
    expect(await payouts.told(await payouts.becomes(batch, 'paid'))).toEqual(['payout_paid']);
  });

  test('a payout that has not been sent can be settled by hand, and is not sent any more', async () => {
    const batch = await payouts.died({ begun: false });
    const { id } = await payouts.item(batch);
    const decided = await payouts.settle(batch, id, { status: 'failed', message: 'Paid in cash.' });
    expect(decided.body.status).toBe('failed');
    await wallet.service.asOwner('update payout_item set ask_at = app_now() where id = $1', [id]);
    await wallet.service.runJob('ask-providers');
    await eventually('the payout is not due any more', async () => {
      const due = await wallet.service.rows('select from payout_item where id = $1 and ask_at is not null', [id]);
      return due.length === 0;
    });
    expect([...far.sends.keys()]).not.toContain(`key-${id}`);
  });

  test.each([undefined, 'BANK-77'])(
    'an uncertain payout that a person released with the reference %s and the operator has paid is a break',
    async (provider_ref) => {
      const batch = await payouts.exported('mute');
      const uncertain = await payouts.becomes(batch, 'uncertain');
      await payouts.settle(batch, uncertain.id, { status: 'failed', message: 'Said on the phone.', provider_ref });
      expect(await payouts.asked(batch)).toEqual({ next: null });
      expect(await payouts.breaks(uncertain)).toMatchObject([{ kind: 'status', ours: 'failed', theirs: 'paid' }]);
      expect([(await payouts.item(batch)).status, await payouts.told(uncertain)]).toEqual([
        'failed',
        ['payout_failed'],
      ]);
    },
  );

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
