import type { Revocation } from '../admission/revocations.ts';
import { subjectOf, type Bearer } from '../exchange/caller.ts';
import type { EventStream } from './stream.ts';

/** An open stream and whose it is. */
export interface Listener {
  caller: Bearer;
  stream: EventStream;
}

export const MAX_STREAMS = 5;

/**
 * What a caller's stream is about: every user hears what is for himself, administrators hear the same. A user's event names
 * a student first and a teacher second, or one person in both places; ids are unique over both platforms, so only he can
 * be meant where his platform has its place.
 */
export function audienceOf(caller: Bearer): string {
  if (caller.kind === 'admin') return 'admins';
  return caller.platform === 'student' ? `user.${caller.id}.*` : `user.*.${caller.id}`;
}

/** The audiences that an event's address is in: `user.12.13` is for the student 12 and for the teacher 13. */
function audiencesAt(address: string): string[] {
  const [kind, student, teacher] = address.split('.');
  return kind === 'user' ? [`user.${student}.*`, `user.*.${teacher}`] : [address];
}

/** Who is listening, by person and by audience. */
export function createAudiences() {
  const byPerson = new Map<string, Listener[]>();
  const byAudience = new Map<string, Set<Listener>>();

  return {
    /**
     * Adds a listener. Beyond five streams of a person the oldest is closed: it is most likely the one that a phone left
     * behind when it changed networks.
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
    /** Whom an event at this address is for. */
    at: (address: string): Listener[] =>
      audiencesAt(address).flatMap((audience) => [...(byAudience.get(audience) ?? [])]),
    all: (): Listener[] => [...byPerson.values()].flat(),
    /** Those whose bearer a revocation ends. */
    revoked: ({ subject, token_ids }: Revocation): Listener[] =>
      (byPerson.get(subject) ?? []).filter(
        ({ caller }) => token_ids.length === 0 || token_ids.includes(caller.tokenId),
      ),
  };
}
