import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { crashPoints, runScenarios } from '@tutoring/shared/testing/lives';
import { startCrashingReplicas, type CrashingReplicas } from '@tutoring/shared/testing/replica';
import { LOAD_TIMEOUT_MS, scaled } from '@tutoring/shared/testing/scale';
import { eventually } from '@tutoring/shared/testing/wait';
import { audit } from '../src/audit/audit-store.ts';
import { STATUSES } from '../src/records/record.ts';
import type { Command, Wish } from './model.ts';
import { REGRESSIONS } from './model-regressions.ts';
import { playLife } from './model-run.ts';
import { startWallet, type Wallet } from './wallet.ts';

const SECONDS = scaled(3_000, 45);
const COMMANDS = 50;

const amount = fc.integer({ min: 1, max: 400 });
const call = fc.integer({ min: 0, max: 3 });
const pick = fc.nat({ max: 9 });
const status = fc.constantFrom(...STATUSES);
const of = <Kind extends Command['do']>(kind: Kind, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ do: fc.constant(kind), ...fields }) as fc.Arbitrary<Extract<Command, { do: Kind }>>;

const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 24, arbitrary: of('deposit', { student: fc.nat({ max: 1 }), amount }) },
  {
    weight: 40,
    arbitrary: of('provider', {
      deposit: pick,
      outcome: fc.constantFrom('succeeded', 'succeeded', 'failed', 'canceled'),
    }),
  },
  { weight: 16, arbitrary: of('decide deposit', { deposit: pick, status }) },
  { weight: 24, arbitrary: of('hold', { call, amount }) },
  { weight: 12, arbitrary: of('release', { call }) },
  {
    weight: 80,
    arbitrary: of('charge', {
      call,
      again: fc.boolean(),
      amount: fc.integer({ min: 1, max: 150 }),
      percent: fc.constantFrom(0, 7, 33, 100),
      next: fc.constantFrom(0, 30, 120),
    }),
  },
  { weight: 20, arbitrary: of('refund', { call, amount: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 24, arbitrary: of('withdraw', { teacher: fc.nat({ max: 1 }), amount: fc.integer({ min: 1, max: 120 }) }) },
  { weight: 32, arbitrary: of('decide withdrawal', { withdrawal: pick, status }) },
  { weight: 12, arbitrary: of('cancel withdrawal', { withdrawal: pick }) },
  {
    weight: 40,
    arbitrary: of('claim', {
      deposit: pick,
      which: fc.constantFrom('whole', 'half', 'refund'),
      word: fc.constantFrom('opened', 'won', 'lost'),
    }),
  },
  { weight: 8, arbitrary: of('write off', { dispute: pick }) },
  { weight: 24, arbitrary: of('ask refund', { deposit: pick, amount: fc.integer({ min: 1, max: 200 }) }) },
  {
    weight: 24,
    arbitrary: of('decide refund', {
      refund: pick,
      status: fc.constantFrom('sent', 'sent', 'rejected', 'success', 'failed'),
    }),
  },
  { weight: 8, arbitrary: of('cancel refund', { refund: pick }) },
  { weight: 12, arbitrary: of('echo refund', { refund: pick }) },
);

/** Never creates two records of the same kind at once: their ids would depend on the order of the requests. */
const together = fc.uniqueArray(wish, {
  minLength: 2,
  maxLength: 6,
  size: 'max',
  selector: (one) => (['deposit', 'withdraw', 'ask refund'].includes(one.do) ? one.do : JSON.stringify(one)),
});

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 290, arbitrary: wish },
  { weight: 8, arbitrary: of('expire') },
  { weight: 3, arbitrary: of('delete', { student: fc.nat({ max: 1 }) }) },
  { weight: 20, arbitrary: of('repeat last') },
  { weight: 20, arbitrary: of('die', { during: together, death: crashPoints(5) }) },
);

/** Gives both students money and both teachers earnings. */
const EARNED: Command[] = [0, 1].flatMap((one): Command[] => [
  { do: 'deposit', student: one, amount: 400 },
  { do: 'provider', deposit: one, outcome: 'succeeded' },
  { do: 'charge', call: one * 3, again: false, amount: 150, percent: 33, next: 30 },
]);

let wallet: Wallet;
let mortals: CrashingReplicas;
beforeAll(async () => {
  wallet = await startWallet();
  mortals = await startCrashingReplicas(wallet.service, new URL('../src/main.ts', import.meta.url));
  await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 1, version: 1 });
  for (const name of ['min_withdrawal', 'deposit_refunds', 'recover_debts'])
    await wallet.service.receive('setting.changed', { name, value: 1, version: 1 });
});
afterAll(async () => {
  await mortals.stop();
  await wallet.stop();
});

/** Checks that the audit finds nothing and that all events were published. */
async function checkAll(): Promise<void> {
  expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  await eventually('all events are sent', async () => {
    const unsent = await wallet.service.rows('select from outbox where sent_at is null limit 1');
    return unsent.length === 0;
  });
}

test('runs that once failed now match the model', async () => {
  for (const commands of REGRESSIONS) await playLife(wallet, mortals, commands);
  await checkAll();
});

test(
  `random runs of at least ${COMMANDS} commands, with crashes of the process at any point, match a ledger in memory`,
  async () => {
    const lives = fc
      .tuple(fc.constantFrom([], EARNED), fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' }))
      .map(([begun, commands]) => [...begun, ...commands]);
    expect(await runScenarios(lives, (commands) => playLife(wallet, mortals, commands), SECONDS)).toBeGreaterThan(0);
    await checkAll();
  },
  LOAD_TIMEOUT_MS,
);
