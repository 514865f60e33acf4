import { expect } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { PROVIDERS } from '../src/providers/registry.ts';
import { operator } from './operator.ts';
import { OPERATOR_KEY, startOperator, type Mood, type Operator } from './operator-stand-in.ts';
import { payoutsOf } from './payouts.ts';
import type { Wallet } from './wallet.ts';

export interface Item {
  id: number;
  withdrawal_id: number;
  reference: string;
  status: string;
  provider_ref: string | null;
  settled_by: object | null;
  user: { id: number };
}

/** The common steps of the tests of payouts by the operator. */
export function operatorPayouts(wallet: Wallet, far: Operator) {
  const payouts = payoutsOf(wallet);

  async function exported(mood: Mood, count = 1): Promise<number> {
    far.be(mood);
    return payouts.exported(await payouts.manyWithdrawals(count, { method: 'momo' }), { format: 'provider' });
  }
  const item = async (batch: number): Promise<Item> => (await payouts.items(batch))[0];
  const becomes = (batch: number, status: string) =>
    eventually(`the payout is ${status}`, async () => {
      const found = await item(batch);
      return found.status === status && found;
    });
  const told = async ({ user }: Item) =>
    (await wallet.service.published('money.announced'))
      .filter(({ user_id }) => user_id === user.id)
      .map(({ what }) => what);
  const breaks = async ({ reference }: Item) =>
    (await payouts.su().post('/api/admin/breaksall', { filter_value: reference })).body.data;
  const hint = (event: object, key = OPERATOR_KEY) =>
    wallet.service.api.anonymous.post('/api/webhooks/payments/operator', event, { 'operator-key': key });
  /** What the operator has of the payout of this batch. */
  const known = async (batch: number) => far.byReference((await item(batch)).reference)!;

  /** Makes the payouts due, and waits until the provider has been asked about this one. */
  async function asked(batch: number) {
    const { id } = await item(batch);
    await wallet.service.asOwner('update payout_item set ask_at = app_now() where ask_at is not null and id = $1', [
      id,
    ]);
    await wallet.service.runJob('ask-providers');
    return eventually('the answer is recorded', async () => {
      const [row] = await wallet.service.rows<{ next: number | null; is_due: boolean }>(
        `select round(extract(epoch from ask_at - sending_at) / 60)::int as next,
           coalesce(ask_at < app_now() + interval '61 seconds'
             and ask_at - sending_at not in (interval '30 seconds', interval '1 minute'), false) as is_due
         from payout_item where id = $1`,
        [id],
      );
      return !row!.is_due && { next: row!.next };
    });
  }

  /** Leaves the payout of a batch as a process does that died before or after its sending began. */
  async function died({ begun }: { begun: boolean }): Promise<number> {
    const batch = await payouts.exported(await payouts.manyWithdrawals(1, { method: 'momo' }));
    const { id } = await item(batch);
    await wallet.service.asOwner(
      `update payout_item set provider = 'operator', payout_key = 'key-' || id, ask_at = app_now() + interval '1 minute',
         sending_at = case when $2 then app_now() end where id = $1`,
      [id, begun],
    );
    return batch;
  }

  /** An exported payout that the operator has accepted. */
  async function accepted(): Promise<number> {
    const batch = await exported('pending');
    await eventually('it is accepted', async () => (await item(batch)).provider_ref !== null);
    return batch;
  }

  return { ...payouts, exported, accepted, item, becomes, told, breaks, hint, known, asked, died };
}

export type OperatorPayouts = ReturnType<typeof operatorPayouts>;

/** Starts an operator, and a wallet that pays the method `momo` through it. */
export async function startWithOperator() {
  PROVIDERS.push(operator);
  const far = await startOperator();
  const { startWallet } = await import('./wallet.ts');
  const wallet = await startWallet({ ...far.env, PAYMENT_METHODS: JSON.stringify({ momo: 'operator' }) });
  return { wallet, far, payouts: operatorPayouts(wallet, far) };
}

/** After each test: nothing was sent twice, and the ledger adds up. */
export async function assertSentOnce(wallet: Wallet, far: Operator): Promise<void> {
  await wallet.service.shiftClock(0);
  expect([...far.sends.values()].filter((count) => count > 1)).toEqual([]);
  const { audit } = await import('../src/audit/audit-store.ts');
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
}
