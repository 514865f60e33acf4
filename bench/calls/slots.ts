import autocannon from 'autocannon';
import { milliseconds } from './load.ts';
import { pairOf, tokenOf, type Stand } from './stand.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const BOOKINGS = 500;
const DAY_MS = 86_400_000;
const { student, teacher } = pairOf(1);
const MORE_TEACHERS = 200;

const dayAt = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
/** A month that begins tomorrow. */
const [FROM, TO] = [dayAt(1), dayAt(30)];

/** Creates a teacher with free slots around the clock and 500 bookings this month, and more teachers with 500 bookings each. */
async function seed(stand: Stand): Promise<void> {
  const weekly = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '23:30' }));
  await stand.sql(
    'calls',
    `insert into availability (teacher_id, time_zone, slot_minutes, min_notice_minutes, weekly, exceptions)
     values ($1, 'Europe/Paris', 30, 0, $2, '[]')`,
    [teacher, JSON.stringify(weekly)],
  );
  await stand.sql(
    'calls',
    `insert into booking (student_id, teacher_id, starts_at, ends_at, time_zone, call_type, status, asked)
     select 1000001 + 2 * (n + ${BOOKINGS} * t), case t when 0 then $1::bigint else 1000000 + 2 * t end,
       $2::timestamptz + n * interval '1 hour', $2::timestamptz + n * interval '1 hour' + interval '30 minutes',
       'Europe/Paris', 'video', 'confirmed', 'teacher'
     from generate_series(0, ${BOOKINGS - 1}) n, generate_series(0, ${MORE_TEACHERS}) t`,
    [teacher, FROM],
  );
  await stand.sql('calls', 'vacuum analyze');
}

async function load(url: string, connections: number, seconds: number) {
  const { requests, latency, errors, non2xx } = await autocannon({
    url: `${url}/api/teachers/${teacher}/slots?from=${FROM}&to=${TO}`,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${tokenOf(student)}` },
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refused, ${errors} failed`);
  return { rate: requests.average, p50: latency.p50, p99: latency.p99 };
}

/** A month of free slots for 64 clients, compared with an indexed SELECT of the bookings behind another gateway. */
export async function benchSlots(stand: Stand, seconds: number): Promise<void> {
  await seed(stand);
  const bare = await stand.insteadOfCalls('bench/calls/bare.ts');
  const answer = await fetch(`${stand.url}/api/teachers/${teacher}/slots?from=${FROM}&to=${TO}`, {
    headers: { authorization: `Bearer ${tokenOf(student)}` },
  });
  const { data } = (await answer.json()) as { data?: unknown[] };
  if (!data || data.length < BOOKINGS) throw new Error(`${data?.length ?? 'no'} slots are free`);
  for (const url of [stand.url, bare]) await load(url, CONNECTIONS, 2);
  const alone = await load(stand.url, 1, seconds);
  console.log(`  one client: p50 ${milliseconds(alone.p50)}, p99 ${milliseconds(alone.p99)}`);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [product, other] = [await load(stand.url, CONNECTIONS, seconds), await load(bare, CONNECTIONS, seconds)];
    ratios.push(product.rate / other.rate);
    console.log(
      `  slots ${product.rate}/s, p99 ${milliseconds(product.p99)}; bare SELECT ${other.rate}/s, p99 ${milliseconds(other.p99)}`,
    );
  }
  console.log(
    `  ${data.length} slots, ${BOOKINGS} bookings: ${ratios.sort()[Math.floor(ROUNDS / 2)]!.toFixed(2)} of bare`,
  );
}
