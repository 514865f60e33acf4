import type { Database } from './database/open.ts';
import { rows, sweep, value, type Reader } from './database/sql.ts';
import type { Logger } from './process/logger.ts';
import type { Metrics } from './process/metrics.ts';

/** Returned by a run that left work: the next run follows at once. */
export const MORE = 'more';
export const moreIf = (isLeft: boolean) => (isLeft ? MORE : undefined);

/**
 * Recurring work in steps of limited size. Every replica runs it, so it must select rows with SKIP LOCKED. Failures are
 * logged and retried.
 */
interface Task {
  name: string;
  /** For operators: the work that is not done while the job fails. */
  purpose: string;
  /** Whether an alert watches the time of its last success. */
  movesMoney?: boolean;
  /** Does one step; returns `MORE` when there may be more work. */
  run(): Promise<unknown>;
  /** Resolves when work that runs have started in the background has ended; never rejects. */
  whenIdle?(): Promise<unknown>;
}

export interface RepeatedJob extends Task {
  /** Pause between two runs, with 10 % jitter, so that replicas do not run it at the same time. */
  everyMs: number;
}

interface TimedJob extends Task {
  /** SQL interval until the next work is due; null if there is none. Evaluated once a second. */
  dueIn: string;
}

export type Job = RepeatedJob | TimedJob;

/** A job without its work. */
export type Schedule = Omit<RepeatedJob, 'run' | 'whenIdle'> | Omit<TimedJob, 'run' | 'whenIdle'>;

const isTimed = (job: Job): job is TimedJob => 'dueIn' in job;

/** Interval of the query for due jobs. */
const POLL_MS = 1_000;

const jittered = (ms: number) => ms * (0.9 + Math.random() / 5);

/** Starts the jobs. Runs of the same job in this process never overlap. */
export function startJobs(jobs: Job[], tools: { logger: Logger; metrics: Metrics; reader: Reader }) {
  const { logger, metrics, reader } = tools;
  let stopped = false;
  const failing = new Set<Job>();
  const wakers = new Map<string, () => void>();
  const wake = (name: string) => wakers.get(name)?.();

  /**
   * Evaluates `dueIn` of all timed jobs in one query and wakes those that are due before the next poll. A job without
   * due work counts as successful. A job that failed is run again in any case, to find out whether it works now.
   */
  function pollJob(timed: TimedJob[]): Job {
    const columns = timed.map(({ dueIn, name }) => `ceil(extract(epoch from ${dueIn}) * 1000)::float8 as "${name}"`);
    const timers = new Map<Job, NodeJS.Timeout>();
    const sql = `select ${columns.join()}`;
    return {
      name: 'poll',
      purpose: 'finds the jobs that are due',
      everyMs: POLL_MS,
      run: async () => {
        const [due] = await rows<Record<string, number | null>>(reader, sql);
        for (const job of timed) {
          const ms = failing.has(job) ? 0 : (due?.[job.name] ?? Infinity);
          // The previous poll may have set a timer for the same work.
          clearTimeout(timers.get(job));
          if (ms < 2 * POLL_MS) timers.set(job, setTimeout(wake, Math.max(0, ms), job.name).unref());
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
  const running = [...jobs, ...(timed.length > 0 ? [pollJob(timed)] : [])].map(repeat);
  return {
    /** Runs the named job now (or again, right after the run in progress). */
    wake,
    stop: async () => {
      stopped = true;
      for (const resume of wakers.values()) resume();
      await Promise.all(running);
      await Promise.all(jobs.map(async (job) => job.whenIdle?.()));
    },
  };
}

/** Tables whose rows are deleted after this time, when no retry can need them any more. */
const RETENTION = [
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
      for (const [table, age, kept] of RETENTION) {
        const where = `${age} < now() - interval '${kept}'`;
        isLeft = (await sweep(database.manager, { table, age, where })) || isLeft;
      }
      return moreIf(isLeft);
    },
  };
}

/** Tally rows that one step merges. */
const TALLY_LINES = 5_000;

/** Merges new rows of all tally tables, so that there are few to sum up. */
export const tallyJob = (database: Database): Job => ({
  name: 'tallies',
  purpose: 'keeps counted lists fast',
  everyMs: 10_000,
  run: async () => moreIf(await value<boolean>(database.manager, 'select settle_tallies($1)', [TALLY_LINES])),
});
