import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { audit } from '../src/audit/audit-store.ts';
import { STATUSES } from '../src/records/record.ts';
import type { Command } from './model.ts';
import { REGRESSIONS } from './model-regressions.ts';
import { live } from './model-run.ts';
import { startWallet, type Wallet } from './wallet.ts';
import { scaled } from '@tutoring/shared/testing/scale';

/** MODEL_RUNS runs more lives, MODEL_SEED repeats a failure. */
const RUNS = Number(process.env['MODEL_RUNS'] ?? scaled(2_000, 60));
const COMMANDS = 50;
const seed = process.env['MODEL_SEED'];

const amount = fc.integer({ min: 1, max: 400 });
const call = fc.integer({ min: 0, max: 3 });
const pick = fc.nat({ max: 9 });
const status = fc.constantFrom(...STATUSES);
const of = <Kind extends Command['do']>(kind: Kind, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ do: fc.constant(kind), ...fields }) as fc.Arbitrary<Command>;

const command = fc.oneof(
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
  { weight: 8, arbitrary: of('expire') },
  { weight: 20, arbitrary: of('repeat last') },
  { weight: 1, arbitrary: of('restart') },
);

let wallet: Wallet;
beforeAll(async () => {
  wallet = await startWallet();
  await wallet.service.receive('setting.changed', { name: 'min_deposit', value: 1, version: 1 });
  await wallet.service.receive('setting.changed', { name: 'min_withdrawal', value: 1, version: 1 });
});
afterAll(() => wallet.stop());

test(
  `${RUNS} lives of ${COMMANDS} commands end where a ledger in memory ends`,
  async () => {
    const lives = fc.array(command, { minLength: COMMANDS, maxLength: COMMANDS, size: 'max' });
    await fc.assert(
      fc.asyncProperty(lives, (commands) => live(wallet, commands)),
      {
        numRuns: RUNS,
        examples: REGRESSIONS.map((commands): [Command[]] => [commands]),
        ...(seed !== undefined && { seed: Number(seed) }),
        interruptAfterTimeLimit: RUNS * 20_000,
        markInterruptAsFailure: true,
      },
    );
    expect((await audit(wallet.service.service.database)).findings).toEqual([]);
  },
  RUNS * 25_000,
);
