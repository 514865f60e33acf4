import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, secretOf } from '@tutoring/shared/kit/identity/bearer';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { testKeys } from '@tutoring/shared/testing/keys';
import { startNats } from '../deploy/local/servers.ts';
import { startGateway } from '../gateway/src/app.ts';
import { gatewayConfig } from '../gateway/src/config.ts';

/*
 * Requests/s and latency of (a) a bare Express + http-proxy-middleware and (b) this gateway with authentication, limits
 * and envelope, in front of the same upstream, each in a separate process, in alternating rounds of the same run.
 * `--bearers` is the number of callers; `--before` adds the gateway of another checkout.
 *
 *   npm run bench -- gateway [--rounds 9] [--seconds 3] [--connections 64] [--bearers 6400] [--before folder]
 */

const PATH = '/api/rooms';
const tokenOf = (id: number) => bearer(id, secretOf('bench'.padEnd(40, 'x')));
const PAYLOAD = JSON.stringify(
  Array.from({ length: 3 }, (_, id) => ({
    id,
    room_uuid: 'c5b2f0d4-0000-4000-8000-000000000000',
    message: 'Hello there',
  })),
);

interface Figures {
  requests: number;
  p50: number;
  p99: number;
  /** Milliseconds of CPU time per 1,000 requests. */
  cpu: number;
}

/** The used parts of autocannon's result. */
interface LoadResult {
  requests: { total: number };
  latency: { p50: number; p99: number };
  duration: number;
  errors: number;
  non2xx: number;
}
type Autocannon = (options: Record<string, unknown>) => Promise<LoadResult>;
const autocannon = createRequire(import.meta.url)('autocannon') as Autocannon;

/** The entry points of the child processes, by role. They return their URL. */
const roles: Record<string, (env: Record<string, string>) => Promise<string>> = {
  upstream: async () => {
    const verdictOn = ({ token }: { token: string }) => {
      const id = Number.parseInt(token, 10);
      return JSON.stringify({ caller: { kind: 'user', id, platform: 'student', tokenId: id }, expires_at: null });
    };
    const server = createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
      const answer = (body: string) => {
        const length = Buffer.byteLength(body);
        res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': length }).end(body);
      };
      if (req.url === '/internal/tokens/verify')
        void json(req).then((question) => answer(verdictOn(question as { token: string })));
      else answer(PAYLOAD);
    });
    return listening(server);
  },
  bare: async ({ upstream }) => {
    const { default: express } = await import('express');
    const { createProxyMiddleware } = await import('http-proxy-middleware');
    const app = express();
    app.use(createProxyMiddleware({ target: upstream ?? '', changeOrigin: true }));
    return listening(createServer(app));
  },
  gateway: async ({ upstream = '', nats = '' }) => {
    const config = parseConfig(gatewayConfig, {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: 'http://127.0.0.1',
      NATS_URL: nats,
      ...testKeys('gateway'),
      IDENTITY_URL: upstream,
      WALLET_URL: upstream,
      MESSAGING_URL: upstream,
      CALLS_URL: upstream,
      API_RATE_LIMIT: '1000000000',
    });
    return (await startGateway(config, createLogger('gateway', 'warn'))).url;
  },
};

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function runRole(role: string, env: Record<string, string>): Promise<void> {
  const url = await roles[role]?.(env);
  process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
  process.on('disconnect', () => process.exit(0));
  process.send?.({ url });
}

interface Child {
  process: ChildProcess;
  url: string;
  /** CPU time so far, in milliseconds. */
  cpu(): Promise<number>;
}

async function start(role: string, env: Record<string, string> = {}, folder = import.meta.dirname): Promise<Child> {
  const args = ['gateway', '--role', role, '--env', JSON.stringify(env)];
  const execArgv =
    process.argv.includes('--profile') && role !== 'upstream'
      ? ['--cpu-prof', `--cpu-prof-name=${role}.cpuprofile`]
      : [];
  // Detached, because the kernel schedules all processes of a session as one group.
  const child = fork(join(folder, 'run.ts'), args, { execArgv, detached: true });
  const answer = <T>() => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)));
  const { url } = await answer<{ url: string }>();
  return {
    process: child,
    url,
    cpu: async () => {
      const reply = answer<{ cpu: NodeJS.CpuUsage }>();
      child.send('cpu');
      const { cpu } = await reply;
      return (cpu.user + cpu.system) / 1_000;
    },
  };
}

