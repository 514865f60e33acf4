import { TOKENS_AT_ONCE } from '@tutoring/shared/internal/catalogue';
import type { Revocation } from '../admission/revocations.ts';
import type { Auth } from '../admission/verdicts.ts';
import type { Deps } from '../config.ts';
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
     * Adds a stream. When a person has more than five, the oldest ends: most likely the phone that opened it has changed
     * networks.
     */
    add: (listener: Listener): void => {
      const audience = audienceOf(listener.caller);
      byAudience.set(audience, [...at(audience), listener]);
      const own = ofPerson(audience, subjectOf(listener.caller)).filter(({ stream }) => stream.isOpen);
      for (const { stream } of own.slice(0, -MAX_STREAMS)) stream.displace();
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

/** Those that are merely old are asked about together, when the oldest is older by this part. */
const GATHERING = 1.25;

/**
 * Looks after the tokens of open streams. As long as revocations arrive, identity is asked now and then, which counts as
 * a use of the token; when some may have been missed, at the second look, so that a moment's silence asks nothing. All
 * in batches. Ends a stream whose token is over, and one that nobody has vouched for for `streamDoubt`.
 */
export function watchTokens({ timings, logger }: Deps, auth: Auth, all: () => Iterable<Listener>) {
  let isAsking = false;

  async function ask(tokens: string[]): Promise<void> {
    isAsking = true;
    try {
      for (let at = 0; at < tokens.length; at += TOKENS_AT_ONCE)
        await auth.confirm(tokens.slice(at, at + TOKENS_AT_ONCE));
    } catch (error) {
      logger.debug({ err: error }, 'the tokens of streams are asked about later');
    } finally {
      isAsking = false;
    }
  }

  /** Whether identity is to be asked because revocations may have been missed. */
  function isDoubtful(listener: Listener): boolean {
    const now = performance.now();
    if (listener.doubtfulSince === undefined) {
      listener.doubtfulSince = now;
      return false;
    }
    if (now - listener.doubtfulSince > timings.streamDoubt) listener.stream.close();
    return true;
  }

  function look(): void {
    const doubtful = new Set<string>();
    const old = new Set<string>();
    let oldest = 0;
    for (const listener of all()) {
      const { standing, age } = auth.standing(listener.token);
      if (standing === 'over') listener.stream.close();
      if (standing === 'doubtful') {
        if (isDoubtful(listener)) doubtful.add(listener.token);
        continue;
      }
      listener.doubtfulSince = undefined;
      if (age < timings.streamVerdict) continue;
      old.add(listener.token);
      oldest = Math.max(oldest, age);
    }
    const areDue = oldest > timings.streamVerdict * GATHERING;
    const tokens = [...doubtful, ...(areDue ? old : [])];
    if (tokens.length > 0 && !isAsking) void ask(tokens);
  }

  const timer = setInterval(look, timings.streamLook);
  return { stop: () => clearInterval(timer) };
}
