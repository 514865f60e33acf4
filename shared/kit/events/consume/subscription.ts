import { runInContext, SpanKind, traced, type RequestContext } from '../../process/context.ts';
import type { Tx } from '../../database/open.ts';
import type { DataOf, EventDeclaration, Events, NameIn } from '../catalogue.ts';

/** A consumed event, with the context of the request that caused it. */
export interface ConsumedEvent<Data> {
  data: Data;
  context: RequestContext;
}

/** A service's handler for one event. A batch is handled in the transaction that inserts its inbox rows. */
export interface Subscription {
  name: string;
  handle(tx: Tx, events: ConsumedEvent<never>[]): Promise<void>;
}

/** Runs `work` in the context of the event: logs, events and spans name the request that caused the event. */
const inContextOf = (name: string, { context }: ConsumedEvent<unknown>, work: () => Promise<unknown>) =>
  runInContext(context, () =>
    traced(`consume ${name}`, { kind: SpanKind.CONSUMER, parent: context.traceparent }, work),
  );

function compareNouns(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : Number(String(one) > String(other));
}

/** Declares consumers of the events of a catalogue. */
export function subscriptionsTo<All extends Events>(catalogue: All) {
  type Name = NameIn<All>;
  type Data<N extends Name> = DataOf<All, N>;
  type SnapshotName = { [N in Name]: All[N]['kind'] extends 'snapshot' ? N : never }[Name];
  const events: Events = catalogue;
  const declarationOf = (name: Name) => events[name] as EventDeclaration;

  /** The field that identifies the noun of an event. */
  const nounOf = (name: Name, data: unknown) => (data as Record<string, unknown>)[declarationOf(name).key];

  /** Sorts events by noun; the events of a noun keep their order. */
  const byNoun = <N extends Name>(name: N, consumed: ConsumedEvent<Data<N>>[]) =>
    consumed.toSorted((one, other) => compareNouns(nounOf(name, one.data), nounOf(name, other.data)));

  /** The newest snapshot of each noun, in the order of the nouns' keys. */
  function newestSnapshots<N extends SnapshotName>(name: N, consumed: ConsumedEvent<Data<N>>[]): Data<N>[] {
    const newest = new Map<unknown, Data<N>>();
    const versionOf = (data: Data<N>) => (data as { version: number }).version;
    for (const { data } of byNoun(name, consumed)) {
      const known = newest.get(nounOf(name, data));
      if (!known || versionOf(data) >= versionOf(known)) newest.set(nounOf(name, data), data);
    }
    return [...newest.values()];
  }

  /**
   * Declares a handler for all events of one name in a batch. `handle` should need the same number of statements for
   * many events as for one, must lock rows in a fixed order, and publishes a resulting event with the context of its
   * cause: with several events there is no current request.
   */
  const onBatch = <N extends Name>(
    name: N,
    handle: (tx: Tx, consumed: ConsumedEvent<Data<N>>[]) => Promise<unknown>,
  ): Subscription => ({
    name,
    handle: async (tx, consumed: ConsumedEvent<Data<N>>[]) => {
      const [first, ...others] = consumed;
      if (!first) return;
      if (others.length > 0) await traced(`consume ${name}`, { kind: SpanKind.CONSUMER }, () => handle(tx, consumed));
      else await inContextOf(name, first, () => handle(tx, consumed));
    },
  });

  return {
    newestSnapshots,
    onBatch,
    /**
     * Declares a handler for an event; `handle` takes effect at most once per event, retries included. Snapshots are
     * handled in the order of their nouns' keys, so that replicas lock rows in the same order.
     */
    on: <N extends Name>(name: N, handle: (tx: Tx, data: Data<N>) => Promise<void>): Subscription => ({
      name,
      handle: async (tx, consumed: ConsumedEvent<Data<N>>[]) => {
        const ordered = declarationOf(name).kind === 'snapshot' ? byNoun(name, consumed) : consumed;
        for (const event of ordered) await inContextOf(name, event, () => handle(tx, event.data));
      },
    }),
    /**
     * Declares how a service stores its copies of a noun: `save` gets the newest snapshot of each noun in a batch, in
     * the order of the nouns' keys. Older snapshots are skipped, so they must have no other effect.
     */
    onSnapshots: <N extends SnapshotName>(
      name: N,
      save: (tx: Tx, snapshots: Data<N>[]) => Promise<unknown>,
    ): Subscription => onBatch(name, (tx, consumed) => save(tx, newestSnapshots(name, consumed))),
  };
}
