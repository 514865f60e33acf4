import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROVIDER_VARIABLES } from '../../services/wallet/src/providers/configuration.ts';
import type { ProcessSpec } from './processes.ts';
import type { Provisioned } from './provision.ts';
import type { Secrets } from './secrets.ts';
import { SERVICES, type Name, type Service, type Settings } from './settings.ts';

type Variables = Record<string, string | undefined>;

/** Variables of the system and of tools that every process gets; the user's other variables are not passed on. */
const SYSTEM =
  /^(PATH|HOME|USER|TMPDIR|TZ|ICU_TIMEZONE_FILES_DIR|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|OTEL_\w+|(https?|no)_proxy)$/i;
const FOR_ALL = ['NODE_ENV', 'LOG_LEVEL'];
/** Small stream sizes for a developer's disk; the manifests have those of production. */
export const STREAM_SIZES = {
  NATS_EVENTS_BYTES: '1000000000',
  NATS_LIVE_BYTES: '250000000',
  NATS_REVOCATIONS_BYTES: '10000000',
};
const FOR_STREAMS = /^NATS_(EVENTS|LIVE|REVOCATIONS)_(HOURS|BYTES)$/;
const FOR_SERVICES = ['CURRENCY', 'DEFAULT_COUNTRY'];
/** Variables of the services that store files. */
const FILES = /^FILES_\w+$/;
const KEEPS_FILES: readonly Name[] = ['identity', 'messaging'];
const PASSED_ON: Record<Name, RegExp> = {
  gateway:
    /^(AUTH_RATE_LIMIT|API_RATE_LIMIT|REDIS_URL|CORS_ORIGINS|TRUSTED_PROXY_HOPS|KEEP_ALIVE_SECONDS|MAX_CONNECTIONS|MAX_IDLE_PER_NETWORK)$/,
  identity:
    /^(SMTP_URL|MAIL_FROM|SMS_COUNTRIES|SMS_PER_NUMBER_PER_DAY|SEND_LIMIT_FACTOR|RESET_WITHOUT_TOKEN|(USER|ADMIN)_TOKEN_IDLE_\w+|(TWILIO|GOOGLE|APPLE|FACEBOOK)_\w+)$/,
  wallet: new RegExp(`^(AUDIT_HOUR|PAYMENT_METHODS|PAYOUT_\\w+|${Object.keys(PROVIDER_VARIABLES).join('|')})$`),
  messaging: /^FCM_SERVICE_ACCOUNT$/,
  calls: /^RTC_UID$/,
};

export type Wiring = {
  settings: Settings;
  secrets: Secrets;
  natsUrl: (name: Name) => string;
  databases: Record<string, Provisioned>;
  ports: Record<Name, number>;
};

export function mailboxFile(settings: Settings): string {
  return resolve(settings.dataDir, 'outbox.jsonl');
}

/** The dashboard as the gateway serves it: compressed, with the previous release's files. */
export const dashboardFolder = (settings: Settings) => resolve(settings.dataDir, 'dashboard');

const filesUrl = (settings: Settings) => pathToFileURL(resolve(settings.dataDir, 'files')).href;

/** File with the environment of each service, for operators' commands; exists while the stack runs. */
export const operatorFile = (dataDir: string) => resolve(dataDir, 'operator.json');

const upper = (name: string) => name.toUpperCase();
const local = (port: number) => `http://127.0.0.1:${port}`;

/** Variables of this process alone. */
function own(name: Name, { settings, secrets }: Wiring): Variables {
  const { env } = settings;
  const MAILBOX_FILE = mailboxFile(settings);
  const ROOM_NAMESPACE = secrets.ROOM_NAMESPACE;
  switch (name) {
    case 'gateway':
      return { HOST: settings.host, DASHBOARD_FOLDER: dashboardFolder(settings) };
    case 'identity':
      return {
        MAILBOX_FILE,
        CODE_KEYS: secrets.CODE_KEYS,
        TOTP_KEYS: secrets.TOTP_KEYS,
        ADMIN_EMAIL: settings.adminEmail,
        ADMIN_PASSWORD: env['ADMIN_PASSWORD'] ?? secrets.ADMIN_PASSWORD,
      };
    case 'wallet':
      return { SANDBOX_WEBHOOK_SECRET: env['SANDBOX_WEBHOOK_SECRET'] ?? secrets.SANDBOX_WEBHOOK_SECRET };
    case 'messaging':
      return { MAILBOX_FILE, ROOM_NAMESPACE };
    case 'calls':
      return {
        ROOM_NAMESPACE,
        CALENDAR_KEYS: secrets.CALENDAR_KEYS,
        AGORA_APP_ID: env['AGORA_APP_ID'] ?? secrets.AGORA_APP_ID,
        AGORA_APP_CERTIFICATE: env['AGORA_APP_CERTIFICATE'] ?? secrets.AGORA_APP_CERTIFICATE,
      };
  }
}

function shared(name: Name, { settings, secrets, natsUrl, ports, databases }: Wiring): Variables {
  const urls = Object.fromEntries(SERVICES.map((service) => [`${upper(service)}_URL`, local(ports[service])]));
  const database = databases[name];
  return {
    HOST: '127.0.0.1',
    PORT: String(ports[name]),
    PUBLIC_URL: settings.publicUrl,
    NATS_URL: natsUrl(name),
    SIGNING_KEY: secrets.SIGNING_KEYS[name],
    TRUSTED_KEYS: secrets.TRUSTED_KEYS,
    // The next start neither strips types nor compiles again: it is faster and takes a quarter less memory.
    NODE_COMPILE_CACHE: resolve(settings.dataDir, 'compile-cache'),
    ...urls,
    ...(KEEPS_FILES.includes(name) && { FILES_URL: settings.env['FILES_URL'] ?? filesUrl(settings) }),
    ...(database ? { DATABASE_URL: database.serviceUrl } : {}),
  };
}

/** The environment of a process: no service gets the secrets of another. */
export function environmentOf(name: Name, wiring: Wiring): Record<string, string> {
  const passed = name === 'gateway' ? FOR_ALL : [...FOR_ALL, ...FOR_SERVICES];
  const isPassedOn = (variable: string) =>
    [SYSTEM, FOR_STREAMS, PASSED_ON[name], ...(KEEPS_FILES.includes(name) ? [FILES] : [])].some((form) =>
      form.test(variable),
    ) || passed.includes(variable);
  const given = Object.entries(wiring.settings.env).filter(([variable]) => isPassedOn(variable));
  const all = { ...STREAM_SIZES, ...Object.fromEntries(given), ...shared(name, wiring), ...own(name, wiring) };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The processes of the system: four services and the gateway. */
export function systemSpecs(root: string, wiring: Wiring): { services: ProcessSpec[]; gateway: ProcessSpec } {
  const spec = (name: Name, folder: string): ProcessSpec => ({
    name,
    entry: resolve(root, folder, 'src/main.ts'),
    env: environmentOf(name, wiring),
    url: local(wiring.ports[name]),
  });
  return {
    services: SERVICES.map((service: Service) => spec(service, `services/${service}`)),
    gateway: spec('gateway', 'gateway'),
  };
}
