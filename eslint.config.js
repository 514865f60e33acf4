import tseslint from 'typescript-eslint';

const SERVICES = ['identity', 'wallet', 'messaging', 'calls'];

/** The walls of ARCHITECTURE.md, as import rules: what a file may not import, and why. */
const wall = (...patterns) => ({
  'no-restricted-imports': ['error', { patterns: patterns.map(([group, message]) => ({ group, message })) }],
});
const express = [
  ['express', 'express/*'],
  'Express stays in shared/kit/http and gateway: declare routes with route().',
];
const database = [
  ['typeorm', 'typeorm/*', 'pg'],
  'SQL stays in stores and shared/kit/database; transactions are `Tx`.',
];
const services = [
  [...SERVICES.map((name) => `@tutoring/${name}`), ...SERVICES.map((name) => `@tutoring/${name}/*`), '**/services/**'],
  'No service imports another service: listen to its events or ask its internal routes.',
];

const contract = [
  ['@tutoring/shared/*', '**/contract/**', '**/testing/**'],
  'The kit knows no business: what it needs of the contract is a parameter.',
];

const server = [
  ['@tutoring/shared', '@tutoring/shared/*', '**/shared/{contract,kit,testing}/**', 'node:*'],
  'Runs in browsers: the server is asked through @tutoring/client.',
];

const FUNCTION = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Own lines of a function: without the functions inside it and without declarations of routes and commands, which are data. */
const ownLines = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer' }],
    messages: { long: '{{ lines }} own lines; at most {{ max }}.' },
  },
  create(context) {
    const [max = 50] = context.options;
    const height = (node) => node.loc.end.line - node.loc.start.line;
    const nested = [[]];
    const leave = (node) => {
      const lines = height(node) + 1 - nested.pop().reduce((sum, inner) => sum + height(inner), 0);
      if (lines > max) context.report({ node, messageId: 'long', data: { lines, max } });
      nested.at(-1).push(node);
    };
    const isRoute = (node) =>
      node.callee.type === 'Identifier' && ['route', 'listRoute', 'command'].includes(node.callee.name);
    return {
      ...Object.fromEntries(
        FUNCTION.flatMap((kind) => [
          [kind, () => nested.push([])],
          [`${kind}:exit`, leave],
        ]),
      ),
      CallExpression: (node) => isRoute(node) && nested.push([]),
      'CallExpression:exit': (node) => {
        if (!isRoute(node)) return;
        nested.pop();
        nested.at(-1).push(node);
      },
    };
  },
};

export default tseslint.config(
  { ignores: ['**/node_modules', '.data', 'coverage', '**/generated', 'dashboard/dist*', 'shared/client/dist'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { local: { rules: { 'own-lines': ownLines } } },
    languageOptions: {
      // The two programs of `npm run types`: one for each workspace checks `shared` anew for each.
      parserOptions: { project: ['tsconfig.json', 'dashboard/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
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
      'no-console': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
      'max-lines': ['error', 300],
      'local/own-lines': ['error', 50],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only main.ts reads the environment.' },
      ],
    },
  },
  { files: ['services/*/src/**/*.ts'], rules: wall(express, database, services) },
  {
    files: ['services/*/src/**/*.ts'],
    ignores: ['services/*/src/errors.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='AppError']", message: 'A refusal is a function of errors.ts.' },
      ],
    },
  },
  { files: ['services/*/src/**/*-store.ts'], rules: wall(express, services) },
  { files: ['shared/{contract,testing}/**/*.ts'], rules: wall(express, services) },
  { files: ['shared/kit/**/*.ts'], rules: wall(express, contract, services) },
  { files: ['shared/kit/http/**/*.ts'], rules: wall(contract, services) },
  { files: ['gateway/src/**/*.ts'], rules: wall(database, services) },
  { files: ['dashboard/src/**/*.{ts,tsx}'], rules: wall(express, database, services, server) },
  {
    files: [
      '**/main.ts',
      'deploy/local/**/*.ts',
      'dashboard/build.ts',
      'bench/**/*.ts',
      'test/setup/**/*.ts',
      'shared/client/{*,example/*}.ts',
    ],
    rules: { 'no-restricted-properties': 'off', 'no-console': 'off' },
  },
  {
    files: ['**/test/**/*.ts', 'shared/testing/**/*.ts'],
    rules: {
      'local/own-lines': 'off',
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
