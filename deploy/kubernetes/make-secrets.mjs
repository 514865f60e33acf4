// Prints the Secrets of the development overlay, out of a file made by deploy/compose/make-env.mjs:
//   node deploy/compose/make-env.mjs .env
//   node deploy/kubernetes/make-secrets.mjs .env postgres:5432 nats:4222 | kubectl -n tutoring-development apply -f -
// The databases and roles: set -a; . ./.env; deploy/postgres/provision.sh
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Secret name to its keys. `postgres` and `nats` are `host:port`. */
export function developmentSecrets(env, { postgres, nats }) {
  const database = (service, role) =>
    `postgres://${service}_${role}:${env[`${service.toUpperCase()}_${role.toUpperCase()}_PASSWORD`]}@${postgres}/${service}`;
  const pick = (...names) => Object.fromEntries(names.map((name) => [name, env[name]]));
  const own = {
    identity: pick('ADMIN_EMAIL', 'ADMIN_PASSWORD'),
    wallet: pick('SANDBOX_WEBHOOK_SECRET'),
    messaging: pick('ROOM_NAMESPACE'),
    calls: pick('ROOM_NAMESPACE', 'AGORA_APP_ID', 'AGORA_APP_CERTIFICATE'),
  };
  const ofServices = Object.entries(own).flatMap(([service, values]) => [
    [service, { DATABASE_URL: database(service, 'service'), ...values }],
    [`${service}-migration`, { MIGRATION_DATABASE_URL: database(service, 'owner') }],
  ]);
  const common = { ...pick('INTERNAL_KEYS'), NATS_URL: `nats://${env.NATS_TOKEN}@${nats}` };
  // The gateway of development counts for itself, without a Redis.
  return Object.fromEntries([['common', common], ['gateway', {}], ...ofServices]);
}

export const parseEnv = (text) => Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

/** JSON is YAML. */
export const manifestsOf = (secrets) =>
  Object.entries(secrets)
    .map(([name, stringData]) => JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData }))
    .join('\n---\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, postgres, nats] = process.argv.slice(2);
  if (!file || !postgres || !nats) throw new Error('usage: make-secrets.mjs <env file> <postgres host:port> <nats host:port>');
  console.log(manifestsOf(developmentSecrets(parseEnv(readFileSync(file, 'utf8')), { postgres, nats })));
}
