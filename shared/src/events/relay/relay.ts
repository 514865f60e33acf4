import { createLease } from '../../database/lease.ts';
import type { Database } from '../../database/open.ts';
import { prepared, rows } from '../../database/sql.ts';
import { RELAY_OVERDUE_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import type { ServiceName } from '../../process/names.ts';
import { STREAMS, type Bus } from '../bus.ts';
import { createHorizon } from './horizon.ts';
import { createLoops } from './loops.ts';
import { createFailureLog } from '../failures.ts';
import { createSender, type PendingRow } from './send.ts';

/** Events read at once. */
const READ = 1_000;
/** Fewer are sent so soon that nothing is done beside it, unless others were committed since they were read. */
const FEW = 16;
const POLL_MS = 50;
const TICK_MS = 1_000;
const SWEEP_MS = 5_000;
const BACKOFF_MS = 500;
/** How long a lane goes on in the order of its rows after it could not find out which are urgent. */
const IN_ORDER_MS = 30_000;

const COLUMNS = 'id, event_id, subject, name, data::text as data, context::text as context, created_at';
/** A lane's rows in id order, after the id $2, without those that are known already. */
const NEXT = `select ${COLUMNS} from outbox_next($1, $2, $3, $4)`;
/** The urgent ones of them, each behind the earlier rows of its noun. */
const URGENT = `select ${COLUMNS} from outbox_urgent($1, $2, $3, $4)`;
/** Does not wait for the disk: an event whose mark is lost is sent again, and dropped as a repeat. */
const MARK = {
  name: 'outbox_mark',
  sql: `with quick as materialized (select set_config('synchronous_commit', 'off', true))
    update outbox set sent_at = clock_timestamp() from quick where id = any($1::bigint[]) and sent_at is null`,
};

/**
 * What a lane knows: `waiting` is read and not sent yet, `sent` is acknowledged and not marked yet. `readAt`: the number
 * of the commit after which it last began to read; what commits from then on may be missed by that.
 */
interface Lane {
  name: string;
  /** Notified when a transaction with events for this stream has committed. */
  commits: Signal;
  sender: ReturnType<typeof createSender>;
  floor: number;
  waiting: PendingRow[];
  sent: PendingRow[];
  readAt: number;
  inOrderUntil: number;
}

const isFew = ({ length }: PendingRow[]) => length > 0 && length < FEW;
const idsOf = (rows: PendingRow[]) => rows.map(({ id }) => id);

export interface Relay {
  /** A commit wrote to the outbox, for these streams. */
  wake(lanes: ReadonlySet<string>): void;
  /** A part of it has not finished for so long that it hangs; a failure counts as finishing. */
  isOverdue(): boolean;
  stop(): Promise<void>;
}

type Signal = ReturnType<typeof createSignal>;

/** Pauses that `notify` ends early. There is no pause when it was called after `count` was `since`. */
function createSignal() {
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

/** Like Promise.all, but nothing is still under way when it rejects. */
async function together<T extends readonly unknown[]>(work: { [K in keyof T]: T[K] | Promise<T[K]> }): Promise<T> {
  const outcomes = await Promise.allSettled(work);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/**
 * Publishes the outbox to JetStream from one process at a time (a lease elects it), each stream's rows in a lane of
 * their own in id order; urgent rows, and what their nouns wait for, go before the others. While rows are on their way
 * the next ones are read and the previous ones marked. After a failure all rows of a lane from the first without an ack
 * are sent again, and the broker and consumers drop repeats: so even two leaders do no harm.
 * A lane reads from its floor on: below it every row is sent, or known to the lane, and no new one can appear. Now and
 * then it reads from the very beginning, for rows that an operator marked to be sent again.
 */
export function startRelay(options: { service: ServiceName; database: Database; bus: Bus; logger: Logger }): Relay {
  const { service, database, bus, logger } = options;
  const { manager } = database;
  const lease = createLease(manager, 'relay');
  const horizon = createHorizon(manager);
  const loops = createLoops(RELAY_OVERDUE_MS);
  const commits = new Map<string, Signal>(STREAMS.map((name) => [name, createSignal()]));
  const ending = createSignal();
  const failures = createFailureLog(logger, 'the relay');
  let stopped = false;
  const isFollowing = () => stopped || !lease.isHeld();

  async function failed(error: unknown): Promise<void> {
    if (stopped) return;
    failures.failed(error);
    await bus.ensureStreams().catch(() => undefined);
    await ending.pause(BACKOFF_MS);
  }

  async function mark(sent: PendingRow[]): Promise<void> {
    if (sent.length > 0) await prepared(manager, MARK, [idsOf(sent)]);
  }

  /** Reads rows that are not `known`; raises the floor up to where every row is known then. */
  async function readNext(lane: Lane, known: PendingRow[]): Promise<PendingRow[]> {
    lane.readAt = lane.commits.count();
    const settled = horizon.settled();
    const next = await rows<PendingRow>(manager, NEXT, [lane.name, lane.floor, idsOf(known), READ]);
    const last = next.at(-1);
    if (last) horizon.see(last.id);
    lane.floor = last && next.length === READ ? Math.min(settled, last.id) : settled;
    return next;
  }

  /** Rows in the order in which they must arrive: returns those that were acknowledged, and what went wrong. */
  async function sendInTurn(
    { send }: Lane['sender'],
    batches: PendingRow[][],
  ): Promise<{ acked: PendingRow[]; failure?: Error }> {
    const acked: PendingRow[] = [];
    for (const batch of batches) {
      if (batch.length === 0) continue;
      const sent = await send(batch);
      acked.push(...sent.acked);
      if (sent.failure !== undefined) return { acked, failure: sent.failure };
    }
    return { acked };
  }

  /**
   * What became urgent since the others were read; a few delay it no more than a look would. Among millions the look may
   * take too long: then it must not keep all of them waiting.
   */
  async function readUrgent(lane: Lane): Promise<PendingRow[]> {
    const { name, floor, waiting, sent } = lane;
    if (waiting.length < FEW || performance.now() < lane.inOrderUntil) return [];
    // What waits may lie below the floor already, and belong to a noun that has become urgent.
    const after = Math.min(floor, ...waiting.map(({ id }) => id - 1));
    try {
      return await rows<PendingRow>(manager, URGENT, [name, after, idsOf(sent), READ]);
    } catch (error) {
      logger.warn({ err: error, lane: name }, 'the relay does not know which events are urgent');
      lane.inOrderUntil = performance.now() + IN_ORDER_MS;
      return [];
    }
  }

  /** Sends the first that wait, behind what is urgent. */
  async function turn(lane: Lane): Promise<void> {
    const urgent = await readUrgent(lane);
    const ahead = new Set(idsOf(urgent));
    const others = lane.waiting.filter(({ id }) => !ahead.has(id));
    const size = lane.sender.atOnce();
    const [batch, rest] = [others.slice(0, size), others.slice(size)];
    const known = [...urgent, ...others, ...lane.sent];
    const isNothingNew = isFew(others) && lane.commits.count() === lane.readAt;
    const [outcome, next] = await together([
      sendInTurn(lane.sender, [urgent, batch]),
      isNothingNew || rest.length >= size ? [] : readNext(lane, known),
      mark(lane.sent),
    ]);
    Object.assign(lane, { waiting: [...rest, ...next], sent: outcome.acked });
    if (outcome.failure === undefined) return;
    await mark(outcome.acked);
    throw outcome.failure;
  }

  function runLane(name: string, signal: Signal): Promise<void> {
    const unread = { floor: 0, waiting: [], sent: [], readAt: 0, inOrderUntil: 0 };
    const lane: Lane = { name, commits: signal, sender: createSender(service, bus, logger), ...unread };
    let sweptAt = performance.now();
    const isIdle = () => lane.waiting.length + lane.sent.length === 0;
    const turns = loops.run(name, isFollowing, async () => {
      if (performance.now() - sweptAt > SWEEP_MS) {
        lane.floor = 0;
        sweptAt = performance.now();
      }
      try {
        await turn(lane);
        if (lane.sent.length > 0) failures.recovered();
        if (isIdle() && !isFollowing()) await lane.commits.pause(POLL_MS, lane.readAt);
      } catch (error) {
        Object.assign(lane, { floor: 0, waiting: [], sent: [] });
        await failed(error);
      }
    });
    return turns.finally(() => mark(lane.sent).catch(() => undefined));
  }

  /** Those that run. A lease that is lost for a moment ends some: one in the middle of a turn may miss that. */
  const lanes = new Map<string, Promise<void>>();
  function runLanes(): void {
    for (const [name, signal] of commits)
      if (!lanes.has(name))
        lanes.set(
          name,
          runLane(name, signal).finally(() => lanes.delete(name)),
        );
  }

  /** The holder of the lease leads, and renews it as long as all loops advance. */
  const election = loops.run(
    'election',
    () => stopped,
    async () => {
      try {
        if (!loops.isOverdue() && (await lease.take())) {
          runLanes();
          await horizon.advance();
        }
        if (!stopped) await ending.pause(TICK_MS);
      } catch (error) {
        await failed(error);
      }
    },
  );

  return {
    wake: (written) => {
      for (const name of written) commits.get(name)?.notify();
    },
    isOverdue: loops.isOverdue,
    stop: async () => {
      stopped = true;
      for (const signal of commits.values()) signal.notify();
      ending.notify();
      await election;
      await Promise.all(lanes.values());
      await lease.giveBack().catch(() => undefined);
    },
  };
}
