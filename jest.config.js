/** One configuration for every package: real servers start once in globalSetup, files run in parallel. */
export default {
  testEnvironment: '<rootDir>/test/setup/environment.ts',
  testRunner: '<rootDir>/test/setup/runner.ts',
  // `*.slow.test.ts` (races, models, crashes, big tables): `npm run test:slow`, not `npm test`.
  testMatch: ['**/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/dashboard/dist'],
  // Node loads the modules.
  transform: {},
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  globalSetup: '<rootDir>/test/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/test/setup/global-teardown.mjs',
  // Ends what hangs; no test may fail because a machine is slow.
  testTimeout: 600_000,
  // Many tests wait for a time-out or a restart: one worker more than the two cores that most machines have.
  maxWorkers: 3,
  // A worker needs more than jest's half second to free its memory while others keep the machine busy.
  workerGracefulExitTimeout: 10_000,
};
