import { chmodSync, existsSync, mkdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { release } from '../../dashboard/release.ts';
import {
  dashboardFolder,
  environmentOf,
  mailboxFile,
  operatorFile,
  STREAM_SIZES,
  systemSpecs,
  type Wiring,
} from './environment.ts';
import { lockDataDir, type Lock } from './lock.ts';
import { say, wantsColour } from './log.ts';
import { assertPortFree, freePort } from './ports.ts';
import { startProcess, untilAllReady, type ProcessSpec } from './processes.ts';
import { provision, type Provisioned } from './provision.ts';
import { storeChosenPassword, loadSecrets, writePrivately, type Secrets } from './secrets.ts';
import { natsUrlOf, startNats, startPostgres } from './servers.ts';
import { readSettings, SERVICES, type Name, type Service, type Settings } from './settings.ts';
import { createStack, endOnSignals, Interrupted, type Stack } from './stack.ts';
import { UserError } from './user-error.ts';

const root = resolve(import.meta.dirname, '../..');
const ROLES = SERVICES.flatMap((name) => [`${name}_owner`, `${name}_service`]);
const NATS_USERS = ['gateway', ...SERVICES, 'operator'];
const LAYER = { servers: 0, services: 1, gateway: 2 };

/** Migrates as the owner of each schema; no service gets these credentials. */
async function migrateAll(provisioned: Record<string, Provisioned>): Promise<void> {
  const [{ migrate }, { ConfigError }] = await Promise.all([
    import('@tutoring/shared/kit/database/migrate'),
    import('@tutoring/shared/kit/process/config'),
  ]);
  const migrateService = async (name: Service) => {
    const folder = new URL(`../../services/${name}/migrations/`, import.meta.url);
    const run = await migrate(provisioned[name]?.ownerUrl ?? '', folder).catch((error: unknown) => {
      throw error instanceof ConfigError ? new UserError(`${name}: ${error.message}`) : error;
    });
    if (run.length > 0) say(`migrated ${name} (${run.length})`);
  };
  await Promise.all(SERVICES.map(migrateService));
}

/** Creates the streams as the operator; no service gets these credentials. */
async function makeStreamsAt(url: string, settings: Settings): Promise<void> {
  const [{ makeStreams }, { parseConfig, streamConfig }, { createLogger }] = await Promise.all([
    import('@tutoring/shared/contract/bus'),
    import('@tutoring/shared/kit/process/config'),
    import('@tutoring/shared/kit/process/logger'),
  ]);
  const limits = parseConfig(streamConfig, { ...STREAM_SIZES, ...settings.env });
  await makeStreams({ url, prefix: 'tutoring', name: 'start', limits, logger: createLogger('start', 'warn') });
}

async function databases(settings: Settings, secrets: Secrets, stack: Stack): Promise<Record<string, Provisioned>> {
  const options = { dataDir: join(settings.dataDir, 'postgres'), port: settings.postgresPort, durable: true, log: say };
  const server = settings.databaseUrl ? undefined : await startPostgres(options);
  if (server) stack.add(LAYER.servers, 'PostgreSQL', server);
  stack.check();
  return provision(settings.databaseUrl ?? server?.url ?? '', {
    names: SERVICES,
    passwords: secrets.DATABASE_PASSWORDS,
  }).catch((error: unknown) => {
    throw settings.databaseUrl
      ? new UserError(`cannot set up the databases at DATABASE_URL: ${messageOf(error)}`)
      : error;
  });
}

async function broker(settings: Settings, secrets: Secrets, stack: Stack): Promise<Wiring['natsUrl']> {
  const { natsUrl } = settings;
  if (natsUrl) return () => natsUrl;
  const passwords = secrets.NATS_PASSWORDS;
  const server = await startNats({
    dataDir: join(settings.dataDir, 'nats'),
    port: settings.natsPort,
    passwords,
    log: say,
  });
  stack.add(LAYER.servers, 'NATS', server);
  await makeStreamsAt(natsUrlOf('operator', { port: server.port, passwords }), settings);
  return (name) => natsUrlOf(name, { port: server.port, passwords });
}

async function servicePort(settings: Settings, name: Service): Promise<number> {
  const configured = settings.servicePorts[name];
  if (configured === undefined) return freePort();
  await assertPortFree(configured, '127.0.0.1', `${name.toUpperCase()}_PORT`);
  return configured;
}

async function choosePorts(settings: Settings): Promise<Record<Name, number>> {
  const chosen = async (name: Service) => servicePort(settings, name);
  return {
    gateway: settings.port,
    identity: await chosen('identity'),
    wallet: await chosen('wallet'),
    messaging: await chosen('messaging'),
    calls: await chosen('calls'),
  };
}

/** Waits for both even if one fails, so that a part that has started is registered and can be stopped. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

async function bringUp(settings: Settings, lock: Lock, stack: Stack): Promise<void> {
  const started = Date.now();
  await assertPortFree(settings.port, settings.host, 'PORT', lock.wasAbandoned ? 10_000 : 0);
  const ports = await choosePorts(settings);
  const secretsFile = join(settings.dataDir, 'secrets.json');
  const { ADMIN_PASSWORD: chosen } = settings.env;
  const secrets = loadSecrets(secretsFile, ROLES, NATS_USERS, chosen);
  say(
    `starting ${settings.databaseUrl ? 'with the PostgreSQL of DATABASE_URL' : 'PostgreSQL'} and ${settings.natsUrl ? 'the NATS of NATS_URL' : 'NATS'}`,
  );
  const servers = both(databases(settings, secrets, stack), broker(settings, secrets, stack));
  const [[provisioned, natsUrl]] = await both(servers, release(dashboardFolder(settings)));
  stack.check();
  await migrateAll(provisioned);
  stack.check();
  say('starting the four services and the gateway');
  const wiring: Wiring = { settings, secrets, natsUrl, databases: provisioned, ports };
  const { services, gateway } = systemSpecs(root, wiring);
  const log = { level: settings.logLevel, colour: wantsColour() };
  const run = (layer: number) => (spec: ProcessSpec) => {
    const running = startProcess(spec, log);
    stack.add(layer, spec.name, running);
    return running;
  };
  const processes = [...services.map(run(LAYER.services)), run(LAYER.gateway)(gateway)];
  await untilAllReady(processes, say, stack.check);
  storeChosenPassword(secretsFile, secrets, chosen);
  const environments = SERVICES.map((name) => [name, environmentOf(name, wiring)] as const);
  writePrivately(operatorFile(settings.dataDir), JSON.stringify(Object.fromEntries(environments)));
  say(`everything is up after ${((Date.now() - started) / 1000).toFixed(1)} s`);
  announce(wiring);
}

function announce({ settings, secrets, ports }: Wiring): void {
  const generated = settings.env['ADMIN_PASSWORD'] === undefined ? `  password ${secrets.ADMIN_PASSWORD}` : '';
  const addresses = SERVICES.map((name) => `${name} http://127.0.0.1:${ports[name]}`).join(', ');
  const address = `http://127.0.0.1:${settings.port}`;
  const rows = [
    `  Gateway   ${settings.publicUrl}${settings.publicUrl === address ? '' : ` (here: ${address})`}`,
    `  Docs      ${settings.publicUrl}/api/docs`,
    `  Dashboard ${settings.publicUrl}/admin`,
    `  Admin     ${settings.adminEmail}${generated}`,
    `  Mailbox   ${mailboxFile(settings)}`,
    `  Secrets   ${join(settings.dataDir, 'secrets.json')}`,
    `  Services  ${addresses}`,
  ];
  console.log(`\n${rows.join('\n')}\n\nReady: ${address}`);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function reasonOf(error: unknown): string {
  if (error instanceof UserError || !(error instanceof Error)) return messageOf(error);
  return error.stack ?? error.message;
}

/** Runs the stack until it ends; resolves to the exit code when all parts have stopped. */
async function runStack(settings: Settings, lock: Lock): Promise<number> {
  const stack = createStack();
  endOnSignals(stack, say);
  const start = bringUp(settings, lock, stack).catch((error: unknown) => {
    if (!(error instanceof Interrupted)) stack.end({ code: 1, reason: reasonOf(error) });
  });
  const ending = await stack.ended;
  if (ending.reason) say(ending.reason, 'error');
  await start;
  await stack.stopAll();
  if (ending.lastLines) console.error(`\n${ending.reason}. Its last lines:\n${ending.lastLines().join('\n')}`);
  say('stopped');
  return ending.code;
}

/** Disk space for the first start and a day of work. */
const MIN_FREE_MB = 300;

/** Throws UserError when the disk is nearly full: servers crash when they cannot write. */
function assertDiskSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = Math.floor((bavail * bsize) / 1_000_000);
  if (free >= MIN_FREE_MB) return;
  throw new UserError(
    `The disk of ${folder} is nearly full: ${free} MB are free, the local stack needs ${MIN_FREE_MB} MB. Free some space and start again; no data is lost.`,
  );
}

