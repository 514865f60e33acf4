import type { Revocation } from '../admission/revocations.ts';
import { subjectOf, type Bearer } from '../exchange/exchange.ts';
import type { EventStream } from './stream.ts';

/** An open stream, its owner, and the token that opened it. */
export interface Listener {
  caller: Bearer;
  token: string;
  stream: EventStream;
  /** Since when revocations of the token may have been missed (performance.now). */
  doubtfulSince: number | undefined;
}

const MAX_STREAMS = 5;

/**
 * The audiences of a caller: users receive events for themselves, administrators those for `admins`. A user's event
 * names a student first and a teacher second, or one person in both places. Ids are unique over both platforms, so a
 * person is matched only in the place of their platform.
 */
export function audienceOf(caller: Bearer): string {
  if (caller.kind === 'admin') return 'admins';
  return caller.platform === 'student' ? `user.${caller.id}.*` : `user.*.${caller.id}`;
}

/** The audiences of an event's address: `user.12.13` is for the student 12 and for the teacher 13. */
function audiencesAt(address: string): string[] {
  const [kind, student, teacher] = address.split('.');
  return kind === 'user' ? [`user.${student}.*`, `user.*.${teacher}`] : [address];
}

/** Open streams by audience. */
export function createAudiences() {
  const byAudience = new Map<string, Listener[]>();
  const at = (audience: string): Listener[] => byAudience.get(audience) ?? [];
  /** A user is an audience of their own; an administrator is one of many. */
  const ofPerson = (audience: string, subject: string) =>
    at(audience).filter(({ caller }) => subjectOf(caller) === subject);

  return {
    /**
     * Adds a stream. When a person has more than five, the oldest is closed: most likely the phone that opened it has
     * changed networks.
     */
    add: (listener: Listener): void => {
      const audience = audienceOf(listener.caller);
      byAudience.set(audience, [...at(audience), listener]);
      const own = ofPerson(audience, subjectOf(listener.caller));
      for (const { stream } of own.slice(0, -MAX_STREAMS)) stream.close();
    },
    remove: (listener: Listener): void => {
      const audience = audienceOf(listener.caller);
      const others = at(audience).filter((other) => other !== listener);
      if (others.length > 0) byAudience.set(audience, others);
      else byAudience.delete(audience);
    },
    isHeard: (address: string): boolean => audiencesAt(address).some((audience) => byAudience.has(audience)),
    /** The streams that an event at this address is for. */
    at: (address: string): Listener[] => audiencesAt(address).flatMap(at),
    all: function* (): Iterable<Listener> {
      for (const listeners of byAudience.values()) yield* listeners;
    },
    /** The streams whose bearer is revoked. */
    revoked: ({ subject, token_ids }: Revocation): Listener[] => {
      const [kind, id] = subject.split(':');
      const audiences = kind === 'user' ? [`user.${id}.*`, `user.*.${id}`] : ['admins'];
      return audiences
        .flatMap((audience) => ofPerson(audience, subject))
        .filter(({ caller }) => token_ids.length === 0 || token_ids.includes(caller.tokenId));
    },
  };
}
