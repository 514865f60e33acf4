/* Matchers for times to which the run time of the test itself adds: some seconds on a slow machine. */

/** An asymmetric matcher, for `toEqual` and similar. */
const matching = (name: string, isFit: (actual: unknown) => boolean): unknown => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: isFit,
  toString: () => name,
  toAsymmetricMatcher: () => name,
});

/**
 * Starts to measure; the result makes matchers of durations in whole seconds that began since then, and that the test
 * made longer by `seconds` (`shiftClock`). They allow exactly the time that has passed meanwhile, and no second more.
 */
export function measureFromNow(): (seconds: number) => unknown {
  const start = performance.now();
  return (seconds) =>
    matching(`${seconds} seconds and the run time of the test`, (actual) => {
      const passed = (performance.now() - start) / 1_000;
      return Number.isInteger(actual) && seconds <= Number(actual) && Number(actual) <= seconds + passed;
    });
}

/** Matches the age of a record that the test has just written: "1 second ago". */
export const A_MOMENT_AGO = matching(
  'a moment ago',
  (actual) => typeof actual === 'string' && /^([1-9]|[12]\d) seconds? ago$/.test(actual),
);
