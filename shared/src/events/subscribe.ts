import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';
import { runInContext, type RequestContext } from '../context.ts';
import type { Database, Tx } from '../database/open.ts';
import { ACK_WAIT_MS } from '../deadlines.ts';
import { AppError } from '../errors.ts';
import { isRetryable, isUnavailable } from '../database/refusals.ts';
import { rows } from '../database/sql.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceName } from '../process-names.ts';
import { SpanKind, traced } from '../tracing.ts';
import type { Bus } from './bus.ts';
import { catalogue, isToldByAll, type EventData, type EventName } from './catalogue.ts';
import { createPauses } from './pauses.ts';

export interface EventMeta {
  id: string;
  created_at: string;
}

/** A service's subscription to one event. The effect shares the transaction of the inbox row. */
export interface Subscription {
  name: EventName;
  handle(tx: Tx, data: never, meta: EventMeta): Promise<void>;
}

/** Declares the effect of an event in a service; `handle` takes effect at most once per event, retries included. */
export function on<Name extends EventName>(
  name: Name,
  handle: (tx: Tx, data: EventData<Name>, meta: EventMeta) => Promise<void>,
): Subscription {
  return { name, handle: handle };
}

const envelope = z.object({
  id: z.guid(),
  name: z.enum(Object.keys(catalogue) as [EventName]),
  data: z.unknown(),
  context: z.object({ requestId: z.string().optional(), traceparent: z.string().optional() }),
  created_at: z.string(),
});

interface Envelope {
  id: string;
  name: EventName;
  data: unknown;
  context: Partial<RequestContext>;
  created_at: string;
}

