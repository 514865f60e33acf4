import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { CrashPoint } from './database-proxy.ts';

const countTo = (max: number) => fc.integer({ min: 1, max });

/** Random crash points in requests with up to `transactions` transactions; most of them around a COMMIT. */
export const crashPoints = (transactions: number): fc.Arbitrary<CrashPoint> =>
  fc.oneof(
    fc.record({
      of: fc.constant('messages' as const),
      count: countTo(transactions * 5),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
    {
      weight: 2,
      arbitrary: fc.record({
        of: fc.constant('commits' as const),
        count: countTo(transactions),
        when: fc.constantFrom('before' as const, 'after' as const, 'after' as const, 'after' as const),
      }),
    },
  );

/**
 * Runs random scenarios (`lives`) one after another for `seconds`. A failure prints the seed of its scenario:
 * MODEL_SEED runs only that one, TEST_SHRINK searches for a shorter one that fails too, MODEL_SECONDS changes the time.
 * Returns the number of scenarios.
 */
export async function runScenarios<Life>(
  lives: fc.Arbitrary<Life>,
  play: (life: Life) => Promise<void>,
  seconds: number,
): Promise<number> {
  const { MODEL_SEED: given, MODEL_SECONDS: longer = seconds, TEST_SHRINK: shrink } = process.env;
  const end = performance.now() + Number(longer) * 1_000;
  let played = 0;
  do {
    const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
    await fc.assert(fc.asyncProperty(lives, play), { numRuns: 1, seed, endOnFailure: shrink === undefined });
    played += 1;
  } while (given === undefined && performance.now() < end);
  return played;
}
