import { z } from 'zod';
import type { Database, Tx } from '../../database/open.ts';
import { rows, value } from '../../database/sql.ts';
import type { Logger } from '../../process/logger.ts';
import type { RequestContext } from '../../process/context.ts';
import type { Events } from '../catalogue.ts';
import type { Subscription } from './subscription.ts';

/** Most events that are handled in one transaction. */
export const MAX_BATCH = 256;

/** A published event. */
const envelope = z
  .object({
    id: z.guid(),
    name: z.string(),
    data: z.unknown(),
    created_at: z.string(),
    context: z.object({ requestId: z.string().optional(), traceparent: z.string().optional() }),
  })
  .transform(({ context: { requestId, traceparent }, ...event }) => {
    const context: RequestContext = {
      requestId: requestId ?? event.id,
      ...(traceparent !== undefined && { traceparent }),
    };
    return { ...event, context };
  });

export type Envelope = z.output<typeof envelope>;

/** `repeated`: the event was in the inbox already. */
export type Outcome = 'done' | 'repeated' | 'skipped';

/** The events of a message: either a single event or a page of events. */
export const singleEvent = envelope.transform((event) => [event]);
export const eventPage = z.object({ events: z.array(envelope).nonempty() }).transform(({ events }) => events);

/** Inserts in id order, so that two replicas with the same events wait for each other instead of deadlocking. */
const INBOX = `insert into inbox (consumer, event_id) select $1, id from unnest($2::uuid[]) as id order by id
    on conflict do nothing returning event_id`;

const FAILURE = `
  insert into event_failure as f (consumer, event_id) values ($1, $2)
  on conflict (consumer, event_id) do update set failures = f.failures + 1, failed_at = clock_timestamp()
  returning failures`;

const DEAD_LETTER = `
  with counted as (delete from event_failure where consumer = $1 and event_id = $2)
  insert into dead_letter (consumer, event_id, name, message, error) values ($1, $2, $3, $4, $5)
  on conflict (consumer, event_id) do update set error = excluded.error, created_at = clock_timestamp()`;

const valueAt = (data: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data);

/** The fields with a text that their list does not have; empty when anything else is wrong. */
function unknownValues({ issues }: z.ZodError, data: unknown): string[] {
  const isUnknown = ({ code, path }: z.core.$ZodIssue) =>
    code === 'invalid_value' && typeof valueAt(data, path) === 'string';
  return issues.every(isUnknown) ? issues.map(({ path }) => path.join('.')) : [];
}

/** Handles events exactly once, by the service's inbox, and stores failures and dead letters. */
export function createIntake(options: {
  service: string;
  database: Database;
  subscriptions: Subscription[];
  events: Events;
  logger: Logger;
}) {
  const { service, database, subscriptions, events: catalogue, logger } = options;
  /** Fields whose unknown values were logged. */
  const logged = new Set<string>();

  /** The data of an event; undefined when a newer release has added a value to one of its lists. */
  function dataOf({ id, name, data }: Envelope): unknown {
    const parsed = catalogue[name]?.schema.safeParse(data);
    if (!parsed || parsed.success) return parsed?.data;
    const fields = unknownValues(parsed.error, data);
    if (fields.length === 0) throw parsed.error;
    const about = `${name} ${fields.join()}`;
    if (!logged.has(about))
      logger.warn(
        { event: name, event_id: id, fields },
        'an event was skipped, and later ones like it: a newer release has added a value; upgrade this service, then run `events resync` for it',
      );
    logged.add(about);
    return undefined;
  }

  /** Inserts the events into the inbox and returns the new ones, without duplicates. */
  async function unconsumed(tx: Tx, events: Envelope[]): Promise<Envelope[]> {
    const inserted = await rows<{ event_id: string }>(tx, INBOX, [service, events.map(({ id }) => id)]);
    const unseen = new Set(inserted.map(({ event_id }) => event_id));
    return events.filter(({ id }) => unseen.delete(id.toLowerCase()));
  }

  return {
    /**
     * Handles a batch in one transaction with its inbox rows: all events or none. Events of the same name are handled
     * together, those of a noun in order. An event with a value that this release does not know is skipped.
     */
    async take(events: Envelope[]): Promise<Map<Envelope, Outcome>> {
      const known = new Map(events.map((event) => [event, dataOf(event)]));
      return database.transact(async (tx) => {
        const unseen = await unconsumed(tx, events);
        const named = Map.groupBy(unseen, ({ name }) => name);
        for (const { name, handle } of subscriptions) {
          const consumed = (named.get(name) ?? []).filter((event) => known.get(event) !== undefined);
          if (consumed.length > 0)
            await handle(
              tx,
              consumed.map((event) => ({ ...event, data: known.get(event) as never })),
            );
        }
        const outcomeOf = (event: Envelope) => (known.get(event) === undefined ? 'skipped' : 'done');
        return new Map(events.map((event) => [event, unseen.includes(event) ? outcomeOf(event) : 'repeated']));
      });
    },

    /** Counts in the database, for all replicas: the broker's count includes outages and stopped replicas. */
    countFailure: ({ id }: Envelope) => value<number>(database.manager, FAILURE, [service, id]),

    async writeDeadLetter(event: Envelope, error: unknown): Promise<void> {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const { id, name } = event;
      await rows(database.manager, DEAD_LETTER, [service, id, name, JSON.stringify(event), text.slice(0, 4_000)]);
    },
  };
}

export type Intake = ReturnType<typeof createIntake>;
