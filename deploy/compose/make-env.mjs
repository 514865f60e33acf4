// Writes .env for docker-compose.yml with new secrets: `[PORT=8080] node deploy/compose/make-env.mjs [file]`. Runs on
// any Node from 20. Keeps the values of an existing file, whose secrets the databases already use, and adds missing
// variables.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { makeSigningKeys, signingVariables } from '../signing-keys.mjs';

const file = process.argv[2] ?? fileURLToPath(new URL('../../.env', import.meta.url));
const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
const known = Object.fromEntries([...present.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
const port = Number(known.PORT ?? process.env.PORT ?? 8080);
/** Shifts a default port as far as PORT is from 8080, so that two systems on one machine do not collide. */
const beside = (usual) => String(usual + port - 8080);
const hex = (bytes) => randomBytes(bytes).toString('hex');
const roles = ['IDENTITY', 'WALLET', 'MESSAGING', 'CALLS'].flatMap((name) => [`${name}_OWNER`, `${name}_SERVICE`]);
const users = ['GATEWAY', 'IDENTITY', 'WALLET', 'MESSAGING', 'CALLS', 'OPERATOR'];

const variables = {
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  MAIL_PORT: beside(8025),
  PROMETHEUS_PORT: beside(9090),
  GRAFANA_PORT: beside(3000),
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: `${hex(9)}-aA7`,
  ...signingVariables(makeSigningKeys()),
  CODE_KEYS: `k1:${hex(32)}`,
  TOTP_KEYS: `k1:${hex(32)}`,
  ROOM_NAMESPACE: randomUUID(),
  // Keeps links of calendars valid that an earlier release derived from the namespace of rooms.
  CALENDAR_KEYS: [`k1:${hex(32)}`, ...(known.ROOM_NAMESPACE ? [`rooms:${known.ROOM_NAMESPACE}`] : [])].join(','),
  SANDBOX_WEBHOOK_SECRET: hex(32),
  AGORA_APP_ID: hex(16),
  AGORA_APP_CERTIFICATE: hex(16),
  REDIS_PASSWORD: hex(32),
  POSTGRES_PASSWORD: hex(32),
  // Begins with a letter: NATS reads a value that begins with a digit as a number.
  ...Object.fromEntries(users.map((user) => [`NATS_${user}_PASSWORD`, `p${hex(24)}`])),
  ...Object.fromEntries(roles.map((role) => [`${role}_PASSWORD`, hex(24)])),
};

const missing = Object.entries(variables).filter(([name]) => !(name in known));
if (missing.length === 0) console.log(`${file} has everything and stays as it is`);
else {
  const before = present === '' || present.endsWith('\n') ? present : `${present}\n`;
  const text = before + missing.map(([name, value]) => `${name}=${value}\n`).join('');
  // Writes and flushes a temporary file, then renames it: a crash must not lose secrets that the databases use.
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  console.log(present === '' ? `Wrote ${file}` : `Added to ${file}: ${missing.map(([name]) => name).join(', ')}`);
}
