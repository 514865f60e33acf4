// Prints the Secrets of a first look (deploy/helm/values-first-look.yaml) from a file of deploy/compose/make-env.mjs:
//   node deploy/compose/make-env.mjs .env
//   node deploy/kubernetes/make-secrets.mjs .env postgres:5432 nats.nats:4222 | kubectl -n tutoring-development apply -f -
// Without Redis each gateway has its own rate limits. To create the databases and roles run
//   set -a; . ./.env; deploy/postgres/provision.sh
import { readFileSync } from 'node:fs';

const [file, postgres, nats, redis] = process.argv.slice(2);
if (!file || !postgres || !nats) {
  console.error('usage: make-secrets.mjs <env file> <postgres host:port> <nats host:port> [<redis host:port>]');
  process.exit(1);
}
const env = Object.fromEntries(
  [...readFileSync(file, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
);
const pick = (...names) => Object.fromEntries(names.map((name) => [name, env[name]]));
const database = (service, role) =>
  `postgres://${service}_${role}:${env[`${service}_${role}_PASSWORD`.toUpperCase()]}@${postgres}/${service}`;
const broker = (process) => ({
  NATS_URL: `nats://tutoring-${process}:${env[`NATS_${process.toUpperCase()}_PASSWORD`]}@${nats}`,
});

/** The private key, which only this process gets. */
const signing = (name) => ({ SIGNING_KEY: env[`${name.toUpperCase()}_SIGNING_KEY`] });
const isOfServers = (name) => !name.endsWith('_SIGNING_KEY');

const own = {
  identity: pick('CODE_KEYS', 'TOTP_KEYS', 'ADMIN_EMAIL', 'ADMIN_PASSWORD'),
  wallet: pick('SANDBOX_WEBHOOK_SECRET'),
  messaging: pick('ROOM_NAMESPACE'),
  calls: pick('ROOM_NAMESPACE', 'CALENDAR_KEYS', 'AGORA_APP_ID', 'AGORA_APP_CERTIFICATE'),
};
const secrets = {
  common: pick('TRUSTED_KEYS'),
  gateway: {
    ...signing('gateway'),
    ...broker('gateway'),
    ...(redis && { REDIS_URL: `redis://:${env.REDIS_PASSWORD}@${redis}` }),
  },
  // The servers of first-look/ read the same variables as in docker-compose.yml.
  servers: Object.fromEntries(Object.entries(env).filter(([name]) => isOfServers(name))),
};
for (const [service, values] of Object.entries(own)) {
  secrets[service] = {
    ...signing(service),
    ...broker(service),
    DATABASE_URL: database(service, 'service'),
    ...values,
  };
  secrets[`${service}-migration`] = {
    MIGRATION_DATABASE_URL: database(service, 'owner'),
    ...(service === 'identity' && { MIGRATION_NATS_URL: broker('operator').NATS_URL }),
  };
}
const manifests = Object.entries(secrets).map(([name, stringData]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, labels: { 'app.kubernetes.io/part-of': 'tutoring' } },
  stringData,
}));
// JSON is valid YAML.
console.log(manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n'));
