import { runInContext, SpanKind, traced, type RequestContext } from '../../process/context.ts';
import type { Tx } from '../../database/open.ts';
import { catalogue, type EventData, type EventName } from '../../../contract/events.ts';

/** A consumed event, with the context of the request that caused it. */
export interface ConsumedEvent<Data> {
  data: Data;
  context: RequestContext;
}

/** A service's handler for one event. A batch is handled in the transaction that inserts its inbox rows. */
export interface Subscription {
  name: EventName;
  handle(tx: Tx, events: ConsumedEvent<never>[]): Promise<void>;
}

/** Runs `work` in the context of the event: logs, events and spans name the request that caused the event. */
const inContextOf = (name: EventName, { context }: ConsumedEvent<unknown>, work: () => Promise<unknown>) =>
  runInContext(context, () =>
    traced(`consume ${name}`, { kind: SpanKind.CONSUMER, parent: context.traceparent }, work),
  );

/** The field that identifies the noun of an event. */
const nounOf = (name: EventName, data: unknown) => (data as Record<string, unknown>)[catalogue[name].key];

function compareNouns(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}

/** Sorts events by noun; the events of a noun keep their order. */
const byNoun = <Name extends EventName>(name: Name, events: ConsumedEvent<EventData<Name>>[]) =>
  events.toSorted((one, other) => compareNouns(nounOf(name, one.data), nounOf(name, other.data)));

/**
 * Declares a handler for an event; `handle` takes effect at most once per event, retries included. Snapshots are
 * handled in the order of their nouns' keys, so that replicas lock rows in the same order.
 */
export function on<Name extends EventName>(
  name: Name,
  handle: (tx: Tx, data: EventData<Name>) => Promise<void>,
): Subscription {
  return {
    name,
    handle: async (tx, events: ConsumedEvent<EventData<Name>>[]) => {
      const ordered = catalogue[name].kind === 'snapshot' ? byNoun(name, events) : events;
      for (const event of ordered) await inContextOf(name, event, () => handle(tx, event.data));
    },
  };
}

type SnapshotName = {
  [Name in EventName]: (typeof catalogue)[Name]['kind'] extends 'snapshot' ? Name : never;
}[EventName];

/** The newest snapshot of each noun, in the order of the nouns' keys. */
export function newestSnapshots<Name extends SnapshotName>(
  name: Name,
  events: ConsumedEvent<EventData<Name>>[],
): EventData<Name>[] {
  const newest = new Map<unknown, EventData<Name>>();
  for (const { data } of byNoun(name, events)) {
    const known = newest.get(nounOf(name, data));
    if (!known || data.version >= known.version) newest.set(nounOf(name, data), data);
  }
  return [...newest.values()];
}

/**
 * Declares a handler for all events of one name in a batch. `handle` should need the same number of statements for many
 * events as for one, must lock rows in a fixed order, and publishes a resulting event with the context of its cause:
 * with several events there is no current request.
 */
export function onBatch<Name extends EventName>(
  name: Name,
  handle: (tx: Tx, events: ConsumedEvent<EventData<Name>>[]) => Promise<unknown>,
): Subscription {
  return {
    name,
    handle: async (tx, events: ConsumedEvent<EventData<Name>>[]) => {
      const [first, ...others] = events;
      if (!first) return;
      if (others.length > 0) await traced(`consume ${name}`, { kind: SpanKind.CONSUMER }, () => handle(tx, events));
      else await inContextOf(name, first, () => handle(tx, events));
    },
  };
}

/**
 * Declares how a service stores its copies of a noun: `save` gets the newest snapshot of each noun in a batch, in the
 * order of the nouns' keys. Older snapshots are skipped, so they must have no other effect.
 */
export const onSnapshots = <Name extends SnapshotName>(
  name: Name,
  save: (tx: Tx, snapshots: EventData<Name>[]) => Promise<unknown>,
): Subscription => onBatch(name, (tx, events) => save(tx, newestSnapshots(name, events)));
