import { performance } from 'node:perf_hooks';
import { cpuSeconds, createClient, forEachConcurrently, milliseconds, percentile } from './load.ts';
import { pgbenchCharges, pgbenchMinimalCharges } from './pgbench.ts';
import { pairOf, payIn, type Stand } from './stand.ts';

const LIVE_CALLS = 500;
const CONNECTIONS = 64;
const PGBENCH_CONNECTIONS = 16;
const STEP_SECONDS = 60;
const GOAL = 0.3;

export interface LiveCall {
  student: number;
  teacher: number;
  identifier: string;
}

export async function beginCalls(stand: Stand, count = LIVE_CALLS): Promise<LiveCall[]> {
  const client = createClient(stand.url, 16);
  const calls: LiveCall[] = [];
  const pairs = Array.from({ length: count }, (_, n) => pairOf(n));
  await payIn(
    stand,
    pairs.map(({ student }) => student),
    1_000_000_000,
  );
  await forEachConcurrently(pairs, 16, async ({ student, teacher }) => {
    await client.post(student, '/api/call/init', { teacher_user_id: teacher, call_type: 'video' });
    const accepted = await client.post<{ transaction: { identifier: string } }>(teacher, '/api/call/accept', {
      student_user_id: student,
      call_type: 'video',
    });
    calls.push({ student, teacher, identifier: accepted.transaction.identifier });
  });
  client.close();
  return calls;
}

/**
 * Bills every live call in rounds. The database's clock moves one step per round, so every request charges exactly one
 * step, and no round waits for real time to pass.
 */
async function billFor(stand: Stand, calls: LiveCall[], seconds: number, firstRound: number) {
  const client = createClient(stand.url, CONNECTIONS);
  const latencies: number[] = [];
  const start = performance.now();
  let round = firstRound;
  for (; performance.now() - start < seconds * 1_000; round += 1) {
    await stand.shiftClock(round * STEP_SECONDS);
    await forEachConcurrently(calls, CONNECTIONS, async ({ teacher, identifier }) => {
      const sent = performance.now();
      await client.post(teacher, '/api/call/bill', { identifier });
      latencies.push(performance.now() - sent);
    });
  }
  client.close();
  return { latencies, seconds: (performance.now() - start) / 1_000, round };
}

async function assertChargedOnce(stand: Stand, steps: number): Promise<void> {
  const [calls] = await stand.sql(
    'calls',
    `select count(*) as n, min(steps) as least, max(steps) as most from call where state = 'active'`,
  );
  const [wallet] = await stand.sql('wallet', `select count(*) as n from transfer where kind = 'call'`);
  const expected = LIVE_CALLS * steps;
  if (Number(calls!['least']) !== steps || Number(calls!['most']) !== steps || Number(wallet!['n']) !== expected)
    throw new Error(`${expected} charges expected, ${steps} per call: ${JSON.stringify({ calls, wallet })}`);
}

/** Bills per second through the gateway, compared with the charges of PostgreSQL alone in the same run. */
export async function benchBills(stand: Stand, seconds: number): Promise<void> {
  const fullCharges = await pgbenchCharges(stand, PGBENCH_CONNECTIONS, seconds);
  const minimum = await pgbenchMinimalCharges(stand, PGBENCH_CONNECTIONS, seconds);
  const calls = await beginCalls(stand);
  const warmUp = await billFor(stand, calls, Math.min(3, seconds), 0);
  const before = Object.entries(stand.pids).map(([name, pid]) => [name, cpuSeconds(pid)] as const);
  const run = await billFor(stand, calls, seconds, warmUp.round);
  const used = before.map(
    ([name, cpu]) => [name, cpuSeconds(stand.pids[name as keyof typeof stand.pids]) - cpu] as const,
  );
  await assertChargedOnce(stand, run.round);

  const bills = run.latencies.length;
  const rate = bills / run.seconds;
  const perSecond = (value: number) => value.toFixed(0).padStart(6);
  console.log(
    `  ${perSecond(fullCharges)} charges/s by pgbench, with the wallet's reads and writes, one per transaction`,
  );
  console.log(`  ${perSecond(minimum)} charges/s by pgbench, with the minimal writes of a charge`);
  console.log(`  ${perSecond(rate)} bills/s through the gateway, ${LIVE_CALLS} calls, ${CONNECTIONS} connections`);
  console.log(
    `  share: ${(rate / fullCharges).toFixed(2)} (goal ${GOAL}); of minimal charges ${(rate / minimum).toFixed(2)}`,
  );
  console.log(
    `  latency: p50 ${milliseconds(percentile(run.latencies, 0.5))}, p99 ${milliseconds(percentile(run.latencies, 0.99))}`,
  );
  console.log(`  every step of every call charged once: ${run.round * LIVE_CALLS} charges`);
  console.log('  CPU per bill:');
  for (const [name, cpu] of used)
    console.log(`    ${name.padEnd(15)} ${((cpu / bills) * 1_000).toFixed(2).padStart(8)} ms`);
}
