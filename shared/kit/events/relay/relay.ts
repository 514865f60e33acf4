import { createLease } from '../../database/lease.ts';
import type { Database } from '../../database/open.ts';
import { rows } from '../../database/sql.ts';
import { RELAY_OVERDUE_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import { createFailureLog, type Bus } from '../bus.ts';
import { streamOf } from '../streams.ts';
import { createSignal, createWatermark, listenForCommits, type Signal } from './commits.ts';
import { createSender, createStreamPosition, type Acked, type PendingRow, type Sent } from './stream.ts';

/** Rows per read. */
const READ_LIMIT = 1_000;
/** Events per batch. An urgent event waits for the current batch: some 10 ms at this size. */
const SEND_LIMIT = 500;
/**
 * A smaller batch is sent so quickly that reading ahead is not worth it, unless there were commits since the last read.
 */
const SMALL_BATCH = 16;
/** Interval between polls for rows that no commit of this process and no hint has announced. */
const POLL_MS = 1_000;
/** Every fifth poll starts at the first row, to find rows that an operator marked to be sent again. */
const SWEEP_EVERY = 5;
const BACKOFF_MS = 500;
/** How long a partition is sent in id order after the query for its urgent rows has failed. */
const IN_ORDER_MS = 30_000;

const COLUMNS =
  'id, event_id, subject, name, data::text as data, context::text as context, created_at, stream_seq is not null as is_again';
/** The rows of partition $1 in id order, after id $2, without the ids $3. */
const NEXT = `select ${COLUMNS} from outbox_next($1, $2, $3, $4)`;
/** Only the urgent rows, each preceded by the earlier rows of the same noun. */
const URGENT = `select ${COLUMNS} from outbox_urgent($1, $2, $3, $4)`;
/** The partitions $3 that have unsent rows after the ids $4. */
const POLL = `array(select stream from unnest($3::text[], $4::bigint[]) as poll (stream, after)
  where exists (select from outbox_next(stream, after, '{}', 1)))`;
/** Commits asynchronously: an event whose mark is lost in a crash is sent again and dropped as a duplicate. */
const MARK = `with quick as materialized (select set_config('synchronous_commit', 'off', true))
    update outbox o set sent_at = statement_timestamp(), stream_seq = acked.seq
    from quick, unnest($1::bigint[], $2::bigint[]) as acked (id, seq) where o.id = acked.id and o.sent_at is null`;

/** The relay's state for the outbox rows of one partition, which are sent to one stream. */
interface Partition {
  name: string;
  /** Notified when a transaction with events of this partition has committed. */
  commits: Signal;
  sender: ReturnType<typeof createSender>;
  position: ReturnType<typeof createStreamPosition>;
  /**
   * Low watermark: every row up to this id is sent or listed below, and no new row can appear. Reads start after it.
   */
  lowWatermark: number;
  isSweepDue: boolean;
  /** Rows that were read and not sent yet. */
  waiting: PendingRow[];
  /** Rows that were acknowledged and not marked yet. */
  sent: Acked[];
  /** Value of `commits.count()` before the last read: the read may have missed later commits. */
  readAt: number;
  inOrderUntil: number;
}

const isSmall = ({ length }: PendingRow[]) => length > 0 && length < SMALL_BATCH;
const idsOf = (rows: PendingRow[]) => rows.map(({ id }) => id);
const rowsOf = (acked: Acked[]) => acked.map(({ row }) => row);

/** Like Promise.all, but waits for every promise to settle before it rejects. */
async function settleAll<T extends readonly unknown[]>(work: { [K in keyof T]: T[K] | Promise<T[K]> }): Promise<T> {
  const outcomes = await Promise.allSettled(work);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** Sends the batches one after another and stops at the first failure, so that rows arrive in this order. */
async function sendInOrder({ send }: Partition['sender'], batches: PendingRow[][]): Promise<Sent> {
  const acked: Acked[] = [];
  for (const batch of batches) {
    if (batch.length === 0) continue;
    const sent = await send(batch);
    acked.push(...sent.acked);
    if (sent.failure !== undefined) return { acked, failure: sent.failure };
  }
  return { acked };
}

/** Whether the stream has lost acknowledged messages. Without rows to send, an unavailable stream is no error. */
async function hasLostMessages({ position, waiting, sent }: Partition): Promise<boolean> {
  if (!position.isCheckDue()) return false;
  return position.check().catch((error: unknown) => {
    if (waiting.length + sent.length > 0) throw error;
    return false;
  });
}

/** Runs loops and detects those that hang: a loop is overdue when no iteration has ended for `overdueMs`. */
export function createLoops(overdueMs: number, now = () => performance.now()) {
  const ended = new Map<string, number>();
  return {
    /** Repeats `iteration` until `isOver` returns true. An error in an iteration ends the loop. */
    async run(name: string, isOver: () => boolean, iteration: () => Promise<void>): Promise<void> {
      try {
        for (ended.set(name, now()); !isOver(); ended.set(name, now())) await iteration();
      } finally {
        ended.delete(name);
      }
    },
    isOverdue: () => [...ended.values()].some((at) => now() - at > overdueMs),
  };
}

/**
 * Publishes the outbox to JetStream. A lease elects one process at a time. Each partition of the outbox has a loop of its
 * own that publishes its rows in id order; urgent rows, preceded by the earlier rows of their nouns, go first.
 * While a batch is sent, the next rows are read and the previous ones marked.
 * After a failure, every row from the first unacknowledged one on is sent again. The broker and the consumers drop
 * duplicates, so two leaders at the same time do no harm.
 * A partition reads when a commit of this process or another replica's hint announces rows. A poll each second finds
 * rows whose hint was lost.
 */
export function startRelay(options: { service: string; database: Database; bus: Bus; logger: Logger }) {
  const { service, database, bus, logger } = options;
  const { manager } = database;
  const lease = createLease<string[]>(manager, 'relay', POLL);
  const watermark = createWatermark(manager);
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

  async function mark({ sender }: Partition, sent: Acked[]): Promise<void> {
    if (sent.length === 0) return;
    const ids = idsOf(rowsOf(sent));
    await rows(manager, MARK, [ids, sent.map(({ seq }) => seq)]);
    sender.marked(ids);
  }

  /** Reads the next rows except `known`, and raises the low watermark. */
  async function readNext(partition: Partition, known: PendingRow[]): Promise<PendingRow[]> {
    partition.readAt = partition.commits.count();
    const safeUpTo = watermark.current();
    if (partition.isSweepDue) Object.assign(partition, { lowWatermark: 0, isSweepDue: false });
    const { name, lowWatermark } = partition;
    const next = await rows<PendingRow>(manager, NEXT, [name, lowWatermark, idsOf(known), READ_LIMIT]);
    const last = next.at(-1);
    if (last) watermark.observe(last.id);
    partition.lowWatermark = last && next.length === READ_LIMIT ? Math.min(safeUpTo, last.id) : safeUpTo;
    return next;
  }

  /**
   * Reads the urgent rows, unless so few rows wait that the query would delay them more than they delay each other.
   * With millions of rows the query may time out; the partition then goes on in id order.
   */
  async function readUrgent(partition: Partition): Promise<PendingRow[]> {
    const { name, lowWatermark, waiting, sent } = partition;
    if (waiting.length < SMALL_BATCH || performance.now() < partition.inOrderUntil) return [];
    // A waiting row may be below the low watermark and belong to a noun that has an urgent row now.
    const after = Math.min(lowWatermark, ...waiting.map(({ id }) => id - 1));
    try {
      return await rows<PendingRow>(manager, URGENT, [name, after, idsOf(rowsOf(sent)), READ_LIMIT]);
    } catch (error) {
      const message = 'the query for urgent events failed: all events are sent in order for 30 seconds';
      logger.warn({ err: error, partition: name }, message);
      partition.inOrderUntil = performance.now() + IN_ORDER_MS;
      return [];
    }
  }

  /** Sends the urgent rows and then one batch of the waiting ones; meanwhile reads the next and marks the previous. */
  async function sendBatch(partition: Partition): Promise<void> {
    const urgent = await readUrgent(partition);
    const ahead = new Set(idsOf(urgent));
    const others = partition.waiting.filter(({ id }) => !ahead.has(id));
    const [batch, rest] = [others.slice(0, SEND_LIMIT), others.slice(SEND_LIMIT)];
    const known = [...urgent, ...others, ...rowsOf(partition.sent)];
    const isNothingNew = isSmall(others) && partition.commits.count() === partition.readAt;
    const [outcome, next] = await settleAll([
      sendInOrder(partition.sender, [urgent, batch]),
      isNothingNew || rest.length >= SEND_LIMIT ? [] : readNext(partition, known),
      mark(partition, partition.sent),
    ]);
    if (!partition.position.follow(outcome.acked))
      throw new Error('the stream stored events at sequences that it had used before');
    Object.assign(partition, { waiting: [...rest, ...next], sent: outcome.acked });
    if (outcome.failure === undefined) return;
    await mark(partition, outcome.acked);
    throw outcome.failure;
  }

  function runPartition(name: string, signal: Signal): void {
    const unread = { lowWatermark: 0, isSweepDue: false, waiting: [], sent: [], readAt: -1 };
    const sender = createSender(service, bus, logger);
    const partition: Partition = {
      name,
      commits: signal,
      sender,
      position: createStreamPosition({
        partition: name,
        stream: streamOf(name, service),
        manager,
        bus,
        logger,
        subjectOf: sender.subjectOf,
      }),
      inOrderUntil: 0,
      ...unread,
    };
    const isIdle = () => partition.waiting.length + partition.sent.length === 0 && signal.count() === partition.readAt;
    const loop = loops.run(
      name,
      () => stopped || !lease.isHeld(),
      async () => {
        try {
          if (await hasLostMessages(partition)) Object.assign(partition, unread);
          if (isIdle()) return await signal.pause(POLL_MS, partition.readAt);
          await sendBatch(partition);
          if (partition.sent.length > 0) failures.recovered();
        } catch (error) {
          Object.assign(partition, unread);
          partition.position.checkNow();
          await failed(error);
        }
      },
    );
    const running = loop
      .finally(() => mark(partition, partition.sent).catch(() => undefined))
      .finally(() => partitions.delete(name));
    partitions.set(name, { partition, running });
  }

  /** The running partitions. One in the middle of a batch outlives a lease that is lost and taken again at once. */
  const partitions = new Map<string, { partition: Partition; running: Promise<void> }>();

  let polls = 0;
  /** Takes or renews the lease, and polls for unsent rows in the same statement. */
  async function lead(): Promise<void> {
    const running = [...partitions.values()].map(({ partition }) => partition);
    polls += 1;
    if (polls % SWEEP_EVERY === 0) for (const partition of running) partition.isSweepDue = true;
    const offsets = running.map(({ lowWatermark, isSweepDue }) => (isSweepDue ? 0 : lowWatermark));
    const found = await lease.take([running.map(({ name }) => name), offsets]);
    if (!found) return;
    for (const [name, signal] of commits.signals) if (!partitions.has(name)) runPartition(name, signal);
    commits.notify(found);
    await watermark.advance();
  }

  /** Competes for the lease, unless a loop of this process hangs: then another replica takes over. */
  const election = loops.run(
    'election',
    () => stopped,
    async () => {
      try {
        if (!loops.isOverdue()) await lead();
        if (!stopped) await ending.pause(POLL_MS);
      } catch (error) {
        // After a failover the old primary may still answer (a lock time-out, for example): reconnect.
        database.dropIdle();
        await failed(error);
      }
    },
  );

  return {
    /** Call after a commit that wrote events of these partitions. */
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
      await Promise.all([...partitions.values()].map(({ running }) => running));
      await lease.release().catch(() => undefined);
    },
  };
}
