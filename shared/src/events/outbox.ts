import type { EntityManager } from 'typeorm';
import { currentContext } from '../context.ts';
import { currentTraceparent } from '../tracing.ts';
import { catalogue, subjectOf, type EventData, type EventName } from './catalogue.ts';
import type { Audience, LiveMessage } from './live.ts';

interface OutboxRow {
  subject: string;
  name: string;
  aggregateId: string;
  aggregateVersion: number;
  data: unknown;
}

const INSERT = `
  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select r.subject, r.name, r.aggregate_id, r.aggregate_version, r.data, $2::jsonb
  from jsonb_to_recordset($1::jsonb) as r(subject text, name text, aggregate_id text, aggregate_version bigint, data jsonb)`;

/** The request, and the span, that an event came from: for SQL that writes outbox rows by itself. */
export function eventContext() {
  const traceparent = currentTraceparent();
  return { ...currentContext(), ...(traceparent && { traceparent }) };
}

async function insert(tx: EntityManager, entries: OutboxRow[]): Promise<void> {
  const runner = tx.queryRunner;
  if (!runner?.isTransactionActive) throw new Error('an event can only be published inside a transaction');
  const records = entries.map((entry) => ({
    subject: entry.subject,
    name: entry.name,
    aggregate_id: entry.aggregateId,
    aggregate_version: entry.aggregateVersion,
    data: entry.data,
  }));
  await runner.query(INSERT, [JSON.stringify(records), JSON.stringify(eventContext())]);
  runner.data['published'] = true;
}

/** Says that SQL of this transaction wrote outbox rows by itself, so that the relay is woken when it commits. */
export function markPublished(tx: EntityManager): void {
  if (!tx.queryRunner?.isTransactionActive) throw new Error('an event can only be published inside a transaction');
  tx.queryRunner.data['published'] = true;
}

/**
 * Publishes an event with the transaction: it leaves when `tx` commits and never otherwise. The noun's row must have been
 * written before, so that versions and outbox ids agree. Throws when the data does not fit the catalogue.
 */
export async function publish<Name extends EventName>(
  tx: EntityManager,
  name: Name,
  data: EventData<Name>,
): Promise<void> {
  await publishAll(tx, name, [data]);
}

/** The same for many nouns in one statement. */
export async function publishAll<Name extends EventName>(
  tx: EntityManager,
  name: Name,
  items: EventData<Name>[],
): Promise<void> {
  if (items.length === 0) return;
  const { schema, key } = catalogue[name];
  const entries = items.map((item) => {
    const data = schema.parse(item) as Record<string, unknown>;
    return {
      subject: subjectOf(name),
      name,
      aggregateId: String(data[key]),
      aggregateVersion: Number(data['version'] ?? 0),
      data,
    };
  });
  await insert(tx, entries);
}

/**
 * Two ids, always: the student's first and the teacher's second, or the one person's twice. So a student finds everything
 * of his at `user.<id>.*`, a teacher at `user.*.<id>`.
 */
function addressOf(to: Audience): string {
  if (to === 'admins') return 'admins';
  return 'user' in to ? `user.${to.user}.${to.user}` : `user.${to.student}.${to.teacher}`;
}

/** Sends ready public JSON to people's open event streams, with the transaction. */
export async function publishLive(tx: EntityManager, messages: LiveMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const entries = messages.map(({ to, event, data }) => {
    const address = addressOf(to);
    return { subject: `live.${address}`, name: event, aggregateId: address, aggregateVersion: 0, data };
  });
  await insert(tx, entries);
}
