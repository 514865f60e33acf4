import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TestResponse } from '@tutoring/shared/testing/client';
import type { CrashPoint } from '@tutoring/shared/testing/database-proxy';
import { crashPoints, runScenarios } from '@tutoring/shared/testing/lives';
import { startCrashingReplicas, type CrashingReplicas } from '@tutoring/shared/testing/replica';
import { LOAD_TIMEOUT_MS, scaled } from '@tutoring/shared/testing/scale';
import { eventually } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { CHECKER, MAKER, payoutsOf, type Payouts } from './payouts.ts';
import { startWallet, type Wallet } from './wallet.ts';

/*
 * Random lives of batches with crashes between any two messages to the database. After every step each item, its
 * withdrawal and its money agree, so that the sum of a batch's items is what is captured, released and held; and every
 * payout has gone only ways that the tables allow. A payout that a bank has paid once is never sent again.
 */

const SECONDS = scaled(1_500, 40);

type Wish =
  | { do: 'make'; picks: number[]; by: number }
  | { do: 'approve' | 'cancel' | 'export'; batch: number; by: number }
  | { do: 'remove'; batch: number; item: number }
  | { do: 'report'; batch: number; said: string[] }
  | { do: 'apply again' }
  | { do: 'settle'; batch: number; item: number; status: string; by: number }
  | { do: 'decide'; withdrawal: number; status: string }
  | { do: 'cancel withdrawal'; withdrawal: number };
type Command = Wish | { do: 'die'; during: Wish[]; death: CrashPoint };

const nr = fc.nat({ max: 9 });
const by = fc.constantFrom(MAKER, CHECKER);
const of = <Kind extends Command['do']>(kind: Kind, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ do: fc.constant(kind), ...fields }) as fc.Arbitrary<Extract<Command, { do: Kind }>>;
const step = (kind: 'approve' | 'cancel' | 'export', weight: number) => ({
  weight,
  arbitrary: of(kind, { batch: nr, by }),
});

const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 5, arbitrary: of('make', { picks: fc.uniqueArray(nr, { minLength: 1, maxLength: 4 }), by }) },
  step('approve', 5),
  step('export', 5),
  step('cancel', 1),
  { weight: 2, arbitrary: of('remove', { batch: nr, item: nr }) },
  {
    weight: 6,
    arbitrary: of('report', {
      batch: nr,
      said: fc.array(fc.constantFrom('paid', 'failed', 'who knows'), { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: of('apply again') },
  {
    weight: 3,
    arbitrary: of('settle', { batch: nr, item: nr, status: fc.constantFrom('paid', 'failed', 'returned'), by }),
  },
  {
    weight: 3,
    arbitrary: of('decide', { withdrawal: nr, status: fc.constantFrom('initiated', 'pending', 'success', 'failed') }),
  },
  { weight: 1, arbitrary: of('cancel withdrawal', { withdrawal: nr }) },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 12, arbitrary: wish },
  {
    weight: 2,
    arbitrary: of('die', {
      during: fc.array(wish, { minLength: 1, maxLength: 4, size: 'max' }),
      death: crashPoints(6),
    }),
  },
);

let wallet: Wallet;
let payouts: Payouts;
let mortals: CrashingReplicas;
beforeAll(async () => {
  wallet = await startWallet();
  payouts = payoutsOf(wallet);
  mortals = await startCrashingReplicas(wallet.service, new URL('../src/main.ts', import.meta.url));
  await payouts.setting('payout_checker_from', 2_500);
});
afterAll(async () => {
  await mortals.stop();
  await wallet.stop();
});

interface Seen {
  id: number;
  batch_id: number;
  withdrawal_id: number;
  status: string;
  amount: number;
  batch: string;
  withdrawal: string;
  captured: number;
  held: number;
}

const LOOK = `
  select i.id, i.batch_id, i.withdrawal_id, i.status, i.amount, b.status as batch, w.status as withdrawal,
    (select coalesce(sum(case kind when 'withdrawal' then t.amount else -t.amount end), 0) from transfer t
      where t.kind in ('withdrawal', 'withdrawal_reversal') and t.withdrawal_id = i.withdrawal_id) as captured,
    (select coalesce(sum(h.amount), 0) from hold h where h.state = 'open' and h.withdrawal_id = i.withdrawal_id) as held
  from payout_item i join payout_batch b on b.id = i.batch_id join withdrawal w on w.id = i.withdrawal_id
  where i.withdrawal_id = any($1::bigint[]) order by i.id`;

const OPEN = ['waiting', 'sent', 'uncertain'];
/** Every way of an item, by the states before and after any number of steps. */
const WAYS: Record<string, string[]> = {
  waiting: ['waiting', 'sent', 'uncertain', 'paid', 'failed', 'returned', 'removed'],
  sent: ['sent', 'uncertain', 'paid', 'failed', 'returned'],
  uncertain: ['uncertain', 'paid', 'failed', 'returned'],
  paid: ['paid', 'returned'],
  failed: ['failed'],
  removed: ['removed'],
  returned: ['returned'],
};

/** One life: withdrawals of five teachers, and what happens to them. */
async function playLife(commands: Command[]): Promise<void> {
  const ids = await payouts.manyWithdrawals(10, { teachers: 5 });
  const batches: number[] = [];
  let lastImport: { batch: number; id: number } | undefined;
  let before = new Map<number, string>();
  const batchOf = (index: number) => batches[index % batches.length] ?? 0;

  async function send(wanted: Wish): Promise<TestResponse | undefined> {
    switch (wanted.do) {
      case 'make':
        return payouts.make(
          wanted.picks.map((pick) => ids[pick]!),
          {},
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
      default:
        return payouts.act(batchOf(wanted.batch), wanted.do, wanted.by);
    }
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
        return got?.status === 503 ? undefined : (got ?? { status: 0 });
      });
      expect(answer.status).not.toBe(500);
      await check();
    }
  }
}

test(
  'random lives of batches, with crashes at any point, keep items, withdrawals and money together',
  async () => {
    const lives = fc.array(command, { minLength: 30, maxLength: 30, size: 'max' });
    expect(await runScenarios(lives, playLife, SECONDS)).toBeGreaterThan(0);
    const closed = await wallet.service.rows<{ open: number; exported: number }>(
      `select count(*) as exported, count(*) filter (where not exists (select from payout_item i
         where i.batch_id = b.id and i.status in ('waiting', 'sent', 'uncertain'))) as open
       from payout_batch b where status = 'exported'`,
    );
    // A batch is closed in the transaction that settles its last item, so that no crash leaves it exported.
    expect(closed[0]!.open).toBe(0);
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  },
  LOAD_TIMEOUT_MS,
);
