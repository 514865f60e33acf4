import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { runScenarios } from '@tutoring/shared/testing/lives';
import { startCrashingReplicas, type CrashingReplicas } from '@tutoring/shared/testing/replica';
import { LOAD_TIMEOUT_MS, scaled } from '@tutoring/shared/testing/scale';
import { eventually } from '@tutoring/shared/testing/wait';
import { PROVIDERS } from '../src/providers/registry.ts';
import { operator } from './operator.ts';
import { OPERATOR_KEY, startOperator, type Operator } from './operator-stand-in.ts';
import { endAt, lives, LOOK, OPEN, turn, WAYS, type Command, type Seen, type Wish } from './payout-model.ts';
import { payoutsOf, type Payouts } from './payouts.ts';
import type { Wallet } from './wallet.ts';

/*
 * Random lives of batches, of files and of an operator who pays, fails, is silent and lies, with crashes between any two
 * messages to the database. After every step each item, its
 * withdrawal and its money agree, so that the sum of a batch's items is what is captured, released and held; and every
 * payout has gone only ways that the tables allow. A payout is sent to
 * the operator once, and what the operator has paid is released by a person alone.
 */

const SECONDS = scaled(1_500, 40);

let wallet: Wallet;
let payouts: Payouts;
let far: Operator;
let mortals: CrashingReplicas;
beforeAll(async () => {
  PROVIDERS.push(operator);
  far = await startOperator();
  const { startWallet } = await import('./wallet.ts');
  wallet = await startWallet({ ...far.env, PAYMENT_METHODS: JSON.stringify({ momo: 'operator' }) });
  payouts = payoutsOf(wallet);
  mortals = await startCrashingReplicas(wallet.service, new URL('payout-model-main.ts', import.meta.url));
  await payouts.setting('payout_checker_from', 2_500);
});
afterAll(async () => {
  await mortals.stop();
  await wallet.stop();
  await far.stop();
});

