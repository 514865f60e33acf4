import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { ACK_WAIT_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import { createFailureLog, type Bus } from '../bus.ts';
import type { ConsumerOf } from '../streams.ts';

const RETRY_MS = 250;

/** A reset consumer starts this far before the end: relays that lost nothing publish fewer events meanwhile. */
const RESET_MARGIN = 10_000;

/** A consumer and its stream. */
type Source = Pick<ConsumerOf, 'stream' | 'consumer'>;

/** Whether a consumer is past the end of a stream that lost messages: it would miss as many new messages. */
export async function isPastEndOfStream({ jsm, named }: Bus, { stream, consumer }: Source): Promise<boolean> {
  const { delivered } = await jsm.consumers.info(named(stream), named(consumer));
  const { state } = await jsm.streams.info(named(stream));
  return delivered.stream_seq > state.last_seq;
}

/** Resets a consumer that is past the end of its stream. The inbox drops events that are delivered again. */
async function resetConsumer(bus: Bus, source: Source, logger: Logger): Promise<void> {
  if (!(await isPastEndOfStream(bus, source))) return;
  const { jsm, named, connection } = bus;
  const { consumer } = source;
  const stream = named(source.stream);
  const { state } = await jsm.streams.info(stream);
  const seq = Math.max(state.first_seq, state.last_seq + 1 - RESET_MARGIN, 1);
  const answer = await connection.request(
    `$JS.API.CONSUMER.RESET.${stream}.${named(consumer)}`,
    JSON.stringify({ seq }),
  );
  const { error } = answer.json<{ error?: { description: string } }>();
  if (error) throw new Error(`NATS did not reset the consumer ${consumer}: ${error.description}`);
  logger.error({ stream, consumer, seq }, 'the stream has lost messages: the consumer was reset');
}

/**
 * Fetches events through a durable pull consumer and passes them to `handle` in batches; `handle` must ack, nak or
 * terminate each message. After a failure it starts again, and creates what is missing.
 */
export function startFeed(options: {
  bus: Bus;
  source: ConsumerOf;
  /** Messages per fetch, and the largest batch. The next fetch begins when all of them are handled. */
  maxInFlight: number;
  logger: Logger;
  handle: (batch: JsMsg[]) => Promise<void>;
}) {
  const { bus, handle, source } = options;
  const { stream, consumer: name } = source;
  /** Messages that were delivered to this replica and are not handled yet. */
  const unsettled = new Set<JsMsg>();
  /** The batch that is being handled. */
  let current = new Set<JsMsg>();
  const failures = createFailureLog(options.logger, `the consumer ${name} of the stream ${stream}`, bus);
  let stopped = false;
  let messages: ConsumerMessages | undefined;

  async function handleArrived(arrived: JsMsg[]): Promise<void> {
    while (arrived.length > 0) {
      const batch = arrived.splice(0, options.maxInFlight);
      current = new Set(batch);
      if (stopped) for (const message of batch) message.nak();
      else await handle(batch);
      for (const message of batch) unsettled.delete(message);
    }
  }

  /**
   * Reads ahead, so that the ack wait of every message in flight can be extended, and a stop can return all of them to
   * the broker.
   */
  async function fetch(consumer: Consumer): Promise<void> {
    messages = await consumer.fetch({ max_messages: options.maxInFlight, expires: 10_000, idle_heartbeat: 2_000 });
    // If the feed was stopped meanwhile, this ends the iterator.
    if (stopped) void messages.close();
    const arrived: JsMsg[] = [];
    let handled = Promise.resolve();
    try {
      for await (const message of messages) {
        unsettled.add(message);
        if (arrived.push(message) === 1) handled = handled.then(() => handleArrived(arrived));
      }
    } finally {
      await handled.finally(() => unsettled.clear());
    }
  }

  async function fetchUntilStopped(): Promise<void> {
    const connection = bus.reconnects();
    await bus.ensureStreams();
    await bus.ensureConsumer(source);
    await resetConsumer(bus, source, options.logger);
    const consumer = await bus.js.consumers.get(bus.named(stream), bus.named(name));
    failures.recovered();
    while (!stopped && bus.reconnects() === connection) await fetch(consumer);
  }

  const keepAlive = setInterval(() => {
    for (const message of unsettled) message.working();
  }, ACK_WAIT_MS / 4);

  async function run(): Promise<void> {
    while (!stopped) {
      await fetchUntilStopped().catch((error: unknown) => {
        if (!stopped) failures.failed(error);
      });
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  const running = run();

  return {
    stop: async () => {
      stopped = true;
      // First stop fetching: otherwise returned messages would be delivered to this replica again.
      const closed = messages?.close();
      // Return the other messages at once, so that another replica gets them while this one finishes its batch.
      for (const message of unsettled) if (!current.has(message)) message.nak();
      await closed;
      await running;
      clearInterval(keepAlive);
    },
  };
}
