import { currentContext, currentTraceparent } from '../../process/context.ts';
import { writeWithCommit, type Tx } from '../../database/open.ts';
import { subjectsOf, type EventDeclaration, type EventOf, type Events, type LiveDeclaration } from '../catalogue.ts';

/** A live event with its recipients. */
interface LiveMessage {
  to: unknown;
  event: string;
  data: unknown;
}

/** An event or live event to publish; `context`: the request that caused it, unless that is the current one. */
export type Outgoing<All extends Events, Live extends LiveMessage> = (EventOf<All> | Live) & {
  context?: EventContext | undefined;
};

/** The request that caused an event, for logs and traces. */
export interface EventContext {
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

const COLUMNS = 'subject, name, aggregate_id, aggregate_version, urgent, data, context';
const TYPED =
  'subject text, name text, aggregate_id text, aggregate_version bigint, urgent boolean, data jsonb, context jsonb';

const INSERT = `insert into outbox (${COLUMNS})
  select r.subject, r.name, r.aggregate_id, r.aggregate_version, r.urgent, r.data, coalesce(r.context, $2::jsonb)
  from jsonb_to_recordset($1::jsonb) as r(${TYPED})`;

/**
 * SQL that publishes one message per row of `source`, as part of a larger statement; `column` holds the result of
 * `messageJson`. In `autocommit`, pass `publishes`: otherwise the relay is not woken.
 */
export const publishSql = (source: string, column: string) => `
  insert into outbox (${COLUMNS})
  select r.subject, r.name, r.aggregate_id, r.aggregate_version, r.urgent, r.data, r.context
  from ${source}, jsonb_to_record(${column}) as r(${TYPED})`;

/** The current request and span, as the cause of an event. */
export function eventContext(): EventContext {
  const { requestId, traceparent: given } = currentContext() ?? {};
  const traceparent = currentTraceparent() ?? given;
  return { ...(requestId && { requestId }), ...(traceparent && { traceparent }) };
}

/** Publishes the events and live events of a catalogue. `addressOf`: the address of a live event's recipients. */
export function createOutbox<All extends Events, Live extends LiveMessage>(catalogue: {
  events: All;
  liveEvents: Readonly<Record<Live['event'], LiveDeclaration>>;
  addressOf: (to: Live['to']) => string;
}) {
  const { events, addressOf } = catalogue;
  const liveEvents: Readonly<Record<string, LiveDeclaration>> = catalogue.liveEvents;
  const { subjectOf } = subjectsOf(events);

  function outboxRow(message: Outgoing<All, Live>) {
    const { context } = message;
    if ('to' in message) {
      const address = addressOf(message.to);
      const live = { subject: `live.${address}`, name: message.event, aggregate_id: address, aggregate_version: 0 };
      return { ...live, urgent: liveEvents[message.event]?.urgent, data: message.data, context };
    }
    const { schema, key } = events[message.name] as EventDeclaration;
    const data = schema.parse(message.data);
    return {
      subject: subjectOf(message.name),
      name: message.name,
      aggregate_id: String(data[key]),
      aggregate_version: Number(data['version'] ?? 0),
      urgent: false,
      data,
      context,
    };
  }

  return {
    /**
     * Publishes events in this order: one statement, which is sent together with the COMMIT. They are sent if and only
     * if `tx` commits, also after a rollback to a savepoint. Write or lock the nouns' rows before, so that outbox ids
     * and versions have the same order. Throws when the data does not match the catalogue's schema.
     */
    publish(tx: Tx, messages: Outgoing<All, Live>[]): void {
      if (!tx.commit) throw new Error('an event can only be published inside a transaction');
      if (messages.length === 0) return;
      const outgoing = messages.map(outboxRow);
      // The commit wakes the relay for these streams.
      for (const { subject } of outgoing) tx.commit.published.add(subject.slice(0, subject.indexOf('.')));
      void writeWithCommit(tx, INSERT, [JSON.stringify(outgoing), JSON.stringify(eventContext())]);
    },
    /** A message as JSON, for `publishSql`. Throws when the data does not match the catalogue's schema. */
    messageJson: (message: Outgoing<All, Live>) =>
      JSON.stringify(outboxRow({ ...message, context: message.context ?? eventContext() })),
  };
}
