import { column, type Reader } from '../../database/sql.ts';
import type { Bus } from '../bus.ts';
import { PARTITIONS } from '../streams.ts';

export type Signal = ReturnType<typeof createSignal>;

/**
 * `pause` sleeps until `notify` is called. It returns at once if `notify` was called since `count()` returned `since`.
 */
export function createSignal() {
  const sleepers = new Set<() => void>();
  let count = 0;
  return {
    count: () => count,
    pause: (ms: number, since = count) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        sleepers.add(wake);
        if (count !== since) wake();
      }),
    notify: () => {
      count += 1;
      for (const wake of [...sleepers]) wake();
    },
  };
}

/**
 * One signal per partition, notified when a transaction that wrote events of the partition has committed. This process
 * notifies its own relay; other replicas send a hint over core NATS, which may be lost.
 */
export function listenForCommits(bus: Bus, service: string) {
  const signals = new Map<string, Signal>(PARTITIONS.map((name) => [name, createSignal()]));
  const notify = (streams: Iterable<string>) => {
    for (const name of streams) signals.get(name)?.notify();
  };
  const subject = bus.subject(`hints.outbox.${service}`);
  const hints = bus.connection.subscribe(subject, { callback: (_error, hint) => notify(hint.string().split(',')) });
  return {
    signals,
    notify,
    hint: (streams: Iterable<string>) => {
      if (bus.isConnected()) bus.connection.publish(subject, [...streams].join());
    },
    stop: () => {
      hints.unsubscribe();
      notify(PARTITIONS);
    },
  };
}

/** A transaction that writes to the outbox takes this lock before it gets an id, and releases it once it is visible. */
const WRITERS = `
  select virtualtransaction as writer from pg_locks
  where relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Outbox ids are assigned in order, but rows become visible in commit order. The watermark is an id up to which no new
 * row can appear in this database, so rows up to it need not be read again.
 */
export function createWatermark(manager: Reader) {
  let newestId = 0;
  let watermark = 0;
  let candidate: { upTo: number; writers: string[] } | undefined;
  return {
    current: () => watermark,
    /** Reports an id that has been assigned. */
    observe: (id: number) => void (newestId = Math.max(newestId, id)),
    /** Lists the open writers. When all writers of an earlier list have ended, the id observed at that time is safe. */
    async advance(): Promise<void> {
      if (!candidate && newestId <= watermark) return;
      const upTo = newestId;
      const writers = await column<string>(manager, WRITERS);
      candidate ??= { upTo, writers };
      if (candidate.writers.some((writer) => writers.includes(writer))) return;
      watermark = candidate.upTo;
      candidate = upTo > watermark ? { upTo, writers } : undefined;
    },
  };
}
