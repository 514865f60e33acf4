import type { Database } from './database/open.ts';
import { prepared, sweep, value, type Reader } from './database/sql.ts';
import type { Logger } from './process/logger.ts';
import type { Metrics } from './process/metrics.ts';

/** Returned by a run that did one step of its work and left some: the next run follows at once. */
export const MORE = 'more';
export const moreIf = (isLeft: boolean) => (isLeft ? MORE : undefined);

/**
 * Repeated work, in steps of a fixed size, however much there is to do. Every replica runs it, so it selects rows with
 * SKIP LOCKED; a failure is logged and tried again.
 */
interface Task {
  name: string;
  /** What does not happen while it fails, for operators. */
  purpose: string;
  /** An alert watches when it last succeeded. */
  movesMoney?: boolean;
  /** Does one step; returns `MORE` when there may be more to do. */
  run(): Promise<unknown>;
  /** Resolves when the work is done that runs have begun and not waited for; never rejects. */
  rest?(): Promise<unknown>;
}

export interface RepeatedJob extends Task {
  /** The pause between two runs, a tenth more or less, so that replicas do not run it at the same moment. */
  everyMs: number;
}

interface TimedJob extends Task {
  /** SQL, an interval: how long from now on nothing will be due; null while no work is known. Asked once a second. */
  dueIn: string;
}

export type Job = RepeatedJob | TimedJob;

const isTimed = (job: Job): job is TimedJob => 'dueIn' in job;

/** Between two looks at what is due. */
const LOOK_MS = 1_000;

const jittered = (ms: number) => ms * (0.9 + Math.random() / 5);

/** Starts the jobs; a job never overlaps itself. */
export function startJobs(jobs: Job[], tools: { logger: Logger; metrics: Metrics; reader: Reader }) {
  const { logger, metrics, reader } = tools;
  let stopped = false;
  const failing = new Set<Job>();
  const wakers = new Map<string, () => void>();
  const wake = (name: string) => wakers.get(name)?.();

  /**
   * Asks for all timed jobs at once, and wakes those that are due before it asks again. Where nothing is due, that is a
   * success; one that has failed is woken to show it.
   */
  function lookJob(timed: TimedJob[]): Job {
    const columns = timed.map(({ dueIn, name }) => `ceil(extract(epoch from ${dueIn}) * 1000)::float8 as "${name}"`);
    const timers = new Map<Job, NodeJS.Timeout>();
    const statement = { name: `look_${timed.map(({ name }) => name).join('_')}`, sql: `select ${columns.join()}` };
    return {
      name: 'look',
      purpose: 'finds the jobs that are due',
      everyMs: LOOK_MS,
      run: async () => {
        const [due] = await prepared<Record<string, number | null>>(reader, statement);
        for (const job of timed) {
          const ms = failing.has(job) ? 0 : (due?.[job.name] ?? Infinity);
          // The look before may have seen it too.
          clearTimeout(timers.get(job));
          if (ms < 2 * LOOK_MS) timers.set(job, setTimeout(wake, Math.max(0, ms), job.name).unref());
          if (ms > 0) metrics.countRun(job, 'done');
        }
      },
    };
  }

  async function runOnce(job: Job): Promise<unknown> {
    try {
      const left = await job.run();
      metrics.countRun(job, 'done');
      failing.delete(job);
      return left;
    } catch (error) {
      failing.add(job);
      metrics.countRun(job, 'failed');
      logger.warn({ err: error, job: job.name, purpose: job.purpose }, 'a job failed and will run again');
      return undefined;
    }
  }

  async function repeat(job: Job): Promise<void> {
    let woken = false;
    let resume: (() => void) | undefined;
    wakers.set(job.name, () => {
      woken = true;
      resume?.();
    });
    while (!stopped) {
      woken = false;
      const left = await runOnce(job);
      if (stopped || woken || left === MORE) continue;
      await new Promise<void>((resolve) => {
        const timer = isTimed(job) ? undefined : setTimeout(resolve, jittered(job.everyMs));
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  for (const job of jobs) metrics.countRun(job, 'started');
  const timed = jobs.filter(isTimed);
  const running = [...jobs, ...(timed.length > 0 ? [lookJob(timed)] : [])].map(repeat);
  return {
    /** Runs the named job now (or again, right after the run in progress). */
    wake,
    stop: async () => {
      stopped = true;
      for (const resume of wakers.values()) resume();
      await Promise.all(running);
      await Promise.all(jobs.map(async (job) => job.rest?.()));
    },
  };
}

/** Tables of rows that no retry can need any more after a time. */
const KEPT = [
  ['outbox', 'sent_at', '14 days'],
  ['inbox', 'received_at', '15 days'],
  ['event_failure', 'failed_at', '15 days'],
  ['idempotency_key', 'created_at', '24 hours'],
] as const;

export function housekeeping(database: Database): Job {
  return {
    name: 'housekeeping',
    purpose: 'removes old events and idempotency keys',
    everyMs: 60_000,
    run: async () => {
      let isLeft = false;
      for (const [table, age, kept] of KEPT) {
        const where = `${age} < now() - interval '${kept}'`;
        isLeft = (await sweep(database.manager, { table, age, where })) || isLeft;
      }
      return moreIf(isLeft);
    },
  };
}

/** Lines of a tally that one step merges. */
const TALLY_LINES = 5_000;

/** Merges the new lines of all tallies, so that there are few to add up. */
export const tallyJob = (database: Database): Job => ({
  name: 'tallies',
  purpose: 'keeps counted lists fast',
  everyMs: 10_000,
  run: async () => moreIf(await value<boolean>(database.manager, 'select settle_tallies($1)', [TALLY_LINES])),
});
