import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';

/* Environment variables that several processes read. Error messages leave out values that may be secret. */

/** A whole number of at least `min` and at most `max`. */
export const integerVariable = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(min).max(max);

const parses = (text: string, protocols: string[]) => {
  const url = URL.parse(text);
  return url !== null && protocols.includes(url.protocol) && url.hostname !== '' ? url : undefined;
};

/** URL of another process. */
export const serviceUrl = (protocols = ['http:', 'https:']) =>
  z.string().refine((text) => parses(text, protocols), 'must be an http:// URL');

/** Base URL of public addresses; trailing slashes are removed. */
const publicUrl = () =>
  z
    .string()
    .transform((text) => text.replace(/\/+$/, ''))
    .refine((text) => {
      const url = parses(text, ['http:', 'https:']);
      return url && !url.search && !url.hash && !url.username;
    }, 'must be an http:// or https:// URL')
    .refine((text) => !text.endsWith('/api'), 'is without `/api`: addresses have it after this');

const postgresUrl = () =>
  z.string().refine((text) => {
    const url = URL.parse(text);
    // `?host=` has the folder of a Unix socket.
    return /^postgres(ql)?:$/.test(url?.protocol ?? '') && (url?.hostname || url?.searchParams.get('host'));
  }, 'must be a postgres:// URL with a host');

/** Servers separated by commas; the first one has the credentials. */
const natsUrl = () =>
  z.string().refine((text) => {
    const [first = '', ...others] = text.split(',');
    return parses(first, ['nats:', 'tls:']) && others.every((server) => parses(`nats://${server}`, ['nats:']));
  }, 'must be a nats:// or tls:// URL with a host');

function x25519(read: () => KeyObject): KeyObject | undefined {
  try {
    const key = read();
    return key.asymmetricKeyType === 'x25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

const der = (text: string) => Buffer.from(text, 'base64');

/** `kid:private key`: X25519, PKCS #8 as Base64 of DER. */
const signingKey = z.string().transform((text, context) => {
  const [, kid, encoded] = /^([\w-]+):([\w+/=-]+)$/.exec(text) ?? [];
  const key = encoded && x25519(() => createPrivateKey({ key: der(encoded), format: 'der', type: 'pkcs8' }));
  if (kid && key) return { kid, key };
  // Leave the text out of the message: it is secret and would be logged.
  context.addIssue({ code: 'custom', message: 'must be kid:key, an X25519 private key as Base64 of PKCS #8 (DER)' });
  return z.NEVER;
});

/** `process:kid:public key`, separated by commas: X25519, SPKI as Base64 of DER. A process may have several keys. */
const trustedKeys = z.string().transform((text, context) =>
  text.split(',').map((entry, index) => {
    const [, name, kid, encoded] = /^([\w-]+):([\w-]+):([\w+/=-]+)$/.exec(entry.trim()) ?? [];
    const key = encoded && x25519(() => createPublicKey({ key: der(encoded), format: 'der', type: 'spki' }));
    if (name && kid && key) return { name, kid, key };
    const message = `must be process:kid:key, X25519 public keys as Base64 of SPKI (DER); entry ${index + 1} is not`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }),
);

const port = integerVariable(0, 65535);

/**
 * `kid:secret` pairs. The first one signs or encrypts and all of them verify, so keys can be rotated without downtime.
 */
export const keyPairs = z
  .string()
  .regex(
    /^[\w-]+:[\w+/=-]{32,}(,[\w-]+:[\w+/=-]{32,})*$/,
    'must be kid:secret pairs, secrets of at least 32 characters',
  )
  .transform((text) =>
    text
      .split(',')
      .map((pair) => ({ kid: pair.slice(0, pair.indexOf(':')), secret: pair.slice(pair.indexOf(':') + 1) })),
  );

const hours = integerVariable(1, 8_760);
const bytes = integerVariable(1_000_000);
const GIB = 2 ** 30;

/**
 * Size and age limits of the streams; the oldest messages are dropped first. All processes need the same values, whose
 * bytes together must fit into the file store of the NATS servers (deploy/kubernetes/operators).
 */
export const streamConfig = z.object({
  NATS_EVENTS_HOURS: hours.default(48).describe('How many hours domain events are kept'),
  NATS_EVENTS_BYTES: bytes
    .default(12 * GIB)
    .describe(
      'Bytes of all streams of domain events: a sixth for each service, a third for the copies that the previous release reads',
    ),
  NATS_LIVE_HOURS: hours.default(1).describe('How many hours a client of `GET api/events` can resume'),
  NATS_LIVE_BYTES: bytes.default(4 * GIB).describe('Bytes of the stream of live events; the oldest go first'),
  NATS_REVOCATIONS_BYTES: bytes.default(GIB / 16).describe('Bytes of the stream of revocations; the oldest go first'),
});

/** The public keys of these processes; each must have one. */
export function trustedKeysOf(processes: readonly string[]) {
  const without = (keys: { name: string }[]) => processes.filter((name) => !keys.some((key) => key.name === name));
  return trustedKeys
    .refine((keys) => without(keys).length === 0, {
      error: ({ input }) => `has no key of ${without(input as { name: string }[]).join(', ')}`,
    })
    .describe(
      '`process:kid:key` separated by commas: the public keys (Base64 of SPKI) of all processes; two of one while it rotates',
    );
}

/** Configuration of every process. */
export const processConfig = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .describe('`production` refuses play money, the mailbox file and example secrets'),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('`debug` shows requests too'),
  HOST: z.string().default('0.0.0.0').describe('Address to listen on'),
  PORT: port.describe('Port to listen on; the image sets 8080'),
  METRICS_PORT: port.optional().describe('Port of `GET /metrics`; none without it; the image sets 9090'),
  PUBLIC_URL: publicUrl().describe('Base of every absolute URL in answers, without `/api`'),
  NATS_URL: natsUrl().describe(
    '`nats://user:password@host:4222`, several servers separated by commas (`nats://user:password@a:4222,b:4222`); `tls://` requires TLS',
  ),
  NATS_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('tutoring')
    .describe('First token of every stream, subject and durable name: several systems can share one NATS'),
  SIGNING_KEY: signingKey.describe(
    '`kid:key`: the private key (X25519, Base64 of PKCS #8) with which the process signs its requests to the others; no other process has it',
  ),
  TRUSTED_KEYS: trustedKeysOf([]),
  SHUTDOWN_DELAY_MS: integerVariable(0)
    .default(0)
    .describe('How long a process goes on serving after SIGTERM, while endpoints are withdrawn'),
  ...streamConfig.shape,
});