/**
 * Locks the folder. Throws UserError when a stack already runs on it, or when the disk is too full for the lock file.
 */
function lockWithDiskSpace(folder: string): Lock {
  try {
    return lockDataDir(folder);
  } catch (error) {
    if (!(error instanceof UserError)) assertDiskSpace(folder);
    throw error;
  }
}

/**
 * Creates the folder, or takes over that of an earlier start, and closes it to other accounts. If root starts
 * PostgreSQL, its account enters by a capability, which only Linux has; elsewhere the folder stays open for traversal.
 */
function restrictAccess(folder: string): void {
  const mode = process.getuid?.() === 0 && process.platform !== 'linux' ? 0o711 : 0o700;
  mkdirSync(folder, { recursive: true, mode });
  const wasMadeHere = existsSync(join(folder, 'secrets.json')) || folder === join(root, '.data');
  if (wasMadeHere && statSync(folder).uid === process.getuid?.()) chmodSync(folder, mode);
}

async function main(): Promise<number> {
  // Writing to a closed terminal must not prevent the orderly stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const settings = await readSettings(root, process.env);
  // Closes the files of this process and of the servers to other accounts.
  process.umask(0o077);
  restrictAccess(settings.dataDir);
  const lock = lockWithDiskSpace(settings.dataDir);
  try {
    assertDiskSpace(settings.dataDir);
    return await runStack(settings, lock);
  } finally {
    rmSync(operatorFile(settings.dataDir), { force: true });
    lock.release();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`\n${reasonOf(error)}`);
  process.exitCode = 1;
}
process.exit();
