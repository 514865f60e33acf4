import { column, type Reader } from '../../database/sql.ts';
import type { ServiceName } from '../../process/names.ts';
import { STREAMS, type Bus } from '../bus.ts';

export type Signal = ReturnType<typeof createSignal>;

/** Pauses that `notify` ends early. There is no pause when it was called after `count` was `since`. */
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
 * Signals, by stream, of commits that wrote events for it: those of this process, which the relay notifies, and those of
 * the service's other replicas, which send a hint over core NATS that may be lost.
 */
export function listenForCommits(bus: Bus, service: ServiceName) {
  const signals = new Map<string, Signal>(STREAMS.map((name) => [name, createSignal()]));
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
      notify(STREAMS);
    },
  };
}

/** A writer of the outbox takes this lock before it gets an id, and releases it after the commit is visible. */
const WRITERS = `
  select virtualtransaction as writer from pg_locks
  where relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Ids of the outbox are given in order but become visible in the order of commits. This finds the id up to which no
 * new row can appear, in this database, whatever other transactions do: rows below it need no second look.
 */
export function createHorizon(manager: Reader) {
  let seen = 0;
  let settled = 0;
  let awaited: { upTo: number; writers: string[] } | undefined;
  return {
    settled: () => settled,
    /** The newest id that has been given. */
    see: (id: number) => void (seen = Math.max(seen, id)),
    /** Lists the current writers: once all of them have ended, no row can appear up to the id that was known before. */
    async advance(): Promise<void> {
      if (!awaited && seen <= settled) return;
      const upTo = seen;
      const writers = await column<string>(manager, WRITERS);
      awaited ??= { upTo, writers };
      if (awaited.writers.some((writer) => writers.includes(writer))) return;
      settled = awaited.upTo;
      awaited = upTo > settled ? { upTo, writers } : undefined;
    },
  };
}
