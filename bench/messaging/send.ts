import autocannon from 'autocannon';
import { cpuSeconds } from '../calls/load.ts';
import { milliseconds, pairOf, perSecond, roomOf, seedRooms, tokenOf, type Stand } from './stand.ts';

const ROOMS = 500;
const CONNECTIONS = 64;
const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const ROUNDS = 3;

async function load(url: string, seconds: number) {
  let next = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    setupClient: (client) => {
      const first = (next += 37);
      client.setRequests(
        Array.from({ length: 50 }, (_none, index) => {
          const room = (first + index * 11) % ROOMS;
          return {
            method: 'POST' as const,
            path: `/api/rooms/${roomOf(room)}/messages`,
            headers: {
              'content-type': 'application/json',
              authorization: `Bearer ${tokenOf(pairOf(room).studentId)}`,
            },
            body: JSON.stringify({ message: 'Shall we start with chapter three tomorrow?' }),
          };
        }),
      );
    },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return { rate: result.requests.average, p99: result.latency.p99, sent: result.requests.total };
}

type Processes = Record<string, number>;

/** Milliseconds of CPU per message, by process; `work` returns how many messages it sent. */
async function measureCpu<Result extends { sent: number }>(processes: Processes, work: () => Promise<Result>) {
  const before = Object.entries(processes).map(([name, pid]) => ({ name, pid, cpu: cpuSeconds(pid) }));
  const result = await work();
  const used = before.map(({ name, pid, cpu }) => ({
    name,
    each: ((cpuSeconds(pid) - cpu) * 1_000) / result.sent,
  }));
  return { ...result, cpu: [...used, { name: 'all', each: used.reduce((sum, { each }) => sum + each, 0) }] };
}

/** Waits until the relay has published every event. Returns the time in milliseconds. */
async function drained(stand: Stand): Promise<number> {
  const began = Date.now();
  while ((await stand.sql('select 1 from outbox where sent_at is null limit 1')).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return Date.now() - began;
}

/** Compares sending through the gateway with a bare one-row INSERT service: alone, and behind another gateway. */
export async function benchSend(stand: Stand): Promise<void> {
  await seedRooms(stand, ROOMS);
  await stand.sql(
    `create table bare_message (id bigint generated always as identity primary key, room_uuid uuid, message text,
     created_at timestamptz not null default now())`,
  );
  const messaging = await stand.start('services/messaging/src/main.ts');
  const gateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: messaging.url });
  const bare = await stand.start('bench/messaging/bare.ts');
  // A separate prefix keeps the real gateway's events away.
  const bareGateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: bare.url, NATS_PREFIX: 'bare' });
  const servers = { ...stand.pids, 'load generator': process.pid };
  const targets: Record<string, { url: string; processes: Processes }> = {
    'through the gateway': {
      url: gateway.url,
      processes: { gateway: gateway.pid, messaging: messaging.pid, ...servers },
    },
    'bare INSERT service': { url: bare.url, processes: { bare: bare.pid, ...servers } },
    'bare behind the gateway': {
      url: bareGateway.url,
      processes: { gateway: bareGateway.pid, bare: bare.pid, ...servers },
    },
  };
  for (const { url } of Object.values(targets)) await load(url, WARM_UP_SECONDS);
  await drained(stand);
  // Autovacuum does this within a minute. Without it, the check for unsent events scans the whole table.
  await stand.sql('analyze outbox');
  const best = new Map<string, Awaited<ReturnType<typeof measure>>>();
  const measure = ({ url, processes }: (typeof targets)[string]) =>
    // Includes the events that are published after the last response.
    measureCpu(processes, async () => ({ ...(await load(url, SECONDS)), behind: await drained(stand) }));
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const measured = await measure(target);
      const behind = measured.behind > 200 ? `, the relay ${measured.behind} ms behind` : '';
      console.log(`  ${name}: ${perSecond(measured.rate)}, p99 ${milliseconds(measured.p99)}${behind}`);
      if (measured.rate > (best.get(name)?.rate ?? 0)) best.set(name, measured);
    }
  }
  console.log('  CPU per message:');
  for (const [name, { cpu }] of best)
    console.log(`    ${name}: ${cpu.map((part) => `${part.name} ${part.each.toFixed(3)}`).join(', ')} ms`);
  const rate = (name: string) => best.get(name)?.rate ?? Number.NaN;
  const ours = rate('through the gateway');
  console.log(`  ratio to the bare service: ${(ours / rate('bare INSERT service')).toFixed(2)} (goal 0.5)`);
  console.log(`  ratio to it behind the same gateway: ${(ours / rate('bare behind the gateway')).toFixed(2)}`);
}
