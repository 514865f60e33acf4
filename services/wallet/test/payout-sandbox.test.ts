import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { CHECKER, MAKER, payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

/* Batches of the format `provider`, paid by the sandbox: the last digit of an amount says what happens. */

let wallet: Wallet;
let payouts: Payouts;
beforeAll(async () => {
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
});
afterAll(() => wallet.stop());

const PROVIDER = { format: 'provider' };
const refusal = ({ status, body }: { status: number; body: { message: string } }) => [status, body.message];

interface Item {
  id: number;
  withdrawal_id: number;
  status: string;
  amount: number;
  provider_ref: string | null;
  message: string | null;
  settled_by: object | null;
  user: { id: number };
}

/** An exported batch with one payout for each amount. */
async function batchOf(...amounts: number[]): Promise<number> {
  const ids = [];
  for (const amount of amounts) ids.push(...(await payouts.manyWithdrawals(1, { amount, method: 'momo' })));
  return payouts.exported(ids, PROVIDER);
}
const items = (batch: number): Promise<Item[]> => payouts.items(batch);
const item = async (batch: number): Promise<Item> => (await items(batch))[0]!;
const settled = (batch: number, status: string) =>
  eventually(`the payout is ${status}`, async () => {
    const found = await item(batch);
    return found.status === status && found;
  });
const told = async (user: number) =>
  (await wallet.service.published('money.announced')).filter(({ user_id }) => user_id === user);
const breaks = async (reference: string) =>
  (await payouts.su().post('/api/admin/breaksall', { filter_value: reference })).body.data;
const reference = (batch: number, { withdrawal_id }: Item) => `W${withdrawal_id}-${batch}`;

/** Lets a minute pass, and the job run. */
async function aMinuteLater() {
  await wallet.service.shiftClock(61);
  await wallet.service.runJob('ask-providers');
}

describe('the sandbox', () => {
  test('pays an amount that ends with any other digit, and the batch is closed', async () => {
    const batch = await batchOf(1_000, 1_006);
    const closed = await eventually('the batch is closed', async () => {
      const found = await payouts.batch(batch);
      return found.status === 'closed' && found;
    });
    expect(closed).toMatchObject({ format: 'provider', file: null, exported_at: expect.any(String), amount: 2_006 });
    expect(closed.items).toMatchObject({ sent: 0, paid: 2 });
    for (const paid of await items(batch)) {
      const ref = `sandbox-${reference(batch, paid)}`;
      expect(paid).toMatchObject({ status: 'paid', provider_ref: ref, message: null, settled_by: null });
      expect(await wallet.balance(paid.user.id)).toEqual({ balance: 0, held: 0, available: 0 });
      const withdrawal = (await payouts.su().get(`/api/admin/withdrawals/${paid.withdrawal_id}`)).body;
      expect(withdrawal).toMatchObject({ status: 'success', ref, decided_by: null });
      expect((await told(paid.user.id)).map(({ what }) => what)).toEqual(['payout_paid']);
    }
    const live = (await wallet.service.live()).filter(
      ({ event, data }) => event === 'payout.batch' && data['id'] === batch,
    );
    expect([live.at(-1)!.to, live.at(-1)!.data['status']]).toEqual(['admins', 'closed']);
  });

  test('1: refuses it, and the money is the teacher’s again', async () => {
    const batch = await batchOf(1_001);
    const failed = await settled(batch, 'failed');
    expect(failed).toMatchObject({ message: 'The sandbox refuses this amount.', settled_by: null });
    expect(await wallet.balance(failed.user.id)).toEqual({ balance: 1_001, held: 0, available: 1_001 });
    expect(await told(failed.user.id)).toMatchObject([
      { what: 'payout_failed', details: failed.message, amount: 1_001 },
    ]);
    expect((await payouts.batch(batch)).status).toBe('closed');
  });

  test('2: does not answer: it is uncertain until a person decides', async () => {
    const batch = await batchOf(1_002);
    const uncertain = await settled(batch, 'uncertain');
    await aMinuteLater();
    await wallet.service.shiftClock(0);
    expect((await item(batch)).status).toBe('uncertain');
    expect(await wallet.balance(uncertain.user.id)).toMatchObject({ held: 1_002 });
    expect(await told(uncertain.user.id)).toEqual([]);
    expect(refusal(await payouts.put(uncertain.withdrawal_id, 'failed'))).toEqual([
      409,
      `This withdrawal is in payout batch ${batch}.`,
    ]);
    expect((await payouts.make([uncertain.withdrawal_id], PROVIDER)).status).toBe(409);
    const decided = await payouts.settle(batch, uncertain.id, { status: 'failed', message: 'Nothing was paid.' });
    expect(decided.body).toMatchObject({ status: 'failed', settled_by: { id: CHECKER } });
    expect((await payouts.batch(batch)).status).toBe('closed');
  });

  test('3: pays it and takes it back later: the money is the teacher’s again, and somebody looks into it', async () => {
    const batch = await batchOf(1_003);
    const { user } = await eventually('it was paid', async () => {
      const found = await item(batch);
      return ['paid', 'returned'].includes(found.status) && found;
    });
    await aMinuteLater();
    const returned = await settled(batch, 'returned');
    await wallet.service.shiftClock(0);
    expect(returned).toMatchObject({ message: 'It came back.', settled_by: null });
    expect(await wallet.balance(user.id)).toEqual({ balance: 1_003, held: 0, available: 1_003 });
    expect((await told(user.id)).map(({ what }) => what)).toEqual(['payout_paid', 'payout_returned']);
    expect(await payouts.status(returned.withdrawal_id)).toBe('failed');
    expect(await breaks(reference(batch, returned))).toMatchObject([
      { kind: 'returned', provider: 'sandbox', ours: 'paid', theirs: 'returned', status: 'open' },
    ]);
    expect((await payouts.batch(batch)).status).toBe('closed');
  });

  test('4: pays it half a minute later', async () => {
    const batch = await batchOf(1_004);
    await eventually('it is accepted', async () => (await item(batch)).provider_ref !== null);
    await aMinuteLater();
    const paid = await settled(batch, 'paid');
    await wallet.service.shiftClock(0);
    expect((await told(paid.user.id)).map(({ what }) => what)).toEqual(['payout_paid']);
  });

  test('5: sends the webhook twice, and pays it once', async () => {
    const batch = await batchOf(1_005);
    const paid = await settled(batch, 'paid');
    expect((await told(paid.user.id)).map(({ what }) => what)).toEqual(['payout_paid']);
    expect(await wallet.balance(paid.user.id)).toEqual({ balance: 0, held: 0, available: 0 });
  });

  test('is counted, and what it has is a gauge', async () => {
    await wallet.service.runJob('ask-balances');
    const metrics = await wallet.service.service.metrics.registry.metrics();
    for (const request of ['payout', 'ask_payout', 'balance'])
      expect(metrics).toMatch(
        new RegExp(`requests_total\\{[^}]*"sandbox",request="${request}",outcome="done"[^}]*\\} [1-9]`),
      );
    expect(metrics).toMatch(/payment_provider_balance\{[^}]*provider="sandbox"[^}]*\} 1000000000/);
    expect(metrics).toMatch(/payouts_heard_total\{[^}]*provider="sandbox",by="webhook",outcome="applied"/);
  });
});

