import type { Tx } from '@tutoring/shared/database/open';
import { prepared } from '@tutoring/shared/database/sql';
import type { Outgoing, Sent } from './outgoing.ts';

const SEND = {
  name: 'send_messages',
  sql: 'select verdict, message_id, sent_at, pushed from send_messages($1, $2) order by nr',
};

export interface Busy {
  verdict: 'busy';
}

/**
 * Sends the messages in this order and queues their events and notifications, all or none; answers what became of each.
 * Writes to the outbox by itself: call it within `autocommit`, or mark the transaction as published.
 */
export const sendAll = (tx: Tx, items: Outgoing[]) => prepared<Sent>(tx, SEND, [JSON.stringify(items), true]);

/** The same without waiting: leaves those `busy` whose room somebody else has locked. */
export const sendUnlocked = (tx: Tx, items: Outgoing[]) =>
  prepared<Sent | Busy>(tx, SEND, [JSON.stringify(items), false]);
