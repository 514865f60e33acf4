import type { JsMsg } from '@nats-io/jetstream';
import { runInContext } from '../../process/context.ts';
import type { Database } from '../../database/open.ts';
import { isRetryable, isUnavailable } from '../../database/refusals.ts';
import { AppError } from '../../errors.ts';
import { parseJson } from '../../http/read/json-reader.ts';
import type { Logger } from '../../process/logger.ts';
import type { Metrics } from '../../process/metrics.ts';
import { backOff } from '../../process/deadlines.ts';
import type { Bus } from '../bus.ts';
import type { ConsumerOf } from '../streams.ts';
import { startFeed } from './feed.ts';
import { createIntake, MAX_BATCH, singleEvent, eventPage, type Envelope, type Intake, type Outcome } from './intake.ts';
import { publishPage } from './retry.ts';
import type { Subscription } from './subscription.ts';

/** The database or another service is unavailable: retry until it answers. */
const isOutage = (error: unknown) => isUnavailable(error) || isRetryable(error);

/** The database is unavailable, so no other event can be handled either. */
const isDatabaseAway = (error: unknown) => isUnavailable(error) && !(error instanceof AppError);

const MAX_ATTEMPTS = 5;
const OUTAGE_MS = 1_000;

const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [200, 10_000];

/** A message and its events: a single event, or a page of events. */
interface Delivery {
  message: JsMsg;
  events: Envelope[];
}

/** Handles batches of deliveries, and acks or naks each of them. */
function createConsumer(options: {
  intake: Intake;
  /** Publishes an event of a page again, as a page with this event only. */
  republish: (event: Envelope) => Promise<unknown>;
  logger: Logger;
  metrics: Metrics;
}) {
  const { intake, republish, logger, metrics } = options;

  /**
   * Returns the milliseconds until a failed event is retried; undefined when it became a dead letter. An outage is
   * retried without limit, an error of the handler four times.
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
    logger.error(
      about,
      'an event failed too often and became a dead letter: correct the cause, then run `events retry`',
    );
    return undefined;
  }

  function count(outcomes: Map<Envelope, Outcome>): void {
    const isLogged = logger.isLevelEnabled('debug');
    for (const [event, outcome] of outcomes) {
      metrics.countEvent(event.name, outcome);
      if (isLogged)
        logger.debug({ request_id: event.context.requestId, event: event.name, outcome }, 'an event was consumed');
    }
  }

  /**
   * Returns like `postpone`. An event of a page that fails is published again by itself, so that its page need not be
   * redelivered. Throws when the database is unavailable.
   */
  async function handleEvent(event: Envelope, { events }: Delivery): Promise<number | undefined> {
    try {
      count(await intake.take([event]));
      return undefined;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      if (events.length === 1) return postpone(event, error);
      await republish(event);
      return undefined;
    }
  }

  async function handleDelivery(delivery: Delivery): Promise<void> {
    const { message, events } = delivery;
    let delay: number | undefined;
    try {
      for (const event of events) delay = await runInContext(event.context, () => handleEvent(event, delivery));
    } catch (error) {
      if (!isDatabaseAway(error)) logger.warn({ err: error }, 'an event could not be handled and will be redelivered');
      delay = OUTAGE_MS;
    }
    if (delay === undefined) message.ack();
    else message.nak(delay);
  }

  /**
   * Handles a batch in one transaction. If that fails, handles its events one by one: an event that fails, or waits for
   * another service, must not delay the others.
   */
  async function consume(batch: Delivery[]): Promise<void> {
    const events = batch.flatMap((delivery) => delivery.events);
    const [first] = batch;
    if (events.length <= 1) return first && handleDelivery(first);
    try {
      count(await intake.take(events));
    } catch (error) {
      if (isDatabaseAway(error)) {
        for (const { message } of batch) message.nak(OUTAGE_MS);
        return;
      }
      logger.debug({ err: error }, 'a batch of events failed: they are handled one by one');
      for (const delivery of batch) await handleDelivery(delivery);
      return;
    }
    // If an ack is lost, the event is redelivered and the inbox drops it.
    for (const { message } of batch) message.ack();
  }

  return consume;
}

/** A gauge, read at each scrape: what waits in these consumers. */
function watchLag(metrics: Metrics, bus: Bus, sources: ConsumerOf[]): void {
  metrics.watch('consumer_lag', 'Events that wait for this service; a page of a resync counts as one', async () => {
    let waiting = 0;
    for (const { stream, consumer } of sources) {
      const info = await bus.jsm.consumers.info(bus.named(stream), bus.named(consumer));
      waiting += info.num_pending + info.num_ack_pending;
    }
    return waiting;
  });
}

/**
 * Consumes the service's events, from the stream of each publisher, in batches of the messages that have arrived. Events
 * that are published again for this service only come through other consumers, so that new events do not wait behind them.
 */
export function startSubscriber(options: {
  service: string;
  bus: Bus;
  database: Database;
  logger: Logger;
  subscriptions: Subscription[];
  metrics: Metrics;
}) {
  const { bus, database, logger, metrics, service, subscriptions } = options;
  const { consumersFor } = bus.topology;
  const names = [...new Set(subscriptions.map(({ name }) => name))];
  const consume = createConsumer({
    intake: createIntake({ service, database, subscriptions, events: bus.messages.events, logger }),
    republish: (event) =>
      publishPage(bus, {
        publisher: service,
        consumer: service,
        name: event.name,
        events: [JSON.stringify(event)],
        msgID: `page-${event.id}`,
      }),
    logger,
    metrics,
  });

  /** The subjects of each event: NATS checks who may publish there, so an event is trusted only on one of these. */
  const subjectsOf = new Map(
    names.map((name) => {
      const { events, pages } = consumersFor(service, [name]);
      return [name, new Set([...events, ...pages].flatMap(({ subjects }) => subjects.map(bus.subject)))];
    }),
  );

  function read(message: JsMsg): Delivery[] {
    const schema = message.subject.startsWith(bus.subject('resync.')) ? eventPage : singleEvent;
    const events = schema.safeParse(parseJson(message.string())).data;
    if (events?.every(({ name }) => subjectsOf.get(name)?.has(message.subject))) return [{ message, events }];
    logger.error({ subject: message.subject, seq: message.seq }, 'dropped a message that is not a valid event');
    message.term('not an event');
    return [];
  }

  const { events, pages } = consumersFor(service, names);
  if (names.length > 0) watchLag(metrics, bus, [...events, ...pages]);
  const feedOf = (maxInFlight: number) => (source: ConsumerOf) =>
    startFeed({ bus, source, maxInFlight, logger, handle: (messages) => consume(messages.flatMap(read)) });
  const feeds = names.length > 0 ? [...events.map(feedOf(MAX_BATCH)), ...pages.map(feedOf(1))] : [];
  return { stop: async () => void (await Promise.all(feeds.map((feed) => feed.stop()))) };
}
