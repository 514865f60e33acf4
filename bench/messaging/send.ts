import autocannon from 'autocannon';
import { milliseconds, pairOf, perSecond, roomOf, seedRooms, tokenOf, type Stand } from './stand.ts';

const ROOMS = 500;
const CONNECTIONS = 32;
const SECONDS = 8;
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
  return { rate: result.requests.average, p99: result.latency.p99 };
}

/** Sends through the gateway against a bare one-row INSERT service: alone, and behind the same gateway. */
export async function benchSend(stand: Stand): Promise<void> {
  await seedRooms(stand, ROOMS);
  await stand.sql(
    `create table bare_message (id bigint generated always as identity primary key, room_uuid uuid, message text,
     created_at timestamptz not null default now())`,
  );
  const messaging = await stand.start('services/messaging/src/main.ts');
  const gateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: messaging.url });
  const bare = await stand.start('bench/messaging/bare.ts');
  const bareGateway = await stand.start('gateway/src/main.ts', { MESSAGING_URL: bare.url });
  const targets = {
    'through the gateway': gateway.url,
    'bare INSERT service': bare.url,
    'bare behind the gateway': bareGateway.url,
  };
  for (const url of Object.values(targets)) await load(url, 3);
  const best = new Map<string, { rate: number; p99: number }>();
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const [name, url] of Object.entries(targets)) {
      const measured = await load(url, SECONDS);
      console.log(`  ${name}: ${perSecond(measured.rate)}, p99 ${milliseconds(measured.p99)}`);
      if (measured.rate > (best.get(name)?.rate ?? 0)) best.set(name, measured);
      const began = Date.now();
      while ((await stand.sql('select 1 from outbox where sent_at is null limit 1')).length > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
      if (Date.now() - began > 50) console.log(`    the relay was ${Date.now() - began} ms behind`);
    }
  }
  const rate = (name: string) => best.get(name)?.rate ?? Number.NaN;
  const ours = rate('through the gateway');
  console.log(`  ratio to the bare service: ${(ours / rate('bare INSERT service')).toFixed(2)} (goal 0.5)`);
  console.log(`  ratio to it behind the same gateway: ${(ours / rate('bare behind the gateway')).toFixed(2)}`);
}
