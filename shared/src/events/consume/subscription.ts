import { runInContext, SpanKind, traced, type RequestContext } from '../../process/context.ts';
import type { Tx } from '../../database/open.ts';
import { catalogue, type EventData, type EventName } from '../catalogue.ts';

/** An event that a service takes in, with the context of the request that caused it. */
export interface ConsumedEvent<Data> {
  data: Data;
  context: RequestContext;
}

/** A service's subscription to one event. The effect of a set shares the transaction of the set's inbox rows. */
export interface Subscription {
  name: EventName;
  handle(tx: Tx, events: ConsumedEvent<never>[]): Promise<void>;
}

/** Runs `work` as an effect of the event: logs, events and spans name the request that caused it. */
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

/** Noun by noun, each noun's in their order. */
const byNoun = <Name extends EventName>(name: Name, events: ConsumedEvent<EventData<Name>>[]) =>
  events.toSorted((one, other) => compareNouns(nounOf(name, one.data), nounOf(name, other.data)));

/**
 * Declares the effect of an event in a service; `handle` takes effect at most once per event, retries included. The
 * snapshots of a set are handled noun by noun, each noun's in their order, so that replicas lock rows in one order.
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

/** The newest snapshot of each noun, in the order of their keys. */
export function newestOfEach<Name extends SnapshotName>(
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
 * Declares the effect of a set's events of one name: `handle` gets all of them, in their order, and needs as few
 * statements for many as for one. Of several events no one is the cause of all: what follows from an event is published
 * with its context. The handler locks rows in one order, so that replicas do.
 */
export function onSet<Name extends EventName>(
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
 * Declares how a service stores its copies of a noun: `save` gets at most one snapshot of each noun, the newest of the
 * set, in the order of their keys. Nothing else may follow from an older snapshot.
 */
export const onSnapshots = <Name extends SnapshotName>(
  name: Name,
  save: (tx: Tx, snapshots: EventData<Name>[]) => Promise<unknown>,
): Subscription => onSet(name, (tx, events) => save(tx, newestOfEach(name, events)));
