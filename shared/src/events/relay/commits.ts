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
