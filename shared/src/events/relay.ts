import type { QueryRunner } from 'typeorm';
import { headers } from '@nats-io/transport-node';
import type { Database } from '../database/open.ts';
import type { Logger } from '../logger.ts';
import type { Bus } from './bus.ts';

const LEADER_LOCK = 7_301_947;
const BATCH = 256;
const POLL_MS = 50;
const FOLLOWER_POLL_MS = 1_000;
const BACKOFF_MS = 500;

interface PendingRow {
  id: number;
  event_id: string;
  subject: string;
  name: string;
  message: string;
}

const PENDING = `
  select id, event_id, subject, name,
    json_build_object('id', event_id, 'name', name, 'data', data, 'context', context, 'created_at', created_at)::text as message
  from outbox where sent_at is null order by id limit ${BATCH}`;

export interface Relay {
  /** A commit wrote to the outbox. */
  wake(): void;
  stop(): Promise<void>;
}

/**
 * Publishes the outbox to JetStream, in id order, from one process at a time (an advisory lock elects it). A row is marked
 * after the broker's ack; after a failure everything from the first row without an ack goes again, and the broker and
 * the consumers' inboxes drop what they have seen.
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

  async function publishBatch(runner: QueryRunner): Promise<number> {
    const pending = (await runner.query(PENDING)) as PendingRow[];
    if (pending.length === 0) return 0;
    const results = await Promise.allSettled(
      pending.map((row) => {
        const header = headers();
        header.set('Event-Name', row.name);
        return bus.js.publish(bus.subject(row.subject), row.message, {
          msgID: row.event_id,
          headers: header,
          timeout: 2_000,
        });
      }),
    );
    const firstFailed = results.findIndex((result) => result.status === 'rejected');
    const acked = firstFailed === -1 ? pending : pending.slice(0, firstFailed);
    if (acked.length > 0) {
      await runner.query('update outbox set sent_at = clock_timestamp() where id = any($1::bigint[])', [
        acked.map((row) => row.id),
      ]);
    }
    const failure = results[firstFailed];
    if (failure?.status === 'rejected') throw failure.reason;
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
        await lead(runner);
      } finally {
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
