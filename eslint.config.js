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

/**
 * Lines of a function: its own, without the functions inside it, and all. Declarations of routes and commands are data and
 * do not count.
 */
const functionLines = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'object', properties: { own: { type: 'integer' }, all: { type: 'integer' } } }],
    messages: { own: '{{ lines }} own lines; at most {{ max }}.', all: '{{ lines }} lines; at most {{ max }}.' },
  },
  create(context) {
    const [max] = context.options;
    const stack = [{ functions: 0, routes: 0 }];
    const enter = () => stack.push({ functions: 0, routes: 0 });
    const leave = (node, isData) => {
      const inner = stack.pop();
      const height = node.loc.end.line - node.loc.start.line;
      const lines = { own: height + 1 - inner.functions, all: height + 1 - inner.routes };
      const messageId = isData ? undefined : Object.keys(lines).find((kind) => lines[kind] > max[kind]);
      if (messageId) context.report({ node, messageId, data: { lines: lines[messageId], max: max[messageId] } });
      stack.at(-1).functions += height;
      stack.at(-1).routes += isData ? height : inner.routes;
    };
    const isRoute = (node) =>
      node.callee.type === 'Identifier' && ['route', 'listRoute', 'command'].includes(node.callee.name);
    return {
      ...Object.fromEntries(
        FUNCTION.flatMap((kind) => [
          [kind, enter],
          [`${kind}:exit`, (node) => leave(node, false)],
        ]),
      ),
      CallExpression: (node) => isRoute(node) && enter(),
      'CallExpression:exit': (node) => isRoute(node) && leave(node, true),
    };
  },
};

/** Connections, queues and loops: each is one closure that owns its state. */
const STATEFUL = [
  'gateway/src/admission/verdicts.ts',
  'gateway/src/live/{feed,live}.ts',
  'shared/kit/{batch,jobs,task-queue}.ts',
  'shared/kit/database/{connection,open}.ts',
  'shared/kit/events/consume/{feed,subscribe}.ts',
  'shared/kit/events/relay/{relay,stream}.ts',
  'shared/kit/http/serve/connections.ts',
  'bench/**/*.ts',
];

export default tseslint.config(
  { ignores: ['**/node_modules', '.data', 'coverage', '**/generated', 'dashboard/dist*', 'shared/client/dist'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { local: { rules: { 'function-lines': functionLines } } },
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
      'local/function-lines': ['error', { own: 50, all: 80 }],
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only main.ts reads the environment.' },
      ],
    },
  },
  { files: STATEFUL, rules: { 'local/function-lines': ['error', { own: 50, all: 180 }] } },
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
      'local/function-lines': 'off',
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
