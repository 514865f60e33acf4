import { MORE } from '@tutoring/shared/jobs';
import { milliseconds, percentile } from '../messaging/stand.ts';
import type { Place } from './place.ts';

const PHASE_MS = 5_000;
/** Between the requests of one client. */
const PAUSE_MS = 10;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A request of somebody; throws when the answer is not what it must be. */
export type Request = () => Promise<void>;

/** Repeats each of these, side by side, and keeps how long they took. */
function startLoad(requests: Request[]) {
  let stopped = false;
  let done = 0;
  let taken: number[] = [];
  const failures: string[] = [];
  const repeat = async (request: Request) => {
    while (!stopped) {
      const began = performance.now();
      await request().catch((error: unknown) => failures.push(String(error)));
      taken.push(performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all(requests.map(repeat));
  return {
    failures,
    done: () => done + taken.length,
    print(phase: string) {
      const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => milliseconds(percentile(taken, share)));
      console.log(
        `  ${phase}: ${taken.length} requests, ${failures.length} failed, p50 ${p50}, p99 ${p99}, longest ${longest}`,
      );
      done += taken.length;
      taken = [];
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Number and sum of all rows, whatever table they lie in. */
const sumOf = async ({ asOwner }: Place, rows: string) =>
  JSON.stringify(
    (await asOwner(`select count(*)::int as rows, sum(hashtextextended(t::text, 0))::text as sum from ${rows} t`))[0],
  );

/** Partitions a table while people use its service; throws when a request failed or a row is not what it was. */
export async function trial(place: Place, table: string, requests: Request[]): Promise<void> {
  const load = startLoad(requests);
  const timed = async (phase: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    load.print(`${phase}, ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  };
  const kind = async () =>
    (await place.asOwner(`select relkind from pg_class where oid = 'public.${table}'::regclass`))[0]!['relkind'];
  await timed('before', () => sleep(PHASE_MS));
  await timed('migration', place.upgrade);
  const job = place.service.jobs.find(({ name }) => name === 'partitioning')!;
  await timed('copied and switched', async () => {
    while ((await kind()) !== 'p') await job.run();
  });
  await timed('after', () => sleep(PHASE_MS));
  const [last] = await place.asOwner(`select max(id) as id from retired.${table}`);
  const rowsOfBefore = await sumOf(place, `retired.${table}`);
  await timed('compared and dropped', async () => {
    while ((await job.run()) === MORE);
  });
  await load.stop();
  if (load.failures.length > 0) throw new Error(`${load.failures.length} failed: ${load.failures[0]}`);
  const sums = [rowsOfBefore, await sumOf(place, `(select * from ${table} where id <= ${String(last!['id'])})`)];
  if (sums[0] !== sums[1]) throw new Error(`before ${sums[0]}, after ${sums[1]}`);
  console.log(`  ${load.done()} requests, none failed; before and after the switch ${sums[0]}`);
}
