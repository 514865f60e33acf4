/** One configuration for every package: real servers start once in globalSetup, files run in parallel. */
export default {
  testEnvironment: 'node',
  testMatch: ['**/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/dashboard/dist'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } },
    ],
  },
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  globalSetup: '<rootDir>/test/setup/global-setup.mjs',
  globalTeardown: '<rootDir>/test/setup/global-teardown.mjs',
  // Ends what hangs; no test may fail because a machine is slow.
  testTimeout: 600_000,
  // Many tests wait for a time-out or a restart: one worker more than the two cores that most machines have.
  maxWorkers: 3,
};