describe('a batch for a provider', () => {
  test('takes no withdrawal in the old form, and then claims nothing', async () => {
    const [{ id: old }, [stored]] = [await payouts.withdrawal(), await payouts.manyWithdrawals(1, { method: 'momo' })];
    expect(refusal(await payouts.make([stored!, old], PROVIDER))).toEqual([
      409,
      `Withdrawal ${old} is to no stored payout account, which a payment provider needs. Nothing was changed.`,
    ]);
    expect([await payouts.status(stored!), await payouts.status(old)]).toEqual(['initiated', 'initiated']);
  });

  test('has no file and takes no results, and a repeated export changes nothing', async () => {
    const batch = await batchOf(1_002);
    await settled(batch, 'uncertain');
    const before = await payouts.batch(batch);
    expect((await payouts.act(batch, 'export')).body).toEqual(before);
    expect(refusal(await payouts.su().get(`/api/admin/payout-batches/${batch}/file`))).toEqual([
      409,
      'A payment provider pays this batch. It has no file.',
    ]);
    expect(refusal(await payouts.results(batch, 'reference,status\nW1-1,paid'))).toEqual([
      409,
      'A payment provider pays this batch and is asked for its results. Nothing was changed.',
    ]);
    expect(await payouts.batch(batch)).toEqual(before);
  });

  test('is approved by another administrator where the setting says so', async () => {
    await payouts.setting('payout_checker_from', 1_000);
    const [id] = await payouts.manyWithdrawals(1, { amount: 1_002, method: 'momo' });
    const { body } = await payouts.make([id!], PROVIDER);
    expect((await payouts.act(body.id, 'approve', MAKER)).status).toBe(409);
    expect((await payouts.act(body.id, 'export')).status).toBe(409);
    expect((await payouts.act(body.id, 'approve', CHECKER)).status).toBe(200);
    expect((await payouts.act(body.id, 'export')).status).toBe(200);
    const { id: uncertain } = await settled(body.id, 'uncertain');
    const settlement = { status: 'failed', message: 'Nothing was paid.' };
    expect((await payouts.settle(body.id, uncertain, settlement, MAKER)).status).toBe(409);
    expect((await payouts.settle(body.id, uncertain, settlement, CHECKER)).status).toBe(200);
    await payouts.setting('payout_checker_from', 0);
  });

  test('the person whose payout is under way is not deleted', async () => {
    const { user } = await settled(await batchOf(1_002), 'uncertain');
    const { body } = await wallet.service.api
      .service('identity')
      .post(`/internal/users/${user.id}/obligations`, { forfeit: true });
    expect(body).toMatchObject({ open_withdrawals: 1 });
    expect(body.frozen).toBeUndefined();
  });
});

test('a webhook about a payout must be signed, and an unknown one changes nothing', async () => {
  const event = { id: 'evt-1', type: 'payout.updated', payout_key: 'nobody' };
  expect((await wallet.webhook(event, { secret: 'another secret of tests' })).status).toBe(400);
  expect((await wallet.webhook(event)).body).toEqual({ received: true });
});

test('the audit finds nothing', async () => {
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
});
