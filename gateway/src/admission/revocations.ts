import { RepublishHeaders } from '@nats-io/jetstream';
import { z } from 'zod';
import type { Bus } from '@tutoring/shared/events/bus';
import type { Logger } from '@tutoring/shared/process/logger';
import { TOMBSTONE_MS } from '../deadlines.ts';
import { subjectOf, type Bearer } from '../exchange/exchange.ts';

const revocation = z.object({ subject: z.string(), token_ids: z.array(z.number()) });

/** Revoked bearers; no `token_ids` means all of the subject (`user:12`). */
export type Revocation = z.infer<typeof revocation>;

/** A hint is the data itself; the relayed event wraps it. */
const message = z.union([revocation, z.object({ data: revocation }).transform(({ data }) => data)]);

/** `seq`: the place in the stream of revocations of one that comes from there. */
type Listener = (revocation: Revocation, seq: number | undefined) => void;

/** Subjects: identity's hint right after its commit, the relayed event, and the same republished by its stream. */
const SUBJECTS = ['hints.tokens.revoked', 'revocations.tokens.revoked', 'events.tokens.revoked'];

/** Receives every revocation from now on. Returns what registers listeners. */
export function subscribeToRevocations(bus: Bus, logger: Logger) {
  const listeners: Listener[] = [];
  for (const subject of SUBJECTS.map((name) => bus.subject(name))) {
    bus.connection.subscribe(subject, {
      callback: (error, received) => {
        if (error) {
          logger.error({ err: error, subject }, 'revocations are not heard');
          return;
        }
        // So a relay asks for its place in the stream, which refuses the message: whoever else listens gets it too.
        if (received.data.length === 0) return;
        // A service could have the server deliver its consumer's messages here, beyond its own rights; they keep their
        // subject.
        const isForeign = received.subject !== subject;
        const parsed = message.safeParse(isForeign ? undefined : parse(received.string()));
        const seq = received.headers?.last(RepublishHeaders.Sequence);
        if (!parsed.success) logger.error({ subject }, 'a revocation could not be read');
        else for (const listener of listeners) listener(parsed.data, seq ? Number(seq) : undefined);
      },
    });
  }
  return (...more: Listener[]) => void listeners.push(...more);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Revocations of the last minute: an answer to a question asked before one of them is not used. */
export function createTombstones() {
  const revokedAt = new Map<string, number>();
  const ofAll = (subject: string) => `${subject}#`;
  const ofOne = (subject: string, tokenId: number) => `${subject}#${tokenId}`;

  return {
    add: ({ subject, token_ids }: Revocation) => {
      const keys = token_ids.length === 0 ? [ofAll(subject)] : token_ids.map((id) => ofOne(subject, id));
      for (const key of keys) revokedAt.set(key, performance.now());
    },
    /** Whether the caller's token was revoked at or after `moment` (performance.now). */
    cover: (caller: Bearer, moment: number) =>
      [ofAll(subjectOf(caller)), ofOne(subjectOf(caller), caller.tokenId)].some(
        (key) => (revokedAt.get(key) ?? -Infinity) >= moment,
      ),
    sweep: () => {
      const old = performance.now() - TOMBSTONE_MS;
      for (const [key, at] of revokedAt) if (at < old) revokedAt.delete(key);
    },
  };
}
