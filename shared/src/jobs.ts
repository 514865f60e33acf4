import type { Database } from './database/open.ts';
import type { Logger } from './logger.ts';

/** Work that repeats. Every replica runs it, so it takes its rows with SKIP LOCKED; a failure is logged and tried again. */
export interface Job {
  name: string;
  everyMs: number;
  run(): Promise<unknown>;
}

export interface RunningJobs {
  /** Runs the named job now (or again, right after the run in progress). */
  wake(name: string): void;
  stop(): Promise<void>;
}

/** Starts the jobs; a job never overlaps itself. */
export function startJobs(jobs: Job[], logger: Logger): RunningJobs {
  let stopped = false;
  const wakers = new Map<string, () => void>();

  async function repeat(job: Job): Promise<void> {
    let woken = false;
    let resume: (() => void) | undefined;
    wakers.set(job.name, () => {
      woken = true;
      resume?.();
    });
    while (!stopped) {
      woken = false;
      await job
        .run()
        .catch((error: unknown) => logger.warn({ err: error, job: job.name }, 'a job failed and will run again'));
      if (stopped || woken) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, job.everyMs);
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

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

/** Removes what no retry can need any more: sent events (14 days), inbox rows and counted failures (15 days), idempotency keys (24 hours). */
export function housekeeping(database: Database): Job {
  return {
    name: 'housekeeping',
    everyMs: 60_000,
    run: async () => {
      await database.manager.query(
        `delete from outbox where id in (select id from outbox where sent_at < now() - interval '14 days' limit 5000)`,
      );
      await database.manager.query(`delete from inbox where received_at < now() - interval '15 days'`);
      await database.manager.query(`delete from event_failure where failed_at < now() - interval '15 days'`);
      await database.manager.query(`delete from idempotency_key where created_at < now() - interval '24 hours'`);
    },
  };
}
