import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { roomUuid } from '@tutoring/shared/contract/room-uuid';
import { guard } from '../deploy/local/guard.ts';
import { beginCalls } from './calls/bills.ts';
import { createClient, milliseconds, percentile } from './calls/load.ts';
import { listen } from './calls/rings.ts';
import { openStand, pairOf, payIn, STAND, type Stand } from './calls/stand.ts';

const SERVICES = ['calls', 'wallet', 'messaging'] as const;
const CALLS = 150;
const ROOMS = 300;
/** First pairs of rooms and of rings: different people. */
const FIRST_ROOM = 20_000;
const FIRST_RING = 10_000;
const RINGS = { pairs: 250, perSecond: 20 };

/** Requests per second; `refused` is the total. */
type Rates = { bills: number; sends: number; refused?: number };
/** At half load, rings are measured for longer: of only 160 the second slowest would be the p99. */
const TIME_FACTOR_AT_HALF = 3;

async function seedRooms(stand: Stand) {
  const rooms = Array.from({ length: ROOMS }, (_none, n) => {
    const { student, teacher } = pairOf(FIRST_ROOM + n);
    return { uuid: roomUuid(STAND.ROOM_NAMESPACE, student, teacher), student, teacher };
  });
  await stand.sql(
    'messaging',
    `insert into room (uuid, student_id, teacher_id) select * from unnest($1::uuid[], $2::bigint[], $3::bigint[])`,
    [rooms.map(({ uuid }) => uuid), rooms.map(({ student }) => student), rooms.map(({ teacher }) => teacher)],
  );
  return rooms;
}

/** Records the largest age of an unsent event of each service, until the returned function is called. */
function watchLag(stand: Stand) {
  const worst: Record<string, number> = {};
  let stopped = false;
  const watching = SERVICES.map(async (name) => {
    while (!stopped) {
      const [oldest] = await stand.sql(
        name,
        `select (extract(epoch from clock_timestamp() - min(created_at)) * 1000)::float8 as ms from outbox where sent_at is null`,
      );
      worst[name] = Math.max(worst[name] ?? 0, Number(oldest?.['ms'] ?? 0));
      await sleep(50);
    }
  });
  return async () => {
    stopped = true;
    await Promise.all(watching);
    return worst;
  };
}

/** Rings the pairs in turn. Returns the delays from the response of init to the event, and the refused rings. */
async function ring(stand: Stand, seconds: number): Promise<{ delays: number[]; refused: number }> {
  const client = createClient(stand.url, 64);
  const waiting = new Map<number, (at: number) => void>();
  const pairs = Array.from({ length: RINGS.pairs }, (_none, n) => pairOf(FIRST_RING + n));
  const streams = await Promise.all(
    pairs.map(({ teacher }) => listen(stand.url, teacher, (at) => waiting.get(teacher)?.(at))),
  );
  const delays: number[] = [];
  let refused = 0;
  const ringOnce = async (n: number) => {
    const { student, teacher } = pairs[n % pairs.length]!;
    const heard = new Promise<number>((resolve) => waiting.set(teacher, resolve));
    await client.post(student, '/api/call/init', { teacher_user_id: teacher, call_type: 'video' });
    const answered = performance.now();
    delays.push(Math.max(0, (await heard) - answered));
    // The clock, which the bills move, may already have ended the ringing.
    await client.post(student, '/api/call/cancel', { teacher_user_id: teacher }).catch(() => undefined);
  };
  const start = performance.now();
  const rings: Promise<void>[] = [];
  for (let n = 0; n < seconds * RINGS.perSecond; n += 1) {
    await sleep(Math.max(0, start + (n * 1_000) / RINGS.perSecond - performance.now()));
    rings.push(ringOnce(n).catch(() => void (refused += 1)));
  }
  await Promise.all(rings);
  client.close();
  for (const stream of streams) stream.destroy();
  return { delays, refused };
}

async function drained(stand: Stand): Promise<void> {
  for (const name of SERVICES)
    while ((await stand.sql(name, 'select 1 from outbox where sent_at is null limit 1')).length > 0) await sleep(100);
}

/**
 * `npm run bench -- ring-under-load [seconds]`: rings while bills and messages are sent as fast as possible, and then
 * at half that rate. Goals: p99 of a ring below 50 ms at half, and no event more than 500 ms late at the maximum. All
 * processes and the load generator share the machine.
 */
export async function run([seconds = '8']: string[]): Promise<void> {
  const stand = await openStand([...SERVICES]);
  const pressure = fork(join(import.meta.dirname, 'calls/pressure.ts'), { stdio: 'inherit', detached: true });
  void guard(pressure, 'service');
  const died = once(pressure, 'exit').then(() => Promise.reject(new Error('the load generator died')));
  died.catch(() => undefined);
  try {
    const calls = await beginCalls(stand, CALLS);
    const rooms = await seedRooms(stand);
    const callers = Array.from({ length: RINGS.pairs }, (_none, n) => pairOf(FIRST_RING + n).student);
    await payIn(stand, callers, 100_000);
    const load = async (time: number, perSecond?: Rates) => {
      pressure.send({ url: stand.url, callsUrl: stand.ownerUrl('calls'), calls, rooms, seconds: time, perSecond });
      return ((await Promise.race([once(pressure, 'message'), died])) as [Rates])[0];
    };
    const measure = async (title: string, time: number, perSecond?: Rates) => {
      const lag = watchLag(stand);
      const isQuiet = perSecond?.bills === 0;
      const [rates, { delays, refused }] = await Promise.all([
        isQuiet ? perSecond : load(time, perSecond),
        ring(stand, time),
      ]).finally(lag);
      const worst = await lag();
      const done = `${rates.bills.toFixed(0)} bills/s and ${rates.sends.toFixed(0)} messages/s`;
      console.log(`${title}: ${done} (${rates.refused ?? 0} refused)`);
      const [p50, p99] = [percentile(delays, 0.5), percentile(delays, 0.99)];
      const heard = `${delays.length} rings (${refused} refused)`;
      console.log(`  ${heard} from init: p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}`);
      console.log(
        `  oldest unsent event: ${SERVICES.map((name) => `${name} ${milliseconds(worst[name] ?? 0)}`).join(', ')}`,
      );
      await drained(stand);
      return rates;
    };
    await load(3);
    await drained(stand);
    for (const name of SERVICES) await stand.sql(name, 'analyze outbox');
    const time = Number(seconds);
    const { bills, sends } = await measure('as fast as possible', time);
    await measure('at half that rate', TIME_FACTOR_AT_HALF * time, { bills: bills / 2, sends: sends / 2 });
    await measure('without load', time, { bills: 0, sends: 0 });
  } finally {
    pressure.kill();
    await stand.close();
  }
}
