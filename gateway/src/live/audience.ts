import { MAX_BATCH_TOKENS } from '@tutoring/shared/contract/commands';
import { TRANSIENT_ADDRESS } from '@tutoring/shared/contract/desk';
import type { Revocation } from '../admission/revocations.ts';
import { hasSameRights } from '../admission/running.ts';
import type { Auth } from '../admission/verdicts.ts';
import type { Parts } from '../parts.ts';
import { subjectOf, type Bearer } from '../exchange/exchange.ts';
import type { EventStream } from './stream.ts';

/** An open stream, its owner, and the token that opened it. */
export interface Listener {
  caller: Bearer;
  token: string;
  stream: EventStream;
  /** Since when the token is unconfirmed, because revocations may have been missed (performance.now). */
  unconfirmedSince: number | undefined;
}

const MAX_STREAMS_PER_PERSON = 5;

/**
 * The audience of a caller: users receive events for themselves, administrators events for `admins`. The address of a
 * user's event names a student, then a teacher, or the same person twice. Ids are unique across both platforms, so a
 * person is matched only at the position of their platform.
 */
export function audienceOf(caller: Bearer): string {
  if (caller.kind === 'admin') return 'admins';
  return caller.platform === 'student' ? `user.${caller.id}.*` : `user.*.${caller.id}`;
}

/** The audiences of an event's address: `user.12.13` is for student 12 and teacher 13. */
function audiencesAt(address: string): string[] {
  const [kind, student, teacher] = address.split('.');
  if (kind === 'user') return [`user.${student}.*`, `user.*.${teacher}`];
  return [address === TRANSIENT_ADDRESS ? 'admins' : address];
}

/** Open streams by audience. */
export function createAudiences() {
  const byAudience = new Map<string, Listener[]>();
  const at = (audience: string): Listener[] => byAudience.get(audience) ?? [];
  /** A user's audience contains only that user; `admins` contains all administrators. */
  const ofPerson = (audience: string, subject: string) =>
    at(audience).filter(({ caller }) => subjectOf(caller) === subject);

  return {
    /**
     * Adds a stream. Beyond five streams of a person the oldest is closed: most likely the phone that opened it has
     * changed networks.
     */
    add: (listener: Listener): void => {
      const audience = audienceOf(listener.caller);
      byAudience.set(audience, [...at(audience), listener]);
      const own = ofPerson(audience, subjectOf(listener.caller)).filter(({ stream }) => stream.isOpen);
      for (const { stream } of own.slice(0, -MAX_STREAMS_PER_PERSON)) stream.displace();
    },
    remove: (listener: Listener): void => {
      const audience = audienceOf(listener.caller);
      const others = at(audience).filter((other) => other !== listener);
      if (others.length > 0) byAudience.set(audience, others);
      else byAudience.delete(audience);
    },
    hasListeners: (address: string): boolean => audiencesAt(address).some((audience) => byAudience.has(audience)),
    /** The streams that receive an event with this address. */
    at: (address: string): Listener[] => audiencesAt(address).flatMap(at),
    all: function* (): Iterable<Listener> {
      for (const listeners of byAudience.values()) yield* listeners;
    },
    /** The streams of revoked tokens. */
    revoked: ({ subject, token_ids }: Revocation): Listener[] => {
      const [kind, id] = subject.split(':');
      const audiences = kind === 'user' ? [`user.${id}.*`, `user.*.${id}`] : ['admins'];
      return audiences
        .flatMap((audience) => ofPerson(audience, subject))
        .filter(({ caller }) => token_ids.length === 0 || token_ids.includes(caller.tokenId));
    },
  };
}

/** Old verdicts are renewed together, when the oldest exceeds its age by this factor. */
const BATCH_FACTOR = 1.25;

/**
 * Checks the tokens of open streams, in batches. While revocations arrive, identity is asked now and then, which counts
 * as a use of the token. When revocations may have been missed, identity is asked at the second check, so that a short
 * interruption causes no requests. Closes a stream whose token is no longer valid, unconfirmed for `streamUnconfirmed`,
 * or has other rights than when the stream was opened.
 */
export function watchTokens({ timings, logger }: Parts, auth: Auth, all: () => Iterable<Listener>) {
  let isConfirming = false;

  async function confirmTokens(tokens: string[]): Promise<void> {
    isConfirming = true;
    try {
      for (let at = 0; at < tokens.length; at += MAX_BATCH_TOKENS)
        await auth.confirm(tokens.slice(at, at + MAX_BATCH_TOKENS));
    } catch (error) {
      logger.debug({ err: error }, 'identity could not confirm the tokens of open streams: it will be asked again');
    } finally {
      isConfirming = false;
    }
  }

  /** True when identity must be asked, because revocations may have been missed since the last check. */
  function checkUnconfirmed(listener: Listener): boolean {
    const now = performance.now();
    if (listener.unconfirmedSince === undefined) {
      listener.unconfirmedSince = now;
      return false;
    }
    if (now - listener.unconfirmedSince > timings.streamUnconfirmed) listener.stream.close();
    return true;
  }

  function checkTokens(): void {
    const unconfirmed = new Set<string>();
    const old = new Set<string>();
    let oldest = 0;
    for (const listener of all()) {
      const { state, caller = listener.caller, age } = auth.stateOf(listener.token);
      if (state === 'invalid' || !hasSameRights(caller, listener.caller)) listener.stream.close();
      if (state === 'unconfirmed') {
        if (checkUnconfirmed(listener)) unconfirmed.add(listener.token);
        continue;
      }
      listener.unconfirmedSince = undefined;
      if (age < timings.streamVerdict) continue;
      old.add(listener.token);
      oldest = Math.max(oldest, age);
    }
    const isBatchDue = oldest > timings.streamVerdict * BATCH_FACTOR;
    const tokens = [...unconfirmed, ...(isBatchDue ? old : [])];
    if (tokens.length > 0 && !isConfirming) void confirmTokens(tokens);
  }

  const timer = setInterval(checkTokens, timings.streamCheck);
  return { stop: () => clearInterval(timer) };
}
