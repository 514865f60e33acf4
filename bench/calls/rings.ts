import { performance } from 'node:perf_hooks';
import { get, type IncomingMessage } from 'node:http';
import { createClient, milliseconds, percentile } from './load.ts';
import { pairOf, payIn, tokenOf, type Stand } from './stand.ts';

const PAIRS = 250;
const CALLS_PER_SECOND = 50;
/** Pairs with lower numbers are in calls of the part `bills`. */
const FIRST_PAIR = 10_000;

/** Opens a teacher's event stream; calls `onRinging` with the time of each `call.ringing`. */
export function listen(url: string, teacher: number, onRinging: (at: number) => void): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = get(
      `${url}/api/events`,
      { headers: { authorization: `Bearer ${tokenOf(teacher)}` }, agent: false },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`the event stream answers ${response.statusCode}`));
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          if (text.includes('event: call.ringing') || text.includes('event:call.ringing')) onRinging(performance.now());
        });
        resolve(response);
      },
    );
    request.on('error', reject);
  });
}

/**
 * Time from the response of init to `call.ringing` in the teacher's event stream; zero when the event arrives first.
 */
export async function benchRings(stand: Stand, seconds: number): Promise<void> {
  const pairs = Array.from({ length: PAIRS }, (_, n) => pairOf(FIRST_PAIR + n));
  await stand.shiftClock(0);
  await payIn(
    stand,
    pairs.map(({ student }) => student),
    100_000,
  );
  const waiting = new Map<number, (at: number) => void>();
  const streams = await Promise.all(
    pairs.map(({ teacher }) => listen(stand.url, teacher, (at) => waiting.get(teacher)?.(at))),
  );
  const client = createClient(stand.url, 64);
  const delays: number[] = [];

  async function ring(n: number): Promise<void> {
    const { student, teacher } = pairs[n % PAIRS]!;
    const heard = new Promise<number>((resolve) => waiting.set(teacher, resolve));
    await client.post(student, '/api/call/init', { teacher_user_id: teacher, call_type: 'video' });
    const answered = performance.now();
    delays.push(Math.max(0, (await heard) - answered));
    await client.post(student, '/api/call/cancel', { teacher_user_id: teacher });
  }

  const rings: Promise<void>[] = [];
  const start = performance.now();
  for (let n = 0; n < seconds * CALLS_PER_SECOND; n += 1) {
    const wait = start + (n * 1_000) / CALLS_PER_SECOND - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    rings.push(ring(n));
  }
  await Promise.all(rings);
  client.close();
  for (const stream of streams) stream.destroy();
  console.log(`  from init to ringing, ${CALLS_PER_SECOND} calls/s, ${PAIRS} open streams, ${delays.length} calls`);
  console.log(`  p50 ${milliseconds(percentile(delays, 0.5))}, p99 ${milliseconds(percentile(delays, 0.99))}`);
}
