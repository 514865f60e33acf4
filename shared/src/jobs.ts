import type { Database } from './database/open.ts';
import { row, sweep } from './database/sql.ts';
import type { Logger } from './process/logger.ts';
import type { Metrics } from './process/metrics.ts';

/** Returned by a run that did one step of its work and left some: the next run follows at once. */
export const MORE = 'more';
export const moreIf = (isLeft: boolean) => (isLeft ? MORE : undefined);

/**
 * Repeated work, in steps of a fixed size, however much there is to do. Every replica runs it, so it selects rows with
 * SKIP LOCKED; a failure is logged and tried again.
 */
export interface Job {
  name: string;
  /** What does not happen while it fails, for operators. */
  purpose: string;
  /** An alert watches when it last succeeded. */
  movesMoney?: boolean;
  /** The pause between two runs, a tenth more or less, so that replicas do not run it at the same moment. */
  everyMs: number;
  /** Does one step; returns `MORE` when there may be more to do. */
  run(): Promise<unknown>;
}

export interface RunningJobs {
  /** Runs the named job now (or again, right after the run in progress). */
  wake(name: string): void;
  stop(): Promise<void>;
}

const jittered = (ms: number) => ms * (0.9 + Math.random() / 5);

/** Starts the jobs; a job never overlaps itself. */
export function startJobs(jobs: Job[], { logger, metrics }: { logger: Logger; metrics: Metrics }): RunningJobs {
  let stopped = false;
  const wakers = new Map<string, () => void>();

  async function runOnce(job: Job): Promise<unknown> {
    try {
      const left = await job.run();
      metrics.countRun(job, 'done');
      return left;
    } catch (error) {
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
        const timer = setTimeout(resolve, jittered(job.everyMs));
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  for (const job of jobs) metrics.countRun(job, 'started');
  const running = jobs.map(repeat);
  return {
    wake: (name) => wakers.get(name)?.(),
    stop: async () => {
      stopped = true;
      for (const wake of wakers.values()) wake();
      await Promise.all(running);
    },
  };
}

/**
 * Removes rows that no retry can need any more: sent events (14 days), inbox rows and counted failures (15 days),
 * idempotency keys (24 hours).
 */
export function housekeeping(database: Database): Job {
  return {
    name: 'housekeeping',
    purpose: 'removes old events and idempotency keys',
    everyMs: 60_000,
    run: async () => {
      const events = { table: 'outbox', age: 'sent_at', where: `sent_at < now() - interval '14 days'` };
      const inbox = { table: 'inbox', age: 'received_at', where: `received_at < now() - interval '15 days'` };
      const failures = { table: 'event_failure', age: 'failed_at', where: `failed_at < now() - interval '15 days'` };
      const keys = { table: 'idempotency_key', age: 'created_at', where: `created_at < now() - interval '24 hours'` };
      const left: boolean[] = [];
      for (const old of [events, inbox, failures, keys]) left.push(await sweep(database.manager, old));
      return moreIf(left.includes(true));
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
  run: async () => {
    const settled = await row<{ more: boolean }>(database.manager, 'select settle_tallies($1) as more', [TALLY_LINES]);
    return moreIf(settled!.more);
  },
});
