import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { assertSentOnce, startWithOperator, type OperatorPayouts } from './operator-payouts.ts';
import type { Operator } from './operator-stand-in.ts';
import type { Wallet } from './wallet.ts';

/* Webhooks about payouts, and everything that happens to one payout at once. */

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

describe('at once', () => {
  test('while it is being sent it is not settled by hand, and a second worker does not send it', async () => {
    const batch = await payouts.exported('hangs');
    await eventually('it is being sent', () => far.hanging() === 1);
    const { id } = await payouts.item(batch);
    for (const status of ['failed', 'paid']) {
      const { status: code, body } = await payouts.settle(batch, id, { status, message: 'Said on the phone.' });
      expect([code, body.message]).toEqual([
        409,
        'A payment provider may be paying this out. It can be settled by hand once it is uncertain.',
      ]);
    }
    // Its lease ends meanwhile: another worker asks, and learns nothing.
    await wallet.service.shiftClock(120);
    await wallet.service.runJob('ask-providers');
    await payouts.becomes(batch, 'uncertain');
    far.release();
    expect(await payouts.told(await payouts.becomes(batch, 'paid'))).toEqual(['payout_paid']);
  });

  test('many payouts and several runs of the job send each once', async () => {
    const before = far.sends.size;
    const batch = await payouts.exported('paid', 40);
    await Promise.all(Array.from({ length: 6 }, () => wallet.service.runJob('ask-providers')));
    await eventually('the batch is closed', async () => (await payouts.batch(batch)).status === 'closed');
    expect(far.sends.size - before).toBe(40);
    expect((await payouts.batch(batch)).items).toMatchObject({ paid: 40 });
  });

  test('a webhook during the sending settles it once', async () => {
    const batch = await payouts.exported('hangs');
    await eventually('it is being sent', () => far.hanging() === 1);
    const { key } = (
      await wallet.service.rows<{ key: string }>('select payout_key as key from payout_item where batch_id = $1', [
        batch,
      ])
    )[0]!;
    await payouts.hint({ key });
    expect((await payouts.item(batch)).status).toBe('sent');
    far.release();
    const paid = await payouts.becomes(batch, 'paid');
    await Promise.all([payouts.hint({ key }), payouts.hint({ key })]);
    expect(await payouts.told(paid)).toEqual(['payout_paid']);
  });
});

describe('a webhook', () => {
  test('is not believed: what the operator says counts', async () => {
    const batch = await payouts.accepted();
    const { key } = await payouts.known(batch);
    expect((await payouts.hint({ key, status: 'paid' })).body).toEqual({ received: true });
    expect((await payouts.item(batch)).status).toBe('sent');
  });

  test('settles what it is about, by key or reference, before the operator is asked', async () => {
    for (const by of ['key', 'ref'] as const) {
      const batch = await payouts.accepted();
      const theirs = await payouts.known(batch);
      theirs.status = 'paid';
      await payouts.hint({ [by]: theirs[by] });
      expect((await payouts.item(batch)).status).toBe('paid');
    }
  });

  test('of nobody’s payout is taken, and counted', async () => {
    const counted = async () =>
      /payouts_heard_total\{[^}]*provider="operator",by="webhook",outcome="unknown"[^}]*\} (\d+)/.exec(
        await wallet.service.service.metrics.registry.metrics(),
      )![1];
    const before = Number(await counted());
    for (const event of [{ key: 'nobody' }, { ref: 'nobody' }, {}])
      expect((await payouts.hint(event)).body).toEqual({ received: true });
    expect(Number(await counted())).toBe(before + 3);
  });

  test('is sent again when the operator does not answer', async () => {
    const batch = await payouts.accepted();
    const { key } = await payouts.known(batch);
    far.state.isAway = true;
    expect((await payouts.hint({ key })).status).toBe(503);
    expect((await payouts.item(batch)).status).toBe('sent');
  });
});

test('what the operator has for payouts is a gauge, which is absent while it is away', async () => {
  const gauge = async () => {
    await wallet.service.runJob('ask-balances');
    return /payment_provider_balance\{[^}]*provider="operator"[^}]*\} (\d+)/.exec(
      await wallet.service.service.metrics.registry.metrics(),
    )?.[1];
  };
  expect(await gauge()).toBe('70000');
  far.state.isAway = true;
  expect(await gauge()).toBeUndefined();
});
