import type { JsMsg } from '@nats-io/jetstream';
import { runInContext } from '../context.ts';
import type { Database } from '../database/open.ts';
import { isRetryable, isUnavailable } from '../database/refusals.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import type { ServiceName } from '../process-names.ts';
import { consumersOf, type Bus } from './bus.ts';
import { isToldByAll, type EventName } from './catalogue.ts';
import { startFeed, type Feed } from './feed.ts';
import { createIntake, parseEnvelope, type Envelope, type Intake } from './intake.ts';
import type { Subscription } from './subscription.ts';

function readJson(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return undefined;
  }
}

/** The database or another service is away: the only remedy is to try again. */
const isOutage = (error: unknown) => isUnavailable(error) || isRetryable(error);

/** No other event could be taken in either. */
const isDatabaseAway = (error: unknown) => isUnavailable(error) && !(error instanceof AppError);

const MAX_ATTEMPTS = 5;
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

  /**
   * The events of a set that fails are taken in one by one: of two that the database cannot take together, and of one
   * that waits for another service, the rest must not wait.
   */
  async function consume(set: Delivery[]): Promise<void> {
    const [first, ...others] = set;
    if (!first) return;
    if (others.length === 0) return takeAlone(first);
    let effective: Set<Envelope> | undefined;
    try {
      effective = await intake.take(set.map(({ event }) => event));
    } catch (error) {
      if (isDatabaseAway(error)) {
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

/**
 * Consumes the service's events: what has arrived makes a set, which is taken in together. What is published again for
 * this service alone comes through a consumer of its own, so that nothing new waits behind it.
 */
export function startSubscriber(options: {
  service: ServiceName;
  bus: Bus;
  database: Database;
  logger: Logger;
  subscriptions: Subscription[];
  metrics: Metrics;
}): Feed {
  const { bus, database, logger, metrics, service, subscriptions } = options;
  const names = [...new Set(subscriptions.map(({ name }) => name))];
  const consume = createTaker({ intake: createIntake({ service, database, subscriptions }), logger, metrics });

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

  const feeds = (names.length > 0 ? consumersOf(service) : []).map((consumer) =>
    startFeed({
      bus,
      consumer,
      logger,
      prepare: () => bus.ensureConsumers(service, names),
      handle: (messages) => consume(messages.flatMap(read)),
    }),
  );
  return { stop: async () => void (await Promise.all(feeds.map((feed) => feed.stop()))) };
}
