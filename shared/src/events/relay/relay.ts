import { createLease } from '../../database/lease.ts';
import type { Database } from '../../database/open.ts';
import { prepared } from '../../database/sql.ts';
import { RELAY_OVERDUE_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import type { ServiceName } from '../../process/names.ts';
import { createFailureLog, type Bus } from '../bus.ts';
import { createHorizon, createSignal, listenForCommits, type Signal } from './commits.ts';
import { createPlace, createSender, type Acked, type PendingRow, type Sent } from './stream.ts';

/** Events read at once. */
const READ = 1_000;
/** Events sent at once: what is urgent waits some 10 ms for as many. */
const SENT_AT_ONCE = 500;
/** Fewer are sent so soon that nothing is done beside it, unless others were committed since they were read. */
const FEW = 16;
/** Between two looks for what no commit in this process and no hint has announced. */
const LOOK_MS = 1_000;
/** Each of so many looks begins at the very beginning, for rows that an operator marked to be sent again. */
const SWEEP_EVERY = 5;
const BACKOFF_MS = 500;
/** How long a lane goes on in the order of its rows after it could not find out which are urgent. */
const IN_ORDER_MS = 30_000;

const COLUMNS =
  'id, event_id, subject, name, data::text as data, context::text as context, created_at, stream_seq is not null as is_again';
/** A lane's rows in id order, after the id $2, without those that are known already. */
const NEXT = { name: 'outbox_next', sql: `select ${COLUMNS} from outbox_next($1, $2, $3, $4)` };
/** The urgent ones of them, each behind the earlier rows of its noun. */
const URGENT = { name: 'outbox_urgent', sql: `select ${COLUMNS} from outbox_urgent($1, $2, $3, $4)` };
/** Which of the lanes have rows after these ids. */
const LOOK = `array(select lane from unnest($3::text[], $4::bigint[]) as lane (lane, after)
  where exists (select from outbox_next(lane, after, '{}', 1)))`;
/** Does not wait for the disk: an event whose mark is lost is sent again, and dropped as a repeat. */
const MARK = {
  name: 'outbox_mark',
  sql: `with quick as materialized (select set_config('synchronous_commit', 'off', true))
    update outbox o set sent_at = statement_timestamp(), stream_seq = acked.seq
    from quick, unnest($1::bigint[], $2::bigint[]) as acked (id, seq) where o.id = acked.id and o.sent_at is null`,
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
  place: ReturnType<typeof createPlace>;
  floor: number;
  isSweepDue: boolean;
  waiting: PendingRow[];
  sent: Acked[];
  readAt: number;
  inOrderUntil: number;
}

const isFew = ({ length }: PendingRow[]) => length > 0 && length < FEW;
const idsOf = (rows: PendingRow[]) => rows.map(({ id }) => id);
const rowsOf = (acked: Acked[]) => acked.map(({ row }) => row);

/** Like Promise.all, but nothing is still under way when it rejects. */
async function together<T extends readonly unknown[]>(work: { [K in keyof T]: T[K] | Promise<T[K]> }): Promise<T> {
  const outcomes = await Promise.allSettled(work);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** Rows in the order in which they must arrive: returns those that were acknowledged, and what went wrong. */
async function sendInTurn({ send }: Lane['sender'], batches: PendingRow[][]): Promise<Sent> {
  const acked: Acked[] = [];
  for (const batch of batches) {
    if (batch.length === 0) continue;
    const sent = await send(batch);
    acked.push(...sent.acked);
    if (sent.failure !== undefined) return { acked, failure: sent.failure };
  }
  return { acked };
}

/** Whether the stream has lost what it acknowledged. Only who has something to send minds that it does not answer. */
async function hasLost({ place, waiting, sent }: Lane): Promise<boolean> {
  if (!place.isDue()) return false;
  return place.check().catch((error: unknown) => {
    if (waiting.length + sent.length > 0) throw error;
    return false;
  });
}

/** Runs loops, and knows when the last turn of each ended: a loop in which none ended for `overdueMs` hangs. */
export function createLoops(overdueMs: number, now = () => performance.now()) {
  const ended = new Map<string, number>();
  return {
    /** Takes turns until `isOver`. An error in a turn ends the loop. */
    async run(name: string, isOver: () => boolean, turn: () => Promise<void>): Promise<void> {
      try {
        for (ended.set(name, now()); !isOver(); ended.set(name, now())) await turn();
      } finally {
        ended.delete(name);
      }
    },
    isOverdue: () => [...ended.values()].some((at) => now() - at > overdueMs),
  };
}

/**
 * Publishes the outbox to JetStream from one process at a time (a lease elects it), each stream's rows in a lane of
 * their own in id order; urgent rows, and what their nouns wait for, go before the others. While rows are on their way
 * the next ones are read and the previous ones marked. After a failure all rows of a lane from the first without an ack
 * are sent again, and the broker and consumers drop repeats: so even two leaders do no harm.
 * A lane reads when a commit of this process or a replica's hint announces rows, and what a hint that was lost has not
 * announced is found by a look once a second. It reads from its floor on: below it every row is sent, or known to the
 * lane, and no new one can appear.
 */
export function startRelay(options: { service: ServiceName; database: Database; bus: Bus; logger: Logger }) {
  const { service, database, bus, logger } = options;
  const { manager } = database;
  const lease = createLease<string[]>(manager, 'relay', LOOK);
  const horizon = createHorizon(manager);
  const loops = createLoops(RELAY_OVERDUE_MS);
  const ending = createSignal();
  const failures = createFailureLog(logger, 'the relay', bus);
  let stopped = false;
  const commits = listenForCommits(bus, service);

  async function failed(error: unknown): Promise<void> {
    if (stopped) return;
    failures.failed(error);
    await bus.ensureStreams().catch(() => undefined);
    await ending.pause(BACKOFF_MS);
  }

  async function mark({ sender }: Lane, sent: Acked[]): Promise<void> {
    if (sent.length === 0) return;
    const ids = idsOf(rowsOf(sent));
    await prepared(manager, MARK, [ids, sent.map(({ seq }) => seq)]);
    sender.marked(ids);
  }

  /** Reads rows that are not `known`; raises the floor up to where every row is known then. */
  async function readNext(lane: Lane, known: PendingRow[]): Promise<PendingRow[]> {
    lane.readAt = lane.commits.count();
    const settled = horizon.settled();
    if (lane.isSweepDue) Object.assign(lane, { floor: 0, isSweepDue: false });
    const next = await prepared<PendingRow>(manager, NEXT, [lane.name, lane.floor, idsOf(known), READ]);
    const last = next.at(-1);
    if (last) horizon.see(last.id);
    lane.floor = last && next.length === READ ? Math.min(settled, last.id) : settled;
    return next;
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
      return await prepared<PendingRow>(manager, URGENT, [name, after, idsOf(rowsOf(sent)), READ]);
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
    const [batch, rest] = [others.slice(0, SENT_AT_ONCE), others.slice(SENT_AT_ONCE)];
    const known = [...urgent, ...others, ...rowsOf(lane.sent)];
    const isNothingNew = isFew(others) && lane.commits.count() === lane.readAt;
    const [outcome, next] = await together([
      sendInTurn(lane.sender, [urgent, batch]),
      isNothingNew || rest.length >= SENT_AT_ONCE ? [] : readNext(lane, known),
      mark(lane, lane.sent),
    ]);
    if (!lane.place.follow(outcome.acked)) throw new Error('the stream has taken events at places that were taken');
    Object.assign(lane, { waiting: [...rest, ...next], sent: outcome.acked });
    if (outcome.failure === undefined) return;
    await mark(lane, outcome.acked);
    throw outcome.failure;
  }

  function runLane(name: string, signal: Signal): void {
    const unread = { floor: 0, isSweepDue: false, waiting: [], sent: [], readAt: -1 };
    const sender = createSender(service, bus, logger);
    const lane: Lane = {
      name,
      commits: signal,
      sender,
      place: createPlace({ lane: name, manager, bus, logger, subjectOf: sender.subjectOf }),
      inOrderUntil: 0,
      ...unread,
    };
    const isIdle = () => lane.waiting.length + lane.sent.length === 0 && signal.count() === lane.readAt;
    const turns = loops.run(
      name,
      () => stopped || !lease.isHeld(),
      async () => {
        try {
          if (await hasLost(lane)) Object.assign(lane, unread);
          if (isIdle()) return await signal.pause(LOOK_MS, lane.readAt);
          await turn(lane);
          if (lane.sent.length > 0) failures.recovered();
        } catch (error) {
          Object.assign(lane, unread);
          lane.place.doubt();
          await failed(error);
        }
      },
    );
    const running = turns.finally(() => mark(lane, lane.sent).catch(() => undefined)).finally(() => lanes.delete(name));
    lanes.set(name, { lane, running });
  }

  /** Those that run. A lease that is lost for a moment ends some: one in the middle of a turn may miss that. */
  const lanes = new Map<string, { lane: Lane; running: Promise<void> }>();

  let looks = 0;
  /** Takes or renews the lease, and looks. */
  async function lead(): Promise<void> {
    const running = [...lanes.values()].map(({ lane }) => lane);
    looks += 1;
    if (looks % SWEEP_EVERY === 0) for (const lane of running) lane.isSweepDue = true;
    const places = running.map(({ floor, isSweepDue }) => (isSweepDue ? 0 : floor));
    const found = await lease.take([running.map(({ name }) => name), places]);
    if (!found) return;
    for (const [name, signal] of commits.signals) if (!lanes.has(name)) runLane(name, signal);
    commits.notify(found);
    await horizon.advance();
  }

  /** The holder of the lease leads, as long as all loops advance. */
  const election = loops.run(
    'election',
    () => stopped,
    async () => {
      try {
        if (!loops.isOverdue()) await lead();
        if (!stopped) await ending.pause(LOOK_MS);
      } catch (error) {
        // A primary that has been replaced may still answer, if only that it waits for a lock: never ask it again.
        database.dropIdle();
        await failed(error);
      }
    },
  );

  return {
    /** A commit wrote to the outbox, for these streams. */
    wake: (written: ReadonlySet<string>): void => {
      commits.notify(written);
      if (!lease.isHeld()) commits.hint(written);
    },
    isOverdue: loops.isOverdue,
    stop: async () => {
      stopped = true;
      commits.stop();
      ending.notify();
      await election;
      await Promise.all([...lanes.values()].map(({ running }) => running));
      await lease.giveBack().catch(() => undefined);
    },
  };
}
