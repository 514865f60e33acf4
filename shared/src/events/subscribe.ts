import type { Consumer, ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { runInContext } from '../context.ts';
import type { Database } from '../database/open.ts';
import { isRetryable, isUnavailable } from '../database/refusals.ts';
import { ACK_WAIT_MS } from '../deadlines.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceName } from '../process-names.ts';
import type { Bus } from './bus.ts';
import { isToldByAll, type EventName } from './catalogue.ts';
import { createIntake, parseEnvelope, type Envelope, type Intake } from './intake.ts';
import { createPauses } from './pauses.ts';
import type { Subscription } from './subscription.ts';

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
/** Number of events fetched at once, and the largest set. All of them are in flight until the last one is done. */
const IN_HAND = 256;
const OUTAGE_MS = 1_000;

/** The retry delay after the n-th failure, in milliseconds. */
const backoff = (attempt: number) => Math.min(100 * 2 ** attempt, 10_000);

interface Delivery {
  message: JsMsg;
  event: Envelope;
}

/** Takes sets of deliveries in, and settles each of them with the broker. */
function createTaker({ intake, logger, metrics }: { intake: Intake; logger: Logger; metrics: Metrics }) {
  /** Acknowledges, postpones or gives up: an outage postpones without limit, the handler's own error five times. */
  async function settle({ message, event }: Delivery, error: unknown): Promise<void> {
    if (isOutage(error)) {
      message.nak(OUTAGE_MS);
      return;
    }
    const failures = await intake.countFailure(event);
    const about = { err: error, event: event.name, event_id: event.id };
    logger.warn({ ...about, failures }, 'an event handler failed');
    metrics.countEvent(event.name, 'failed');
    if (failures < MAX_ATTEMPTS) {
      message.nak(backoff(failures));
      return;
    }
    await intake.writeDeadLetter(event, error);
    message.term('dead letter');
    metrics.countEvent(event.name, 'dead');
    logger.error(about, 'an event went to the dead letters');
  }

  /** Only the intake can fail by an event's own fault: not acknowledged, they come again and are in the inbox. */
  function acknowledge(set: Delivery[], effective: Set<Envelope>): void {
    for (const { message, event } of set) {
      metrics.countEvent(event.name, effective.has(event) ? 'done' : 'repeated');
      message.ack();
    }
  }

  async function takeAlone(delivery: Delivery): Promise<void> {
    const { message, event } = delivery;
    await runInContext(event.context, async () => {
      const effective = await intake.take([event]).catch((error: unknown) => settle(delivery, error));
      if (effective) acknowledge([delivery], effective);
    }).catch((error: unknown) => {
      logger.warn({ err: error }, 'an event stays for later');
      message.nak(OUTAGE_MS);
    });
  }

  /** The events of a set that fails are taken in one by one. */
  async function consume(set: Delivery[]): Promise<void> {
    const [first, ...others] = set;
    if (!first) return;
    if (others.length === 0) return takeAlone(first);
    let effective: Set<Envelope> | undefined;
    try {
      effective = await intake.take(set.map(({ event }) => event));
    } catch (error) {
      if (isOutage(error)) {
        for (const { message } of set) message.nak(OUTAGE_MS);
        return;
      }
      logger.debug({ err: error }, 'a set of events is taken in one by one');
    }
    if (effective) acknowledge(set, effective);
    else for (const delivery of set) await takeAlone(delivery);
  }

  return consume;
}

export interface Subscriber {
  stop(): Promise<void>;
}

/**
 * Consumes the service's events through a durable pull consumer named after it: what has arrived makes a set, which is
 * taken in together. The events of a set that fails are taken in one by one, so that only the one at fault fails.
 */
export async function startSubscriber(options: {
  service: ServiceName;
  bus: Bus;
  database: Database;
  logger: Logger;
  subscriptions: Subscription[];
  metrics: Metrics;
}): Promise<Subscriber> {
  const { bus, database, logger, metrics, service, subscriptions } = options;
  const names = [...new Set(subscriptions.map(({ name }) => name))];
  const consume = createTaker({ intake: createIntake({ service, database, subscriptions }), logger, metrics });
  /** Delivered to this replica and not settled yet. */
  const inHand = new Set<JsMsg>();
  /** Those that are being handled now. */
  let current = new Set<JsMsg>();
  const pauses = createPauses(logger, 'the subscriber');
  let stopped = false;
  let messages: ConsumerMessages | undefined;

  /** The subject says which service published it; the event's own fields count only where they agree. */
  function isAtItsPlace({ subject }: JsMsg, name: EventName): boolean {
    const place = ['events.', `resync.${service}.`].map(bus.subject).find((start) => subject.startsWith(start));
    const told = place && subject.slice(place.length);
    return told === name || (isToldByAll(name) && told?.startsWith(`${name}.`) === true);
  }

  function read(message: JsMsg): Delivery[] {
    const event = parseEnvelope(readJson(message));
    if (event && isAtItsPlace(message, event.name)) return [{ message, event }];
    logger.error({ subject: message.subject, seq: message.seq }, 'a message that is no event was dropped');
    message.term('not an event');
    return [];
  }

  /** Handles everything that has arrived, set by set. */
  async function consumeArrived(arrived: JsMsg[]): Promise<void> {
    while (arrived.length > 0) {
      const set = arrived.splice(0, IN_HAND);
      current = new Set(set);
      if (stopped) for (const message of set) message.nak();
      else await consume(set.flatMap(read));
      for (const message of set) inHand.delete(message);
    }
  }

  async function term(): Promise<void> {
    await bus.ensureStreams();
    await bus.ensureConsumer(service, names);
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
    const arrived: JsMsg[] = [];
    let handled = Promise.resolve();
    try {
      for await (const message of messages) {
        inHand.add(message);
        if (arrived.push(message) === 1) handled = handled.then(() => consumeArrived(arrived));
      }
    } finally {
      await handled.finally(() => inHand.clear());
    }
  }

  const keeping = setInterval(() => {
    for (const message of inHand) message.working();
  }, ACK_WAIT_MS / 4);

  async function run(): Promise<void> {
    while (!stopped && names.length > 0) {
      try {
        await term();
      } catch (error) {
        if (stopped) return;
        pauses.pauses(error);
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
  const running = run();

  return {
    stop: async () => {
      stopped = true;
      // First stop asking for more: events that are handed back would come here again.
      const closed = messages?.close();
      // Another replica gets them now, before those that are being handled here are done.
      for (const message of inHand) if (!current.has(message)) message.nak();
      await closed;
      await running;
      clearInterval(keeping);
    },
  };
}
