import type { EventData } from '@tutoring/shared/events/catalogue';
import type { EventContext } from '@tutoring/shared/events/publish/outbox';
import type { ConsumedEvent } from '@tutoring/shared/events/consume/subscription';
import {
  callOverNotification,
  incomingCallNotification,
  missedCallNotification,
  type Notification,
} from '../push/notification.ts';

export type CallChanged = EventData<'call.changed'>;

/** What was known of a call; nulls for a new one. */
export interface KnownCall {
  state: CallChanged['state'] | null;
  version: number | null;
}

/** An event that tells something new about a call. */
export interface CallTransition {
  call: CallChanged;
  /** The state before this event; null for a new call. */
  before: CallChanged['state'] | null;
  /** Of the event. */
  context: EventContext;
}

/** What each of the events tells, in their order; nothing where a newer version is known, or the call is not in `known`. */
export function transitionsOf(events: ConsumedEvent<CallChanged>[], known: Map<string, KnownCall>): CallTransition[] {
  const last = new Map(known);
  return events.flatMap(({ data: call, context }) => {
    const { identifier, state, version } = call;
    const before = last.get(identifier);
    if (!before || (before.version !== null && before.version > version)) return [];
    last.set(identifier, { state, version });
    return [{ call, before: before.state, context }];
  });
}

/** The ring is over: an incoming call that was not sent yet must not be sent. */
export const hasStoppedRinging = ({ call, before }: CallTransition) => before === 'ringing' && call.state !== 'ringing';

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;

/** The notification of the teacher's devices, when the student's name is known; undefined when nothing. */
export function notificationOf(
  { call, before }: CallTransition,
  now: string,
): ((from: string) => Notification) | undefined {
  const { state, created_at, ended_at, ring_expires_at: expiresAt } = call;
  if (state === 'ringing') {
    const left = secondsBetween(now, expiresAt);
    return before === null && left > 0 ? (from) => incomingCallNotification(call, from, left) : undefined;
  }
  if (state === 'missed' && before !== 'missed') {
    const age = secondsBetween(ended_at ?? created_at, now);
    return (from) => missedCallNotification(call, from, age);
  }
  return before === 'ringing' ? (from) => callOverNotification(call, from, state) : undefined;
}
