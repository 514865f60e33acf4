/* Matchers for times to which the run time of the test itself adds: some seconds on a slow machine. */

/** Longer than the steps of a test take, and shorter than any shift of the clock that a test must notice. */
const OWN_SECONDS = 30;

/** An asymmetric matcher, for `toEqual` and similar. */
const matching = (name: string, isFit: (actual: unknown) => boolean): unknown => ({
  $$typeof: Symbol.for('jest.asymmetricMatcher'),
  asymmetricMatch: isFit,
  toString: () => name,
  toAsymmetricMatcher: () => name,
});

/** Matches the seconds by which a test shifted the clock, plus the run time of the test. */
export const aboutSeconds = (seconds: number): unknown =>
  matching(
    `${seconds} seconds and a few`,
    (actual) => Number.isInteger(actual) && seconds <= Number(actual) && Number(actual) < seconds + OWN_SECONDS,
  );

/** Matches the age of a record that the test has just written: "1 second ago". */
export const A_MOMENT_AGO = matching(
  'a moment ago',
  (actual) => typeof actual === 'string' && /^([1-9]|[12]\d) seconds? ago$/.test(actual),
);
