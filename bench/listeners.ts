import { fork, type ChildProcess } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { startNats } from '../deploy/local/servers.ts';
import { childArgs } from './listeners/roles.ts';

/*
 * What open event streams cost a gateway: memory per stream, requests to identity, and CPU time for an event with and
 * without a listener at this gateway. Gateway, stand-in for identity and clients are separate processes. A stream needs
 * a file descriptor, so no more streams are opened than `ulimit -n` allows.
 *
 *   npm run bench -- listeners [--streams 20000] [--seconds 20] [--events 20000]
 */

interface Usage {
  /** Milliseconds of CPU time so far. */
  cpu: number;
  rss: number;
  heap: number;
}

/** Memory that a gateway may use: `limits.memory`. */
const LIMIT_MIB = 512;
/** File descriptors of a gateway besides streams: most are connections to identity. */
const OTHER_FILES = 500;
const CLIENT_PROCESSES = 2;

type Report = { url?: string; open?: number; requests?: number; tokens?: number } & Partial<Usage>;

const option = (args: string[], name: string, standard: number) => {
  const at = args.indexOf(`--${name}`);
  return at === -1 ? standard : Number(args[at + 1]);
};

function startChild(role: string, env: Record<string, string>) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'run.ts'), childArgs(role, env), {
    execArgv: ['--expose-gc'],
  });
  const report = async () => ((await once(child, 'message')) as [Report])[0];
  return {
    process: child,
    started: report(),
    ask: async (command: string) => {
      const answer = report();
      child.send(command);
      return answer;
    },
  };
}

type Child = ReturnType<typeof startChild>;

const usageOf = async (gateway: Child, command: 'usage' | 'collect' = 'usage') => (await gateway.ask(command)) as Usage;

/** Publishes events as a relay does. */
async function publish(nats: NatsConnection, count: number, to: (n: number) => string): Promise<void> {
  const js = jetstream(nats);
  for (let at = 0; at < count; at += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => {
        const event = { id: randomUUIDv7() as string, name: 'wallet.balance', data: { text: 'x'.repeat(500) } };
        return js.publish(`tutoring.live.user.${to(at + n)}.calls`, JSON.stringify(event));
      }),
    );
}

/** Microseconds of the gateway's CPU time per event. */
async function costOf(
  { gateway, nats }: Parts,
  { events, to }: { events: number; to: (n: number) => string },
): Promise<number> {
  await publish(nats, 1_000, to);
  await delay(2_000);
  const [before, startedAt] = [await usageOf(gateway), performance.now()];
  await publish(nats, events, to);
  await delay(500);
  const [after, took] = [await usageOf(gateway), performance.now() - startedAt];
  await delay(took);
  const idle = await usageOf(gateway);
  return ((after.cpu - before.cpu - (idle.cpu - after.cpu)) * 1_000) / events;
}

function filesAllowed(): number {
  const { userLimits } = process.report.getReport() as { userLimits: { open_files: { soft: unknown } } };
  const { soft } = userLimits.open_files;
  return typeof soft === 'number' ? soft : Infinity;
}

interface Parts {
  gateway: Child;
  identity: Child;
  clients: Child[];
  nats: NatsConnection;
}

/** Streams opened before the measurement, so that code is compiled, caches exist and the heap has grown. */
const WARM_UP = 2_000;

/** Opens the wanted number of streams and prints their memory; returns the number of open streams. */
async function openAll({ gateway, clients }: Parts, wanted: number): Promise<number> {
  const open = async (count: number) => {
    const reports = await Promise.all(
      clients.map((client) => client.ask(`open ${Math.floor(count / clients.length)}`)),
    );
    return reports.reduce((sum, { open: begun = 0 }) => sum + begun, 0);
  };
  await open(WARM_UP);
  await Promise.all(clients.map((client) => client.ask('close')));
  await delay(1_000);
  const empty = await usageOf(gateway, 'collect');
  const began = await usageOf(gateway);
  const streams = await open(Math.min(wanted, filesAllowed() - OTHER_FILES));
  await delay(2_000);
  const opened = await usageOf(gateway);
  const full = await usageOf(gateway, 'collect');
  console.log(`${streams} of ${wanted} streams are open, node ${process.version}`);
  const each = (bytes: number) => (bytes / streams / 1_024).toFixed(1).padStart(6);
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  console.log(
    `memory of the process: ${mebibytes(opened.rss)} of ${LIMIT_MIB} MiB, after garbage collection ${mebibytes(full.rss)}`,
  );
  console.log(
    `a stream: ${each(full.rss - empty.rss)} KiB of the process, ${each(full.heap - empty.heap)} of the heap`,
  );
  console.log(`to open a stream: ${(((opened.cpu - began.cpu) * 1_000) / streams).toFixed(0)} us of CPU time`);
  return streams;
}

async function measureQuiet({ gateway, identity }: Parts, streams: number, seconds: number): Promise<void> {
  await identity.ask('count');
  const quiet = await usageOf(gateway);
  await delay(seconds * 1_000);
  const { requests = 0, tokens = 0 } = await identity.ask('count');
  const cpu = ((await usageOf(gateway)).cpu - quiet.cpu) / seconds;
  const rate = (count: number) => ((count * 1_000) / seconds / streams).toFixed(3);
  console.log(`1,000 streams: ${rate(requests)} requests to identity per second, about ${rate(tokens)} tokens`);
  console.log(`streams without events: ${cpu.toFixed(1)} ms of CPU time per second`);
}

async function measureEvents(parts: Parts, streams: number, events: number): Promise<void> {
  const cost = async (to: (n: number) => string) => (await costOf(parts, { events, to })).toFixed(2);
  // Every tenth id is a teacher's, the others are students'.
  const student = (n: number) => n + (n % 10 === 0 ? 1 : 0);
  const firstOpen = WARM_UP / CLIENT_PROCESSES + 1;
  const openHere = (n: number) => student(firstOpen + (n % (streams / CLIENT_PROCESSES - 1)));
  console.log(`an event without a listener here: ${await cost((n) => `${9e6 + n}.${8e6 + n}`)} us`);
  console.log(`an event for one stream here: ${await cost((n) => `${openHere(n)}.${8e6 + n}`)} us`);
}

export async function run(args: string[]): Promise<void> {
  if (args.includes('--role')) {
    const { runRole } = await import('./listeners/roles.ts');
    return runRole(args);
  }
  const folder = await mkdtemp(join(tmpdir(), 'bench-listeners-'));
  const server = await startNats({ dataDir: folder, log: () => undefined });
  const { host, username } = new URL(server.url);
  const nats = await connect({ servers: host, token: username });
  const children: Child[] = [];
  const start = async (role: string, env: Record<string, string> = {}) => {
    const child = startChild(role, env);
    children.push(child);
    return { ...child, url: (await child.started).url ?? '' };
  };
  try {
    const identity = await start('identity');
    const gateway = await start('gateway', { identity: identity.url, nats: server.url });
    const clients = await Promise.all(
      Array.from({ length: CLIENT_PROCESSES }, (_, n) =>
        start('clients', { gateway: gateway.url, first: `${n * 1e6}` }),
      ),
    );
    const parts = { gateway, identity, clients, nats };
    const streams = await openAll(parts, option(args, 'streams', 20_000));
    await measureQuiet(parts, streams, option(args, 'seconds', 20));
    await measureEvents(parts, streams, option(args, 'events', 20_000));
  } finally {
    for (const child of children) child.process.disconnect();
    await nats.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