/** Configuration that every service (not the gateway) adds. */
export const serviceConfig = processConfig.extend({
  DATABASE_URL: postgresUrl().describe("The service's own database, as the role that serves"),
  MIGRATION_DATABASE_URL: postgresUrl()
    .optional()
    .describe("The same database as the schema's owner, for the command `migrate` alone: a serving process refuses it"),
  MIGRATION_NATS_URL: natsUrl()
    .optional()
    .describe(
      'NATS with the account that may create streams and consumers, for `migrate` of one service alone: a serving process refuses it',
    ),
  DATABASE_READ_URL: postgresUrl()
    .optional()
    .describe('A streaming standby of the same database, for lists of administrators, statistics, exports and audits'),
  DATABASE_POOLER: z
    .enum(['none', 'transaction'])
    .default('none')
    .describe('`transaction` behind a pooler that lends its connections for one transaction each, such as PgBouncer'),
  DATABASE_POOL: integerVariable(2, 200)
    .default(10)
    .describe('Maximum of connections to PostgreSQL; the relay of events has up to seven of its own'),
});

export type StreamLimits = z.infer<typeof streamConfig>;
export type ProcessConfig = z.infer<typeof processConfig>;
export type ServiceConfig = z.infer<typeof serviceConfig>;
export type KeyPair = { kid: string; secret: string };

/** A wrong configuration. The message has one line per problem. */
export class ConfigError extends Error {}

/** A wrong command line. The message is printed as it is. */
export class UsageError extends Error {}

/** Describes a problem; for numbers with the given value, which is no secret. */
function problemOf(issue: z.core.$ZodIssue, given: string | undefined): string {
  const was = `, and is ${JSON.stringify(given)}`;
  if (issue.code === 'invalid_type') return `must be a whole number${was}`;
  if (issue.code === 'too_small' && issue.origin !== 'string') return `must be at least ${issue.minimum}${was}`;
  if (issue.code === 'too_big' && issue.origin !== 'string') return `must be at most ${issue.maximum}${was}`;
  return issue.message;
}

/** Throws ConfigError when NATS_URL has the user of another process, such as `tutoring-wallet` for calls. */
export function assertOwnUser(
  name: string,
  { NATS_URL, NATS_PREFIX }: Pick<ProcessConfig, 'NATS_URL' | 'NATS_PREFIX'>,
  processes: readonly string[],
) {
  const user = decodeURIComponent(URL.parse(NATS_URL.split(',')[0] ?? '')?.username ?? '');
  const other = [...processes, 'operator'].find((process) => user === `${NATS_PREFIX}-${process}`);
  if (other && other !== name)
    throw new ConfigError(
      `The configuration is wrong:\n  NATS_URL: has the user of ${other}, not ${NATS_PREFIX}-${name}`,
    );
}

/** Parses environment variables; an empty one counts as absent. Throws ConfigError with all problems. */
export function parseConfig<Schema extends z.ZodType>(
  schema: Schema,
  env: Record<string, string | undefined>,
): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const name = issue.path.join('.') || 'environment';
    const missing = issue.code === 'invalid_type' && !(name in given);
    return `  ${name}: ${missing ? 'is required' : problemOf(issue, given[name])}`;
  });
  throw new ConfigError(`The configuration is wrong:\n${problems.join('\n')}`);
}
