import { createOutbox, type Outgoing as OutgoingOf } from '../kit/events/publish/outbox.ts';
import { catalogue } from './events.ts';
import { addressOf, liveEvents, type LiveMessage } from './live-events.ts';

/** An event or live event to publish; `context`: the request that caused it, unless that is the current one. */
export type Outgoing = OutgoingOf<typeof catalogue, LiveMessage>;

export const { publish, messageJson } = createOutbox<typeof catalogue, LiveMessage>({
  events: catalogue,
  liveEvents,
  addressOf,
});
