import { fork, type ChildProcess } from 'node:child_process';
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
 * What open event streams cost one gateway: memory for each, questions to identity, and processor time for an event that
 * nobody here listens to. Gateway, identity's stand-in and clients are processes of their own. A gateway needs a file for
 * each stream (`ulimit -n`).
 *
 *   npm run bench -- listeners [--streams 5000] [--seconds 30] [--events 20000]
 */

interface Usage {
  /** Milliseconds of processor time so far. */
  cpu: number;
  rss: number;
  heap: number;
}

type Told = { url?: string; open?: number; requests?: number; tokens?: number } & Partial<Usage>;

const option = (args: string[], name: string, standard: number) => {
  const at = args.indexOf(`--${name}`);
  return at === -1 ? standard : Number(args[at + 1]);
};

function startChild(role: string, env: Record<string, string>) {
  const child: ChildProcess = fork(join(import.meta.dirname, 'run.ts'), childArgs(role, env), {
    execArgv: ['--expose-gc'],
  });
  const told = async () => ((await once(child, 'message')) as [Told])[0];
  return {
    process: child,
    started: told(),
    ask: async (question: string) => {
      const answer = told();
      child.send(question);
      return answer;
    },
  };
}

type Child = ReturnType<typeof startChild>;

const usageOf = async (gateway: Child, question: 'usage' | 'collect' = 'usage') =>
  (await gateway.ask(question)) as Usage;

/** Events for people who are not connected here; returns microseconds of the gateway's processor time for each. */
async function foreignEvents(gateway: Child, nats: NatsConnection, events: number): Promise<number> {
  const js = jetstream(nats);
  const data = JSON.stringify({ id: 'x'.repeat(36), name: 'wallet.balance', data: { text: 'x'.repeat(500) } });
  const publish = async (count: number) => {
    for (let at = 0; at < count; at += 500)
      await Promise.all(
        Array.from({ length: 500 }, (_, n) => js.publish(`tutoring.live.user.${9e6 + at + n}.${8e6 + n}`, data)),
      );
  };
  await publish(1_000);
  await delay(500);
  const [before, startedAt] = [await usageOf(gateway), performance.now()];
  await publish(events);
  await delay(500);
  const [after, took] = [await usageOf(gateway), performance.now() - startedAt];
  await delay(took);
  const idle = await usageOf(gateway);
  return ((after.cpu - before.cpu - (idle.cpu - after.cpu)) * 1_000) / events;
}

export async function run(args: string[]): Promise<void> {
  if (args.includes('--role')) {
    const { play } = await import('./listeners/roles.ts');
    return play(args);
  }
  const streams = option(args, 'streams', 5_000);
  const seconds = option(args, 'seconds', 30);
  const events = option(args, 'events', 20_000);
  const folder = await mkdtemp(join(tmpdir(), 'bench-listeners-'));
  const nats = await startNats({ dataDir: folder, durable: false, log: () => undefined });
  const { host, username } = new URL(nats.url);
  const connection = await connect({ servers: host, token: username });
  const children: Child[] = [];
  const start = async (role: string, env: Record<string, string> = {}) => {
    const child = startChild(role, env);
    children.push(child);
    return { ...child, url: (await child.started).url ?? '' };
  };
  try {
    const identity = await start('identity');
    const gateway = await start('gateway', { identity: identity.url, nats: nats.url });
    const clients = await start('clients', { gateway: gateway.url });
    // The code is compiled, the caches exist and the heap has grown before anything is counted.
    await clients.ask('open 2000');
    await clients.ask('close');
    await delay(1_000);
    const empty = await usageOf(gateway, 'collect');
    const { open = 0 } = await clients.ask(`open ${streams}`);
    await delay(2_000);
    const full = await usageOf(gateway, 'collect');
    console.log(`${open} of ${streams} streams are open, node ${process.version}`);
    const each = (bytes: number) => (bytes / open / 1_024).toFixed(1).padStart(6);
    const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
    console.log(`memory of the process ${mebibytes(full.rss)} MiB, ${mebibytes(empty.rss)} before`);
    console.log(
      `a stream: ${each(full.rss - empty.rss)} KiB of the process, ${each(full.heap - empty.heap)} of the heap`,
    );
    await identity.ask('count');
    const quiet = await usageOf(gateway);
    await delay(seconds * 1_000);
    const { requests = 0, tokens = 0 } = await identity.ask('count');
    const cpu = ((await usageOf(gateway)).cpu - quiet.cpu) / seconds;
    const rate = (count: number) => ((count * 1_000) / seconds / open).toFixed(3);
    console.log(`1,000 streams: ${rate(requests)} requests to identity a second, about ${rate(tokens)} tokens`);
    console.log(`quiet streams: ${cpu.toFixed(1)} ms of processor time a second`);
    console.log(`an event for nobody here: ${(await foreignEvents(gateway, connection, events)).toFixed(2)} us`);
  } finally {
    for (const child of children) child.process.disconnect();
    await connection.close();
    await nats.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
