import type { JsMsg } from '@nats-io/jetstream';
import { runInContext } from '../../process/context.ts';
import type { Database } from '../../database/open.ts';
import { isRetryable, isUnavailable } from '../../database/refusals.ts';
import { AppError } from '../../errors.ts';
import { parseJson } from '../../http/read/json-reader.ts';
import type { Logger } from '../../process/logger.ts';
import type { Metrics } from '../../process/metrics.ts';
import type { ServiceName } from '../../process/names.ts';
import { backOff } from '../../process/deadlines.ts';
import { consumersOf, type Bus } from '../bus.ts';
import { hasManyPublishers, resyncSubjectOf, subjectOf, type EventName } from '../catalogue.ts';
import { startFeed } from './feed.ts';
import { createIntake, LARGEST_SET, oneEvent, pageOfEvents, type Envelope, type Intake } from './intake.ts';
import { publishPage } from './retry.ts';
import type { Subscription } from './subscription.ts';

/** The database or another service is away: the only remedy is to try again. */
const isOutage = (error: unknown) => isUnavailable(error) || isRetryable(error);

/** No other event could be taken in either. */
const isDatabaseAway = (error: unknown) => isUnavailable(error) && !(error instanceof AppError);

const MAX_ATTEMPTS = 5;
const OUTAGE_MS = 1_000;

const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [200, 10_000];

/** A message and what it holds: an event, or a page of them. */
interface Delivery {
  message: JsMsg;
  events: Envelope[];
}

/** Takes sets of deliveries in, and settles each of them with the broker. */
function createTaker(options: {
  intake: Intake;
  /** Publishes an event of a page again, in a page of its own. */
  republish: (event: Envelope) => Promise<unknown>;
  logger: Logger;
  metrics: Metrics;
}) {
  const { intake, republish, logger, metrics } = options;

  /**
   * After a failure: the milliseconds until the event is tried again, undefined when it is given up. An outage postpones
   * without limit, the handler's own error five times.
   */
  async function postpone(event: Envelope, error: unknown): Promise<number | undefined> {
    if (isOutage(error)) return OUTAGE_MS;
    const failures = await intake.countFailure(event);
    const about = { err: error, event: event.name, event_id: event.id };
    logger.warn({ ...about, failures }, 'an event handler failed');
    metrics.countEvent(event.name, 'failed');
    if (failures < MAX_ATTEMPTS) return backOff(failures - 1, FIRST_RETRY_MS, LONGEST_RETRY_MS);
    await intake.writeDeadLetter(event, error);
    metrics.countEvent(event.name, 'dead');
    logger.error(about, 'an event went to the dead letters');
    return undefined;
  }

  function count(events: Envelope[], effective: Set<Envelope>): void {
    const isTold = logger.isLevelEnabled('debug');
    for (const event of events) {
      const outcome = effective.has(event) ? 'done' : 'repeated';
      metrics.countEvent(event.name, outcome);
      if (isTold)
        logger.debug({ request_id: event.context.requestId, event: event.name, outcome }, 'an event was taken in');
    }
  }

  /** As `postpone`; an event that fails leaves its page, which does not come again for it. Throws when the database is away. */
  async function takeOne(event: Envelope, { events }: Delivery): Promise<number | undefined> {
    try {
      count([event], await intake.take([event]));
      return undefined;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (events.length === 1) return postpone(event, error);
      await republish(event);
      return undefined;
    }
  }

  async function takeAlone(delivery: Delivery): Promise<void> {
    const { message, events } = delivery;
    let delay: number | undefined;
    try {
      for (const event of events) delay = await runInContext(event.context, () => takeOne(event, delivery));
    } catch (error) {
      if (!isDatabaseAway(error)) logger.warn({ err: error }, 'an event stays for later');
      delay = OUTAGE_MS;
    }
    if (delay === undefined) message.ack();
    else message.nak(delay);
  }

  /**
   * The events of a set that fails are taken in one by one: of two that the database cannot take together, and of one
   * that waits for another service, the rest must not wait.
   */
  async function consume(set: Delivery[]): Promise<void> {
    const events = set.flatMap((delivery) => delivery.events);
    const [first] = set;
    if (events.length <= 1) return first && takeAlone(first);
    try {
      count(events, await intake.take(events));
    } catch (error) {
      if (isDatabaseAway(error)) {
        for (const { message } of set) message.nak(OUTAGE_MS);
        return;
      }
      logger.debug({ err: error }, 'a set of events is taken in one by one');
      for (const delivery of set) await takeAlone(delivery);
      return;
    }
    // Only the intake can fail by an event's own fault: not acknowledged, they come again and are in the inbox.
    for (const { message } of set) message.ack();
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
}) {
  const { bus, database, logger, metrics, service, subscriptions } = options;
  const names = [...new Set(subscriptions.map(({ name }) => name))];
  const consume = createTaker({
    intake: createIntake({ service, database, subscriptions }),
    republish: (event) =>
      publishPage(bus, { service, name: event.name, events: [JSON.stringify(event)], msgID: `page-${event.id}` }),
    logger,
    metrics,
  });

  /** The subject says which service published it; the event's own fields count only where they agree. */
  const isOf = ({ subject }: JsMsg, name: EventName) =>
    [subjectOf(name), resyncSubjectOf(name, service)].some((its) => subject === bus.subject(its)) ||
    (hasManyPublishers(name) && subject.startsWith(bus.subject(`${subjectOf(name)}.`)));

  function read(message: JsMsg): Delivery[] {
    const form = message.subject.startsWith(bus.subject('resync.')) ? pageOfEvents : oneEvent;
    const events = form.safeParse(parseJson(message.string())).data;
    if (events?.every(({ name }) => isOf(message, name))) return [{ message, events }];
    logger.error({ subject: message.subject, seq: message.seq }, 'a message that is no event was dropped');
    message.term('not an event');
    return [];
  }

  const [main, resync] = consumersOf(service);
  const maxInFlight = { [main]: LARGEST_SET, [resync]: 1 };
  const feeds = Object.entries(names.length > 0 ? maxInFlight : {}).map(([consumer, messages]) =>
    startFeed({
      bus,
      consumer,
      maxInFlight: messages,
      logger,
      prepare: () => bus.ensureConsumers(service, names),
      handle: (set) => consume(set.flatMap(read)),
    }),
  );
  return { stop: async () => void (await Promise.all(feeds.map((feed) => feed.stop()))) };
}
