import type { QueryRunner } from 'typeorm';
import { PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { Database } from '../database/open.ts';
import { prepared } from '../database/sql.ts';
import type { Logger } from '../logger.ts';
import type { Bus } from './bus.ts';

const LEADER_LOCK = 7_301_947;
const BATCH = 1_000;
const POLL_MS = 50;
const FOLLOWER_POLL_MS = 1_000;
const BACKOFF_MS = 500;

/** So many of one stream go as one atomic batch: below, its extra round trip costs more than it saves. */
const WORTH_A_BATCH = 16;
const PATIENCE_MS = 2_000;

interface PendingRow {
  id: number;
  event_id: string;
  subject: string;
  name: string;
  data: string;
  context: string;
  created_at: string;
}

const PENDING = {
  name: 'outbox_pending',
  sql: `select id, event_id, subject, name, data::text as data, context::text as context, created_at
    from outbox where sent_at is null order by id limit ${BATCH}`,
};
const MARK = {
  name: 'outbox_mark',
  sql: 'update outbox set sent_at = clock_timestamp() where id = any($1::bigint[])',
};

/** What travels; data and context are JSON already. */
const messageOf = ({ event_id, name, data, context, created_at }: PendingRow) =>
  `{"id":"${event_id}","name":${JSON.stringify(name)},"data":${data},"context":${context},"created_at":"${created_at}"}`;

const streamOf = ({ subject }: PendingRow) => subject.slice(0, subject.indexOf('.'));

function headersOf(row: PendingRow) {
  const header = headers();
  header.set(PubHeaders.MsgIdHdr, row.event_id);
  header.set('Event-Name', row.name);
  return header;
}

export interface Relay {
  /** A commit wrote to the outbox. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Publishes the outbox to JetStream, in id order, from one process at a time (an advisory lock elects it). A row is marked
 * after the broker's ack; after a failure everything of a stream from the first row without an ack goes again, and the
 * broker and the consumers' inboxes drop what they have seen.
 */
export function startRelay(database: Database, bus: Bus, logger: Logger): Relay {
  let stopped = false;
  let woken: (() => void) | undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      woken = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** All or none, with one ack. */
  async function publishTogether(rows: PendingRow[]): Promise<void> {
    const [first, ...others] = rows;
    const last = others.pop();
    if (!first || !last) throw new Error('a batch has at least two events');
    const options = (row: PendingRow) => ({ headers: headersOf(row), timeout: PATIENCE_MS });
    const batch = await bus.js.startBatch(bus.subject(first.subject), messageOf(first), options(first));
    for (const row of others) batch.add(bus.subject(row.subject), messageOf(row), { headers: headersOf(row) });
    await batch.commit(bus.subject(last.subject), messageOf(last), options(last));
  }

  /** Answers those before the first that the broker did not take, and why it did not. */
  async function publishEach(rows: PendingRow[]): Promise<{ acked: PendingRow[]; failure?: unknown }> {
    const results = await Promise.allSettled(
      rows.map((row) =>
        bus.js.publish(bus.subject(row.subject), messageOf(row), { headers: headersOf(row), timeout: PATIENCE_MS }),
      ),
    );
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed === -1) return { acked: rows };
    return { acked: rows.slice(0, failed), failure: (results[failed] as PromiseRejectedResult).reason };
  }

  /** A batch is refused when the broker has one of its events already: then each goes by itself. */
  async function publishStream(rows: PendingRow[]): Promise<{ acked: PendingRow[]; failure?: unknown }> {
    if (rows.length < WORTH_A_BATCH) return publishEach(rows);
    try {
      await publishTogether(rows);
      return { acked: rows };
    } catch (error) {
      logger.debug({ err: error }, 'a batch of events goes one by one');
      return publishEach(rows);
    }
  }

  async function publishBatch(runner: QueryRunner): Promise<number> {
    const pending = await prepared<PendingRow>(runner.manager, PENDING);
    if (pending.length === 0) return 0;
    const streams = [...Map.groupBy(pending, streamOf).values()];
    const outcomes = await Promise.all(streams.map(publishStream));
    const acked = outcomes.flatMap((outcome) => outcome.acked.map(({ id }) => id));
    if (acked.length > 0) await prepared(runner.manager, MARK, [acked]);
    const failed = outcomes.find(({ failure }) => failure !== undefined);
    if (failed) throw failed.failure;
    return pending.length;
  }

  async function lead(runner: QueryRunner): Promise<void> {
    while (!stopped) {
      const published = await publishBatch(runner);
      if (published < BATCH && !stopped) await pause(POLL_MS);
    }
  }

  async function term(): Promise<void> {
    const runner = database.source.createQueryRunner();
    try {
      await runner.connect();
      const [row] = (await runner.query('select pg_try_advisory_lock($1) as elected', [LEADER_LOCK])) as {
        elected: boolean;
      }[];
      if (!row?.elected) return await pause(FOLLOWER_POLL_MS);
      try {
        // However many rows wait and whatever PostgreSQL knows of the table: never read all of them to find the first.
        await runner.query('set enable_sort = off');
        await lead(runner);
      } finally {
        await runner.query('reset enable_sort').catch(() => undefined);
        await runner.query('select pg_advisory_unlock($1)', [LEADER_LOCK]).catch(() => undefined);
      }
    } finally {
      await runner.release().catch(() => undefined);
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await term();
      } catch (error) {
        if (stopped) return;
        logger.warn({ err: error }, 'the relay pauses');
        await bus.ensureStreams().catch(() => undefined);
        await pause(BACKOFF_MS);
      }
    }
  })();

  return {
    wake: () => woken?.(),
    stop: async () => {
      stopped = true;
      woken?.();
      await running;
    },
  };
}