interface Load {
  seconds: number;
  connections: number;
  bearers: number;
}

/** Each connection sends the requests of different callers. */
async function load(child: Child, { seconds, connections, bearers }: Load): Promise<Figures> {
  const each = Math.ceil(bearers / connections);
  let first = 1;
  const before = await child.cpu();
  const result = await autocannon({
    url: `${child.url}${PATH}`,
    connections,
    duration: seconds,
    setupClient: (client: { setRequests(requests: object[]): void }) => {
      const requests = Array.from({ length: each }, (_, n) => ({
        path: PATH,
        headers: { authorization: `Bearer ${tokenOf(first + n)}`, accept: 'application/json', 'user-agent': 'bench' },
      }));
      client.setRequests(requests);
      first = (first + each) % bearers;
    },
  });
  if (result.errors + result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} refusals`);
  const cpu = (await child.cpu()) - before;
  return {
    requests: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpu: (cpu * 1_000) / result.requests.total,
  };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const medianOf = (rounds: Figures[]): Figures => ({
  requests: median(rounds.map(({ requests }) => requests)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpu: median(rounds.map(({ cpu }) => cpu)),
});

function option(args: string[], name: string, standard: number): number {
  const at = args.indexOf(`--${name}`);
  return at === -1 ? standard : Number(args[at + 1]);
}

const line = (name: string, { requests, p50, p99, cpu }: Figures) =>
  `${name.padEnd(42)} ${requests.toFixed(0).padStart(7)} req/s   p50 ${p50} ms   p99 ${p99} ms   ${cpu.toFixed(0)} us CPU/request`;

export async function run(args: string[]): Promise<void> {
  const role = args[args.indexOf('--role') + 1];
  if (args.includes('--role') && role !== undefined) {
    await runRole(role, JSON.parse(args[args.indexOf('--env') + 1] ?? '{}') as Record<string, string>);
    return;
  }
  const rounds = option(args, 'rounds', 9);
  const options: Load = {
    seconds: option(args, 'seconds', 3),
    connections: option(args, 'connections', 64),
    bearers: option(args, 'bearers', 6_400),
  };
  const otherCheckout = args.includes('--before') ? args[args.indexOf('--before') + 1] : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'bench-gateway-'));
  const nats = await startNats({ dataDir: folder, log: () => undefined });
  const children: Child[] = [];
  const started = async (...given: Parameters<typeof start>) => {
    const child = await start(...given);
    children.push(child);
    return child;
  };
  try {
    const upstream = await started('upstream');
    const env = { upstream: upstream.url, nats: nats.url };
    const measured = new Map([
      ['(a) bare Express + http-proxy-middleware', await started('bare', env)],
      ['(b) gateway: auth, limits, envelope', await started('gateway', env)],
    ]);
    if (otherCheckout)
      measured.set('(c) gateway of the other checkout', await started('gateway', env, join(otherCheckout, 'bench')));
    const figures = new Map<string, Figures[]>();
    for (const child of measured.values()) await load(child, { ...options, seconds: 3 });
    for (let round = 0; round < rounds; round += 1)
      for (const [name, child] of measured)
        figures.set(name, [...(figures.get(name) ?? []), await load(child, options)]);
    console.log(`${JSON.stringify(options)}, medians of ${rounds} rounds, node ${process.version}`);
    console.log(line('    the upstream itself', await load(upstream, options)));
    for (const [name, each] of figures) console.log(line(name, medianOf(each)));
    const [bare = [], ...others] = figures.values();
    // Compared round by round, because other load on the machine affects all of them.
    const ratio = (own: Figures[], of: (bare: Figures, own: Figures) => number) =>
      median(own.map((figure, at) => of(bare[at] ?? figure, figure))).toFixed(2);
    for (const [at, own] of others.entries()) {
      const byRequests = ratio(own, (than, { requests }) => requests / than.requests);
      const byCpu = ratio(own, (than, { cpu }) => than.cpu / cpu);
      console.log(`(${'bc'[at]})/(a): ${byRequests} by req/s, ${byCpu} by CPU`);
    }
  } finally {
    for (const child of children) child.process.disconnect();
    await nats.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
