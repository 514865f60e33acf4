import { expect, test } from '@jest/globals';
import { environmentOf, type Wiring } from '../../deploy/local/environment.ts';
import { NAMES, variablesOf } from './processes.ts';

/** Variables that a local stack leaves at their defaults. */
const LEFT_ALONE = [
  'METRICS_PORT',
  'NATS_PREFIX',
  'SHUTDOWN_DELAY_MS',
  'MIGRATION_DATABASE_URL',
  'MIGRATION_NATS_URL',
  'DATABASE_READ_URL',
  'DATABASE_POOLER',
  'DATABASE_POOL',
  'LOG_REFUSALS',
  'ARGON2_MEMORY_KIB',
  'ARGON2_PASSES',
];

const anything = <Value>(value: Value) => new Proxy({}, { get: () => value });
const local = { serviceUrl: 'postgres://127.0.0.1/x', ownerUrl: 'postgres://127.0.0.1/x' };

/** A stack whose user has set every variable of every process. */
const wiring = {
  settings: {
    env: Object.fromEntries(NAMES.flatMap(variablesOf).map((name) => [name, 'given'])),
    dataDir: '/data',
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:8080',
    adminEmail: 'admin@example.com',
  },
  secrets: anything(anything('secret')),
  natsUrl: () => 'nats://127.0.0.1',
  databases: anything(local),
  ports: anything(1),
} as unknown as Wiring;

test.each(NAMES)('npm start passes on every variable that a user may set for %s, or sets it', (name) => {
  const environment = environmentOf(name, wiring);
  const missing = variablesOf(name).filter((variable) => !(variable in environment) && !LEFT_ALONE.includes(variable));
  expect(missing).toEqual([]);
});