/** One life: withdrawals of five teachers, and what happens to them. */
async function playLife(commands: Command[]): Promise<void> {
  const ids = await payouts.manyWithdrawals(10, { teachers: 5, method: 'momo' });
  const batches: number[] = [];
  let lastImport: { batch: number; id: number } | undefined;
  let before = new Map<number, string>();
  const batchOf = (index: number) => batches[index % batches.length] ?? 0;

  async function send(wanted: Wish): Promise<TestResponse | undefined> {
    switch (wanted.do) {
      case 'make':
        return payouts.make(
          wanted.picks.map((pick) => ids[pick]!),
          { format: wanted.format },
          wanted.by,
        );
      case 'remove':
      case 'settle': {
        const batch = batchOf(wanted.batch);
        const found = await look();
        const own = found.filter((item) => item.batch_id === batch);
        const item = own[wanted.item % Math.max(1, own.length)];
        if (!item) return undefined;
        return wanted.do === 'remove'
          ? payouts.su().delete(`/api/admin/payout-batches/${batch}/items/${item.id}`)
          : payouts.settle(batch, item.id, { status: wanted.status, message: 'said' }, wanted.by);
      }
      case 'report': {
        const batch = batchOf(wanted.batch);
        const own = (await look()).filter((item) => item.batch_id === batch);
        const lines = own.map(
          (item, index) => `W${item.withdrawal_id}-${batch},${wanted.said[index % wanted.said.length]}`,
        );
        const read = await payouts.results(batch, ['reference,status', ...lines].join('\n'));
        if (read.status !== 200) return read;
        lastImport = { batch, id: read.body.import_id };
        return payouts.apply(batch, read.body.import_id);
      }
      case 'apply again':
        return lastImport && payouts.apply(lastImport.batch, lastImport.id);
      case 'decide':
        return payouts.put(ids[wanted.withdrawal]!, wanted.status);
      case 'cancel withdrawal':
        return wallet.service.api.teacher(1).post(`/api/withdrawals/${ids[wanted.withdrawal]!}/cancel`);
      case 'operator':
        return void turn(far, wanted.mood);
      case 'end':
        return void endAt(far, await keyOf(wanted.payout), wanted.isPaid);
      case 'hint': {
        const event = { key: await keyOf(wanted.payout) };
        const headers = { 'operator-key': OPERATOR_KEY };
        return wallet.service.api.anonymous.post('/api/webhooks/payments/operator', event, headers);
      }
      case 'wait':
        return void (await wait(wanted.days));
      default:
        return payouts.act(batchOf(wanted.batch), wanted.do, wanted.by);
    }
  }

  /** The key of a payout that the operator was asked for. */
  async function keyOf(index: number): Promise<string> {
    const keys = (await look()).flatMap(({ key }) => key ?? []);
    return keys[index % Math.max(1, keys.length)] ?? 'nobody';
  }

  /** Lets days pass for payouts, or as long as until the operator is asked next: a lease may end while its call runs. */
  async function wait(days: number): Promise<void> {
    await wallet.service.asOwner(
      `update payout_item set ask_at = app_now(), sending_at = sending_at - make_interval(days => $2)
       where ask_at is not null and withdrawal_id = any($1::bigint[])`,
      [ids, days],
    );
    await wallet.service.runJob('ask-providers');
  }

  const look = () => wallet.service.rows<Seen>(LOOK, [ids]);

  /** Checks items, withdrawals and money against each other, and the ways of the items. */
  async function check(): Promise<void> {
    const found = await look();
    for (const item of found) {
      const isLatest = !found.some((other) => other.withdrawal_id === item.withdrawal_id && other.id > item.id);
      const { status, amount, captured, held, withdrawal, batch } = item;
      expect([item, WAYS[before.get(item.id) ?? 'waiting']]).toEqual([item, expect.arrayContaining([status])]);
      if (OPEN.includes(status)) expect([item, withdrawal, held, captured]).toEqual([item, 'pending', amount, 0]);
      if (status === 'paid') expect([item, withdrawal, held, captured]).toEqual([item, 'success', 0, amount]);
      // What is not held or captured is released: nothing else ever happens to the amount of an item.
      if (isLatest) expect([item, held + captured === amount || held + captured === 0]).toEqual([item, true]);
      if (status === 'waiting') expect(['draft', 'approved']).toContain(batch);
      if (['sent', 'uncertain'].includes(status)) expect(batch).toBe('exported');
    }
    const released = found.filter(({ key, status, is_by_hand }) => key && status === 'failed' && !is_by_hand);
    expect(released.filter(({ key }) => ['paid', 'pending'].includes(far.payouts.get(key!)?.status ?? ''))).toEqual([]);
    expect([...far.sends].filter(([, count]) => count > 1)).toEqual([]);
    const open = found.filter(({ status }) => OPEN.includes(status)).map((item) => item.withdrawal_id);
    expect(new Set(open).size).toBe(open.length);
    for (const { batch, batch_id } of found)
      if (batch === 'closed')
        expect(found.filter((item) => item.batch_id === batch_id && OPEN.includes(item.status))).toEqual([]);
    before = new Map(found.map(({ id, status }) => [id, status]));
    batches.splice(0, batches.length, ...new Set(found.map(({ batch_id }) => batch_id)));
  }

  for (const wanted of commands) {
    if (wanted.do === 'die') {
      await mortals.die(wanted.death, () =>
        Promise.all(wanted.during.map((each) => send(each).catch(() => undefined))),
      );
      await check();
    } else {
      const answer = await eventually('an answer', async () => {
        const got = await send(wanted).catch(() => undefined);
        // A provider that is away makes a webhook come again; here it does not.
        const isBusy = got?.status === 503 && !(wanted.do === 'hint' && far.state.isAway);
        return isBusy ? undefined : (got ?? { status: 0 });
      });
      expect(answer.status).not.toBe(500);
      await check();
    }
  }
}

test(
  'random lives of batches, with crashes at any point, keep items, withdrawals and money together',
  async () => {
    expect(await runScenarios(lives, playLife, SECONDS)).toBeGreaterThan(0);
    const closed = await wallet.service.rows<{ open: number; exported: number }>(
      `select count(*) as exported, count(*) filter (where not exists (select from payout_item i
         where i.batch_id = b.id and i.status in ('waiting', 'sent', 'uncertain'))) as open
       from payout_batch b where status = 'exported'`,
    );
    expect(far.sends.size).toBeGreaterThan(0);
    // A batch is closed in the transaction that settles its last item, so that no crash leaves it exported.
    expect(closed[0]!.open).toBe(0);
    const { audit } = await import('../src/audit/audit-store.ts');
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  },
  LOAD_TIMEOUT_MS,
);
