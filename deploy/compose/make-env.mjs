// Writes .env for docker-compose.yml with fresh secrets: `node deploy/compose/make-env.mjs [file]`. Runs on any Node from
// 20. An existing file is never changed: its secrets are in the databases already.
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = process.argv[2] ?? fileURLToPath(new URL('../../.env', import.meta.url));
const hex = (bytes) => randomBytes(bytes).toString('hex');
const roles = ['IDENTITY', 'WALLET', 'MESSAGING', 'CALLS'].flatMap((name) => [`${name}_OWNER`, `${name}_SERVICE`]);

const variables = {
  PORT: '8080',
  PUBLIC_URL: 'http://localhost:8080',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: `${hex(9)}-aA7`,
  INTERNAL_KEYS: `k1:${hex(32)}`,
  CODE_KEYS: `k1:${hex(32)}`,
  ROOM_NAMESPACE: randomUUID(),
  SANDBOX_WEBHOOK_SECRET: hex(32),
  AGORA_APP_ID: hex(16),
  AGORA_APP_CERTIFICATE: hex(16),
  // A letter first: NATS reads what begins with a digit as a number.
  NATS_TOKEN: `t${hex(32)}`,
  REDIS_PASSWORD: hex(32),
  POSTGRES_PASSWORD: hex(32),
  ...Object.fromEntries(roles.map((role) => [`${role}_PASSWORD`, hex(24)])),
};

const text = Object.entries(variables)
  .map(([name, value]) => `${name}=${value}\n`)
  .join('');
try {
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  console.log(`Wrote ${file}`);
} catch (error) {
  if (error.code !== 'EEXIST') throw error;
  console.log(`${file} exists and stays as it is`);
}
