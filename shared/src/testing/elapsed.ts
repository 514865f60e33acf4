/* What a test's own time adds to a figure: some seconds on a slow machine, none on a quick one. */

/** Longer than the steps of one test take together, shorter than what a test moves a clock by to see a change. */
const OWN_SECONDS = 30;

/** For `toEqual` and its like. */
const matching = (name: string, isFit: (actual: unknown) => boolean): unknown => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: isFit,
  toString: () => name,
  toAsymmetricMatcher: () => name,
});

/** Matches the seconds that a test has moved a clock by, and those that passed by themselves meanwhile. */
export const secondsFrom = (seconds: number): unknown =>
  matching(
    `${seconds} seconds and a few`,
    (actual) => Number.isInteger(actual) && seconds <= Number(actual) && Number(actual) < seconds + OWN_SECONDS,
  );

/** Matches the age of what the test itself has just written: "1 second ago". */
export const A_MOMENT_AGO = matching(
  'a moment ago',
  (actual) => typeof actual === 'string' && /^([1-9]|[12]\d) seconds? ago$/.test(actual),
);
