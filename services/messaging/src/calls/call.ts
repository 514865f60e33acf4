import type { EventData } from '@tutoring/shared/contract/events';
import type { EventContext } from '@tutoring/shared/kit/events/publish/outbox';
import type { ConsumedEvent } from '@tutoring/shared/kit/events/consume/subscription';
import { mapLanguages } from '@tutoring/shared/kit/language/localized';
import { DAY, type Notification } from '../push/push.ts';
import { catalogue, type Texts } from '../texts.ts';

export type CallChanged = EventData<'call.changed'>;

/** The stored state of a call; nulls for a new call. */
export interface KnownCall {
  state: CallChanged['state'] | null;
  version: number | null;
}

/** An event that changes the stored state of a call. */
export interface CallTransition {
  call: CallChanged;
  /** The state before this event; null for a new call. */
  before: CallChanged['state'] | null;
  /** Of the event. */
  context: EventContext;
}

/** The transitions in the order of `events`; none for outdated events and for calls that are not in `stored`. */
export function transitionsOf(events: ConsumedEvent<CallChanged>[], stored: Map<string, KnownCall>): CallTransition[] {
  const last = new Map(stored);
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

/** The text of a kind, or `other` for a kind of a newer release. */
const textFor = <Kind extends string>(texts: Record<Kind, string>, kind: string, other: Kind) =>
  Object.hasOwn(texts, kind) ? texts[kind as Kind] : texts[other];

/** Returns a function from the student's name to the teacher's notification; undefined when there is none. */
export function notificationOf({ call, before }: CallTransition, now: string) {
  const { channel, identifier, call_type, state, created_at, ended_at, ring_expires_at: expiresAt } = call;
  const toTeacher =
    (kind: Notification['kind'], lifetime: number, body: (texts: Texts) => string, more = {}) =>
    (from: string): Notification => ({
      kind,
      texts: mapLanguages(catalogue, (texts) => ({ title: from || texts.someone, body: body(texts) })),
      data: { channel, identifier, call_type, student_id: String(call.student_id), ...more },
      lifetime,
    });
  if (state === 'ringing') {
    const left = secondsBetween(now, expiresAt);
    const isNew = before === null && left > 0;
    return isNew
      ? toTeacher('incoming_call', left, (texts) => textFor(texts.incomingCall, call_type, 'other'))
      : undefined;
  }
  // Replaces the incoming call. Expires one day after the call.
  if (state === 'missed' && before !== 'missed') {
    const age = secondsBetween(ended_at ?? created_at, now);
    return toTeacher('missed_call', DAY - age, (texts) => texts.missedCall, { room_uuid: channel });
  }
  // Removes the incoming call from the screen: it was accepted, rejected or canceled.
  return before === 'ringing'
    ? toTeacher('call_over', DAY, (texts) => textFor(texts.callOver, state, 'ended'), { state })
    : undefined;
}
