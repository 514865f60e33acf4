import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { Death } from './database-proxy.ts';

const countTo = (max: number) => fc.integer({ min: 1, max });

/** Deaths during requests that make up to so many transactions; most of them at the moments that leave something behind. */
export const deaths = (transactions: number): fc.Arbitrary<Death> =>
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
 * Plays random lives one after another for so many seconds. Each has a seed of its own, which a failure prints:
 * MODEL_SEED plays that life alone, TEST_SHRINK looks for a shorter one that fails as well. MODEL_SECONDS plays for
 * longer. Returns how many it played.
 */
export async function playLives<Life>(
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
