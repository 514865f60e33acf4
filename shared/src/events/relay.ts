import { createLease } from '../database/lease.ts';
import type { Database } from '../database/open.ts';
import { prepared, rows } from '../database/sql.ts';
import { RELAY_OVERDUE_MS } from '../deadlines.ts';
import type { Logger } from '../logger.ts';
import type { ServiceName } from '../process-names.ts';
import { STREAMS, type Bus } from './bus.ts';
import { createHorizon } from './horizon.ts';
import { createLoops } from './loops.ts';
import { createPauses } from './pauses.ts';
import { createSender, type PendingRow } from './send.ts';

const BATCH = 1_000;
const POLL_MS = 50;
const TICK_MS = 1_000;
const SWEEP_MS = 5_000;
const BACKOFF_MS = 500;

/** A lane's rows in id order, after the id `after`. */
const PENDING = `
  select id, event_id, subject, name, data::text as data, context::text as context, created_at
  from outbox_pending($1, $2, $3)`;
const MARK = {
  name: 'outbox_mark',
  sql: 'update outbox set sent_at = clock_timestamp() where id = any($1::bigint[]) and sent_at is null',
};

export interface Relay {
  /** A commit wrote to the outbox. */
  wake(): void;
  /** A part of it has not finished for so long that it hangs; a failure counts as finishing. */
  isOverdue(): boolean;
  stop(): Promise<void>;
}

/** Pauses that `ring` ends early. */
function createAlarm() {
  const sleepers = new Set<() => void>();
  return {
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        sleepers.add(wake);
      }),
    ring: () => {
      for (const wake of [...sleepers]) wake();
    },
  };
}

/**
 * Publishes the outbox to JetStream from one process at a time (a lease elects it), each stream's rows in a lane of
 * their own in id order. A row is marked after the broker's ack; after a failure all rows of a lane from the first
 * without an ack are sent again, and the broker and consumers drop repeats: so even two leaders do no harm.
 * A lane reads from its floor on: below it every row is sent and no new one can appear. Now and then it reads from the
 * very beginning, for rows that an operator marked to be sent again.
 */
export function startRelay(options: { service: ServiceName; database: Database; bus: Bus; logger: Logger }): Relay {
  const { service, database, bus, logger } = options;
  const { manager } = database;
  const lease = createLease(manager, 'relay');
  const horizon = createHorizon(manager);
  const send = createSender(service, bus, logger);
  const loops = createLoops(RELAY_OVERDUE_MS);
  const commits = createAlarm();
  const ending = createAlarm();
  const pauses = createPauses(logger, 'the relay');
  let stopped = false;
  const isFollowing = () => stopped || !lease.isHeld();

  async function failed(error: unknown): Promise<void> {
    if (stopped) return;
    pauses.pauses(error);
    await bus.ensureStreams().catch(() => undefined);
    await ending.pause(BACKOFF_MS);
  }

  /** Sends the rows above `floor`; returns the new floor and whether there may be more. */
  async function sendNext(lane: string, floor: number): Promise<{ floor: number; isFull: boolean }> {
    const settled = horizon.settled();
    const pending = await rows<PendingRow>(manager, PENDING, [lane, floor, BATCH]);
    const last = pending.at(-1);
    if (!last) return { floor: settled, isFull: false };
    horizon.see(last.id);
    if (isFollowing()) return { floor, isFull: false };
    const { acked, failure } = await send(pending);
    if (acked.length > 0) await prepared(manager, MARK, [acked.map(({ id }) => id)]);
    if (failure !== undefined) throw failure;
    pauses.goesOn();
    const isFull = pending.length === BATCH;
    return { floor: isFull ? Math.min(settled, last.id) : settled, isFull };
  }

  function runLane(lane: string): Promise<void> {
    let floor = 0;
    let sweptAt = performance.now();
    return loops.run(lane, isFollowing, async () => {
      if (performance.now() - sweptAt > SWEEP_MS) {
        floor = 0;
        sweptAt = performance.now();
      }
      try {
        const sent = await sendNext(lane, floor);
        floor = sent.floor;
        if (!sent.isFull && !isFollowing()) await commits.pause(POLL_MS);
      } catch (error) {
        await failed(error);
      }
    });
  }

  /** The holder of the lease leads, and renews it as long as all loops advance. */
  let leading: Promise<unknown> | undefined;
  const election = loops.run(
    'election',
    () => stopped,
    async () => {
      try {
        if (!loops.isOverdue() && (await lease.take())) {
          leading ??= Promise.all(STREAMS.map(runLane)).finally(() => (leading = undefined));
          await horizon.advance();
        }
        if (!stopped) await ending.pause(TICK_MS);
      } catch (error) {
        await failed(error);
      }
    },
  );

  return {
    wake: commits.ring,
    isOverdue: loops.isOverdue,
    stop: async () => {
      stopped = true;
      commits.ring();
      ending.ring();
      await election;
      await leading;
      await lease.giveBack().catch(() => undefined);
    },
  };
}
