import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

const SERVICES = ['identity', 'wallet', 'messaging', 'calls'];

/** The walls of ARCHITECTURE.md, as import rules: what a file may not import, and why. */
const wall = (...patterns) => ({
  'no-restricted-imports': ['error', { patterns: patterns.map(([group, message]) => ({ group, message })) }],
});
const express = [['express', 'express/*'], 'Express stays in shared/http and gateway: declare routes with route().'];
const database = [
  ['typeorm', 'typeorm/*', 'pg'],
  'SQL stays in stores, tables and shared/database; transactions are `Tx`.',
];
const services = [
  [...SERVICES.map((name) => `@tutoring/${name}`), ...SERVICES.map((name) => `@tutoring/${name}/*`), '**/services/**'],
  'No service imports another service: listen to its events or ask its internal routes.',
];

export default tseslint.config(
  { ignores: ['**/node_modules', '.data', 'coverage', '**/generated'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: { 'import-x/resolver-next': [importX.createNodeResolver({ extensions: ['.ts', '.js'] })] },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      // Factories return closures, not objects with `this`.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/only-throw-error': 'error',
      'import-x/no-cycle': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
      'max-lines': ['error', 300],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true, IIFEs: true }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only main.ts reads the environment.' },
      ],
    },
  },
  // A factory returns many small functions; each of those is held to its own 50 lines, the factory to 130.
  {
    files: ['services/**/*.ts', 'shared/**/*.ts', 'gateway/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 130, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['services/*/src/**/*.ts'], rules: wall(express, database, services) },
  { files: ['services/*/src/**/*-store.ts', 'services/*/src/tables.ts'], rules: wall(express, services) },
  { files: ['shared/src/**/*.ts'], rules: wall(express, services) },
  { files: ['shared/src/http/**/*.ts'], rules: wall(services) },
  { files: ['gateway/src/**/*.ts'], rules: wall(database, services) },
  {
    files: ['**/main.ts', 'deploy/local/**/*.ts', 'bench/**/*.ts', 'test/setup/**/*.ts'],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['**/test/**/*.ts', 'shared/src/testing/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);
