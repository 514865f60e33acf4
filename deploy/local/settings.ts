import { resolve } from 'node:path';
import { freePort } from './ports.ts';
import { UserError } from './user-error.ts';

export const SERVICES = ['identity', 'wallet', 'messaging', 'calls'] as const;
export type Service = (typeof SERVICES)[number];
export type Name = Service | 'gateway';

export type Settings = {
  dataDir: string;
  host: string;
  port: number;
  publicUrl: string;
  adminEmail: string;
  logLevel: string;
  /** An existing server instead of the embedded one. */
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  postgresPort: number | undefined;
  natsPort: number | undefined;
  servicePorts: Partial<Record<Service, number>>;
  /** The user's variables, empty ones left out. */
  env: Record<string, string>;
};

const PRODUCTION = `NODE_ENV=production: this launcher runs the local stack (embedded servers, generated secrets, a file as
mailbox), which is not for production. Run the processes from their images instead, and give each its DATABASE_URL,
NATS_URL, SIGNING_KEY, TRUSTED_KEYS, PUBLIC_URL and its own credentials (SMTP_URL, TWILIO_*, FCM_SERVICE_ACCOUNT,
AGORA_*, STRIPE_*, FEDAPAY_*); docs/operations.md says how. For a local stack, unset NODE_ENV.`;

function portOf(env: Record<string, string>, name: string): number | undefined {
  const text = env[name];
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UserError(`${name}=${text} is not a port: set a number from 1 to 65535.`);
}

function urlOf(env: Record<string, string>, name: string, form: RegExp): string | undefined {
  const text = env[name];
  if (text === undefined || (form.test(text) && URL.canParse(text.split(',')[0] ?? ''))) return text;
  throw new UserError(
    `${name} must look like ${form.source.includes('postgres') ? 'postgres://user:password@host:5432/postgres' : 'nats://host:4222'}.`,
  );
}

function assertAllowed(env: Record<string, string>): void {
  if (env['NODE_ENV'] === 'production') throw new UserError(PRODUCTION);
  if ((env['AGORA_APP_ID'] === undefined) !== (env['AGORA_APP_CERTIFICATE'] === undefined)) {
    throw new UserError('AGORA_APP_ID and AGORA_APP_CERTIFICATE belong together: set both or neither.');
  }
}

/** Reads the settings from the environment. Throws UserError for invalid values. PORT=0 takes a free port. */
export async function readSettings(root: string, environment: NodeJS.ProcessEnv): Promise<Settings> {
  const given = Object.entries(environment).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const env = Object.fromEntries(given);
  assertAllowed(env);
  const port = (portOf(env, 'PORT') ?? 8080) || (await freePort());
  const servicePorts = SERVICES.map((name) => [name, portOf(env, `${name.toUpperCase()}_PORT`)] as const);
  return {
    dataDir: resolve(root, env['DATA_DIR'] ?? '.data'),
    host: env['HOST'] ?? '127.0.0.1',
    port,
    publicUrl: (env['PUBLIC_URL'] ?? `http://127.0.0.1:${port}`).replace(/\/+$/, ''),
    adminEmail: env['ADMIN_EMAIL'] ?? 'admin@example.com',
    logLevel: env['LOG_LEVEL'] ?? 'info',
    databaseUrl: urlOf(env, 'DATABASE_URL', /^postgres(ql)?:\/\//),
    natsUrl: urlOf(env, 'NATS_URL', /^(nats|tls):\/\//),
    postgresPort: portOf(env, 'POSTGRES_PORT'),
    natsPort: portOf(env, 'NATS_PORT'),
    servicePorts: Object.fromEntries(servicePorts.filter((entry) => entry[1] !== undefined)),
    env,
  };
}