function readJson(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

/** The database or another service is away: the only remedy is to try again. */
const isOutage = (error: unknown) =>
  isUnavailable(error) || isRetryable(error) || (error instanceof AppError && error.code === 'unavailable');

const MAX_ATTEMPTS = 5;
/** Number of events fetched at once; all of them are in flight until the last one is done. */
const IN_HAND = 16;

/** The retry delay after the n-th failure, in milliseconds. */
const backoff = (attempt: number) => Math.min(100 * 2 ** attempt, 10_000);

export interface Subscriber {
  stop(): Promise<void>;
}

/** Consumes the service's events one by one through a durable pull consumer named after it. */
export async function startSubscriber(options: {
  service: ServiceName;
  bus: Bus;
  database: Database;
  logger: Logger;
  subscriptions: Subscription[];
  metrics: Metrics;
}): Promise<Subscriber> {
  const { bus, database, logger, metrics, service } = options;
  const handlers = Map.groupBy(options.subscriptions, (subscription) => subscription.name);
  /** Delivered to this replica and not settled yet. */
  const inHand = new Set<JsMsg>();
  /** The one that is being handled now. */
  let current: JsMsg | undefined;
  const pauses = createPauses(logger, 'the subscriber');
  let stopped = false;
  let messages: ConsumerMessages | undefined;

  /** Inbox row and effect in one transaction; an event that is already in the inbox has no effect. */
  async function apply(event: Envelope): Promise<'done' | 'repeated'> {
    const entry = catalogue[event.name];
    const data = entry.schema.parse(event.data);
    return database.transact(async (tx) => {
      const fresh = await rows(
        tx,
        'insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing returning event_id',
        [service, event.id],
      );
      if (fresh.length === 0) return 'repeated';
      for (const { handle } of handlers.get(event.name) ?? [])
        await handle(tx, data as never, { id: event.id, created_at: event.created_at });
      return 'done';
    });
  }

  /** Counted in the database for all replicas; the broker's count would include outages and stopped replicas. */
  async function countFailure(event: Envelope): Promise<number> {
    const [counted] = await rows<{ failures: number }>(
      database.manager,
      `insert into event_failure as f (consumer, event_id) values ($1, $2)
       on conflict (consumer, event_id) do update set failures = f.failures + 1, failed_at = clock_timestamp()
       returning failures`,
      [service, event.id],
    );
    return counted?.failures ?? 1;
  }

  async function writeDeadLetter(message: JsMsg, event: Envelope, error: unknown): Promise<void> {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await rows(
      database.manager,
      `with counted as (delete from event_failure where consumer = $1 and event_id = $2)
       insert into dead_letter (consumer, event_id, name, message, error) values ($1, $2, $3, $4, $5)
       on conflict (consumer, event_id) do update set error = excluded.error, created_at = clock_timestamp()`,
      [service, event.id, event.name, JSON.stringify(event), text.slice(0, 4_000)],
    );
    message.term('dead letter');
    metrics.countEvent(event.name, 'dead');
    logger.error({ err: error, event: event.name, event_id: event.id }, 'an event went to the dead letters');
  }

  /** Acknowledges, postpones or gives up: an outage postpones without limit, the handler's own error five times. */
  async function settle(message: JsMsg, event: Envelope, error: unknown): Promise<void> {
    if (isOutage(error)) {
      message.nak(1_000);
      return;
    }
    const failures = await countFailure(event);
    logger.warn({ err: error, event: event.name, event_id: event.id, failures }, 'an event handler failed');
    metrics.countEvent(event.name, 'failed');
    if (failures < MAX_ATTEMPTS) message.nak(backoff(failures));
    else await writeDeadLetter(message, event, error);
  }

  /** The subject says which service published it; the event's own fields count only where they agree. */
  function isAtItsPlace({ subject }: JsMsg, name: EventName): boolean {
    const place = ['events.', `resync.${service}.`].map(bus.subject).find((start) => subject.startsWith(start));
    const told = place && subject.slice(place.length);
    return told === name || (isToldByAll(name) && told?.startsWith(`${name}.`) === true);
  }

  async function consumeOne(message: JsMsg): Promise<void> {
    const parsed = envelope.safeParse(readJson(message));
    if (!parsed.success || !isAtItsPlace(message, parsed.data.name)) {
      logger.error({ subject: message.subject, seq: message.seq }, 'a message that is no event was dropped');
      message.term('not an event');
      return;
    }
    const event = parsed.data as Envelope;
    const context: RequestContext = { ...event.context, requestId: event.context.requestId ?? event.id };
    await runInContext(context, async () => {
      try {
        const span = { kind: SpanKind.CONSUMER, parent: event.context.traceparent };
        metrics.countEvent(event.name, await traced(`consume ${event.name}`, span, () => apply(event)));
        message.ack();
      } catch (error) {
        await settle(message, event, error);
      }
    }).catch((error: unknown) => {
      logger.warn({ err: error }, 'an event stays for later');
      message.nak(1_000);
    });
  }

  async function term(): Promise<void> {
    await bus.ensureStreams();
    await bus.ensureConsumer(service, [...handlers.keys()]);
    const consumer = await bus.js.consumers.get(bus.named('events'), bus.named(service));
    pauses.goesOn();
    while (!stopped) await takeBatch(consumer);
  }

  /**
   * Reads ahead, so that every event in flight is known: its ack wait is extended meanwhile, and it is handed back at a
   * stop.
   */
  async function takeBatch(consumer: Consumer): Promise<void> {
    messages = await consumer.fetch({ max_messages: IN_HAND, expires: 10_000, idle_heartbeat: 2_000 });
    // Stopped meanwhile: this ends the iterator.
    if (stopped) void messages.close();
    let handled = Promise.resolve();
    try {
      for await (const message of messages) {
        inHand.add(message);
        handled = handled.then(async () => {
          current = message;
          if (stopped) message.nak();
          else await consumeOne(message);
          inHand.delete(message);
        });
      }
    } finally {
      await handled.finally(() => inHand.clear());
    }
  }

  const keeping = setInterval(() => {
    for (const message of inHand) message.working();
  }, ACK_WAIT_MS / 4);

  const running = (async () => {
    if (handlers.size === 0) return;
    while (!stopped) {
      try {
        await term();
      } catch (error) {
        if (stopped) return;
        pauses.pauses(error);
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();

  return {
    stop: async () => {
      stopped = true;
      // First stop asking for more: events that are handed back would come here again.
      const closed = messages?.close();
      // Another replica gets them now, before the event that is being handled here is done.
      for (const message of inHand) if (message !== current) message.nak();
      await closed;
      await running;
      clearInterval(keeping);
    },
  };
}
