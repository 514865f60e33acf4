import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { ACK_WAIT_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import { createFailureLog, type Bus } from '../bus.ts';

const PAUSE_MS = 250;

/** More than relays that have lost nothing publish before a consumer is put back. */
const MARGIN = 10_000;

/** Whether the consumer has passed the end of the stream, which has lost messages: as many new ones would not reach it. */
export async function isBeyondEnd({ jsm, named }: Bus, consumer: string): Promise<boolean> {
  const { delivered } = await jsm.consumers.info(named('events'), named(consumer));
  const { state } = await jsm.streams.info(named('events'));
  return delivered.stream_seq > state.last_seq;
}

/** Puts back a consumer that is beyond the end. What it is given again, the inbox drops. */
export async function putBack(bus: Bus, consumer: string, logger: Logger): Promise<void> {
  if (!(await isBeyondEnd(bus, consumer))) return;
  const { jsm, named, connection } = bus;
  const stream = named('events');
  const { state } = await jsm.streams.info(stream);
  const seq = Math.max(state.first_seq, state.last_seq + 1 - MARGIN, 1);
  const answer = await connection.request(
    `$JS.API.CONSUMER.RESET.${stream}.${named(consumer)}`,
    JSON.stringify({ seq }),
  );
  const { error } = answer.json<{ error?: { description: string } }>();
  if (error) throw new Error(`the consumer ${consumer} is not put back: ${error.description}`);
  logger.error({ consumer, seq }, 'the stream has lost messages: its consumer goes back to its end');
}

/**
 * Fetches events through a durable pull consumer, and hands out what has arrived, set by set; `handle` settles every
 * one of them. Begins again after any failure, with `prepare`.
 */
export function startFeed(options: {
  bus: Bus;
  consumer: string;
  /** Number of messages fetched at once, and the largest set: all are in flight until the last one is done. */
  maxInFlight: number;
  logger: Logger;
  prepare: () => Promise<void>;
  handle: (set: JsMsg[]) => Promise<void>;
}) {
  const { bus, handle, prepare } = options;
  /** Delivered to this replica and not settled yet. */
  const unsettled = new Set<JsMsg>();
  /** Those that are being handled now. */
  let current = new Set<JsMsg>();
  const failures = createFailureLog(options.logger, `the consumer ${options.consumer}`, bus);
  let stopped = false;
  let messages: ConsumerMessages | undefined;

  async function handleArrived(arrived: JsMsg[]): Promise<void> {
    while (arrived.length > 0) {
      const set = arrived.splice(0, options.maxInFlight);
      current = new Set(set);
      if (stopped) for (const message of set) message.nak();
      else await handle(set);
      for (const message of set) unsettled.delete(message);
    }
  }

  /**
   * Reads ahead, so that every event in flight is known: its ack wait is extended meanwhile, and it is handed back at a
   * stop.
   */
  async function fetch(consumer: Consumer): Promise<void> {
    messages = await consumer.fetch({ max_messages: options.maxInFlight, expires: 10_000, idle_heartbeat: 2_000 });
    // Stopped meanwhile: this ends the iterator.
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
    await prepare();
    await putBack(bus, options.consumer, options.logger);
    const consumer = await bus.js.consumers.get(bus.named('events'), bus.named(options.consumer));
    failures.recovered();
    while (!stopped && bus.reconnects() === connection) await fetch(consumer);
  }

  const keeping = setInterval(() => {
    for (const message of unsettled) message.working();
  }, ACK_WAIT_MS / 4);

  async function run(): Promise<void> {
    while (!stopped) {
      await fetchUntilStopped().catch((error: unknown) => {
        if (!stopped) failures.failed(error);
      });
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  const running = run();

  return {
    stop: async () => {
      stopped = true;
      // First stop asking for more: events that are handed back would come here again.
      const closed = messages?.close();
      // Another replica gets them now, before those that are being handled here are done.
      for (const message of unsettled) if (!current.has(message)) message.nak();
      await closed;
      await running;
      clearInterval(keeping);
    },
  };
}
