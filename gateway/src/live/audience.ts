import type { Revocation } from '../admission/revocations.ts';
import { subjectOf, type Bearer } from '../exchange/caller.ts';
import type { EventStream } from './stream.ts';

/** An open stream and its owner. */
export interface Listener {
  caller: Bearer;
  stream: EventStream;
}

export const MAX_STREAMS = 5;

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

/** Open streams, by person and by audience. */
export function createAudiences() {
  const byPerson = new Map<string, Listener[]>();
  const byAudience = new Map<string, Set<Listener>>();

  return {
    /**
     * Adds a stream. When a person has more than five, the oldest is closed: most likely the phone that opened it has
     * changed networks.
     */
    add: (listener: Listener): void => {
      const person = subjectOf(listener.caller);
      const own = byPerson.get(person) ?? [];
      own.push(listener);
      byPerson.set(person, own);
      for (const { stream } of own.slice(0, -MAX_STREAMS)) stream.close();
      const audience = audienceOf(listener.caller);
      const others = byAudience.get(audience);
      if (others) others.add(listener);
      else byAudience.set(audience, new Set([listener]));
    },
    remove: (listener: Listener): void => {
      const person = subjectOf(listener.caller);
      const own = (byPerson.get(person) ?? []).filter((other) => other !== listener);
      if (own.length > 0) byPerson.set(person, own);
      else byPerson.delete(person);
      const audience = audienceOf(listener.caller);
      const others = byAudience.get(audience);
      others?.delete(listener);
      if (others?.size === 0) byAudience.delete(audience);
    },
    isHeard: (address: string): boolean => audiencesAt(address).some((audience) => byAudience.has(audience)),
    /** The streams that an event at this address is for. */
    at: (address: string): Listener[] =>
      audiencesAt(address).flatMap((audience) => [...(byAudience.get(audience) ?? [])]),
    all: (): Listener[] => [...byPerson.values()].flat(),
    /** The streams whose bearer is revoked. */
    revoked: ({ subject, token_ids }: Revocation): Listener[] =>
      (byPerson.get(subject) ?? []).filter(
        ({ caller }) => token_ids.length === 0 || token_ids.includes(caller.tokenId),
      ),
  };
}
