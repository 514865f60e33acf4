import { Counter, Gauge } from 'prom-client';
import type { Database } from './database/open.ts';
import { rows, value } from './database/sql.ts';
import type { Job } from './jobs.ts';
import { backOff } from './process/deadlines.ts';
import type { Logger } from './process/logger.ts';
import type { Metrics } from './process/metrics.ts';
import { queueJob } from './queue.ts';

/**
 * `refused`: the provider rejected the message for good; `failed`: an attempt that will be retried; `expired`: given up
 * because the message expired or had too many failed attempts.
 */
const OUTCOMES = ['sent', 'refused', 'failed', 'expired'] as const;
type Outcome = (typeof OUTCOMES)[number];

interface Queued {
  id: number;
  /** Including the present one. */
  attempts: number;
}

/**
 * Messages to a provider, each at least once. Their table has the columns id, attempts, next_attempt_at, expires_at and
 * created_at; a row is deleted when its message is sent, refused or expired.
 */
export interface DeliveryQueue<Message extends Queued> {
  /** Name of the job, and label of the metrics. */
  channel: string;
  purpose: string;
  table: string;
  /** Columns of `Message`. */
  columns: string;
  /** SQL condition: the rows of this queue, if the table has several. */
  where?: string;
  /** SQL condition: a due message may be sent now. */
  ready?: string;
  /** SQL condition: a message is deleted instead of sent. */
  obsolete?: string;
  concurrency: number;
  /** How long a claimed message is hidden from other replicas: longer than `send` takes. */
  leaseSeconds: number;
  /** Seconds until the second attempt; the pause doubles up to `longest`. */
  retry: { first: number; longest: number; maxAttempts?: number };
  /** Rejects when a retry may succeed. The error is logged, so it must not name the recipient. */
  send(message: Message): Promise<'sent' | 'refused'>;
  afterRemoval?(message: Message): void;
}

interface Tools {
  database: Database;
  logger: Logger;
  metrics: Metrics;
}

/** Counts messages by channel and outcome; `oldest`: SQL by channel, the creation time of the oldest waiting one. */
function countDeliveries({ database, metrics: { registry } }: Tools, oldest: Map<string, string>) {
  const outcomes = new Counter({
    name: 'deliveries_total',
    help: 'Messages to a provider by channel and outcome; failed attempts are repeated',
    labelNames: ['channel', 'outcome'] as const,
    registers: [registry],
  });
  for (const channel of oldest.keys()) for (const outcome of OUTCOMES) outcomes.inc({ channel, outcome }, 0);
  new Gauge({
    name: 'deliveries_oldest_waiting_seconds',
    help: 'Age of the oldest message that waits for its provider, by channel',
    labelNames: ['channel'],
    registers: [registry],
    async collect() {
      for (const [channel, createdAt] of oldest) {
        const sql = `select extract(epoch from app_now() - (${createdAt}))::float8`;
        const age = await value<number | null>(database.manager, sql).catch(() => Number.NaN);
        this.set({ channel }, age ?? 0);
      }
    },
  });
  return outcomes;
}

type Claimed<Message> = Message & { is_expired: boolean; is_obsolete: boolean };

function statementsOf<Message extends Queued>(queue: DeliveryQueue<Message>, database: Database) {
  const { table, columns, leaseSeconds, where = 'true', ready = 'true', obsolete = 'false' } = queue;
  const run = <Row>(sql: string, values: unknown[]) => database.autocommit((tx) => rows<Row>(tx, sql, values));
  return {
    dueIn: `(select min(next_attempt_at) from ${table} where ${where}) - app_now()`,
    oldest: `select min(created_at) from ${table} where ${where} and (attempts > 0 or next_attempt_at <= app_now())`,
    /** Claims due messages, oldest first. */
    claim: async (limit: number) => {
      const claimed = await run<Claimed<Message>>(
        `update ${table} set attempts = attempts + 1, next_attempt_at = app_now() + make_interval(secs => $2)
         where id in (select id from ${table}
           where ${where} and next_attempt_at <= (select app_now()) and ${ready}
           order by next_attempt_at, id for update skip locked limit $1)
         returning id, attempts, ${columns}, expires_at <= app_now() as is_expired, ${obsolete} as is_obsolete`,
        [limit, leaseSeconds],
      );
      return claimed.sort((a, b) => a.id - b.id);
    },
    /** Has no effect when another replica has claimed the message meanwhile. */
    postpone: ({ id, attempts }: Message, seconds: number) =>
      run(
        `update ${table} set next_attempt_at = least(expires_at, app_now() + make_interval(secs => $3))
         where id = $1 and attempts = $2`,
        [id, attempts, seconds],
      ),
    remove: ({ id }: Message) => run(`delete from ${table} where id = $1`, [id]),
  };
}

/** The jobs that send the messages of queues, and their metrics. */
export function deliveryJobs<Message extends Queued>(tools: Tools, queues: DeliveryQueue<Message>[]): Job[] {
  const channels = queues.map((queue) => ({ queue, statements: statementsOf(queue, tools.database) }));
  const outcomes = countDeliveries(
    tools,
    new Map(channels.map(({ queue, statements }) => [queue.channel, statements.oldest])),
  );

  return channels.map(({ queue, statements }) => {
    const { channel, purpose, concurrency, retry } = queue;
    const warn = ({ id, attempts }: Message, what: string, error?: unknown) =>
      tools.logger.warn({ channel, message: id, attempts, ...(error !== undefined && { err: error }) }, what);

    async function attempt(message: Message): Promise<Outcome> {
      try {
        return await queue.send(message);
      } catch (error) {
        const isLast = message.attempts >= (retry.maxAttempts ?? Infinity);
        const next = isLast ? 'is given up after its last attempt' : 'will be tried again';
        warn(message, `a message was not delivered and ${next}`, error);
        return isLast ? 'expired' : 'failed';
      }
    }

    async function outcomeOf(message: Claimed<Message>): Promise<Outcome> {
      if (!message.is_expired) return attempt(message);
      warn(message, 'a message expired before it could be delivered');
      return 'expired';
    }

    async function work(message: Claimed<Message>): Promise<void> {
      const outcome = message.is_obsolete ? undefined : await outcomeOf(message);
      if (outcome) outcomes.inc({ channel, outcome });
      if (outcome === 'failed') {
        const seconds = backOff(message.attempts - 1, retry.first, retry.longest) + Math.random();
        await statements.postpone(message, seconds);
        return;
      }
      await statements.remove(message);
      queue.afterRemoval?.(message);
    }

    return queueJob({ name: channel, purpose, dueIn: statements.dueIn, concurrency, claim: statements.claim, work });
  });
}
