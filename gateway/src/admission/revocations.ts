import { RepublishHeaders } from '@nats-io/jetstream';
import { z } from 'zod';
import { isStreamMissing, type Bus } from '@tutoring/shared/events/bus';
import { parseJson } from '@tutoring/shared/http/read/json-reader';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Deps } from '../config.ts';
import { BEAT_MS, TOMBSTONE_MS } from '../deadlines.ts';
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
        const parsed = message.safeParse(isForeign ? undefined : parseJson(received.string()));
        const seq = received.headers?.last(RepublishHeaders.Sequence);
        if (!parsed.success) logger.error({ subject }, 'a revocation could not be read');
        else for (const listener of listeners) listener(parsed.data, seq ? Number(seq) : undefined);
      },
    });
  }
  return (...more: Listener[]) => void listeners.push(...more);
}

/** Does `work` now and every so often, unless it is still at it. Returns what ends that. */
function repeat(everyMs: number, work: () => Promise<void>): () => void {
  let isBusy = false;
  const turn = () => {
    if (isBusy) return;
    isBusy = true;
    void work().finally(() => (isBusy = false));
  };
  const timer = setInterval(turn, everyMs);
  turn();
  return () => clearInterval(timer);
}

/** The newest revocation in the stream; undefined when the stream cannot be asked. */
async function newestOf(bus: Bus): Promise<{ created: string | undefined; seq: number } | undefined> {
  try {
    const { created, state } = await bus.jsm.streams.info(bus.named('revocations'));
    return { created, seq: state.last_seq };
  } catch (error) {
    // A stream that nobody has made yet holds nothing.
    return isStreamMissing(error) ? { created: undefined, seq: 0 } : undefined;
  }
}

/**
 * Receives revocations and knows whether all arrive. It pings NATS every 200 ms, because a dead peer or a cut cable does
 * not end a connection: from the first pong after each (re)connection on the server has the subscriptions again. One is
 * missed when it is in the stream and has not arrived here although the connection seems to work (another one in NATS
 * was cut), or when the stream cannot be asked: what it held at a look must have arrived by the next one.
 */
export function watchRevocations({ bus, timings, logger }: Deps) {
  const { connection } = bus;
  // Before the first ping: its pong then proves that revocations are received.
  const onRevoked = subscribeToRevocations(bus, logger);
  /** From when on what was received is known to be everything. */
  let since: number | undefined;
  let lastBeat = 0;
  let before: Awaited<ReturnType<typeof newestOf>>;
  let arrived = 0;
  let isFirst = true;
  onRevoked((_revocation, seq) => (arrived = seq ?? arrived));
  void (async () => {
    for await (const { type } of connection.status()) if (type === 'disconnect') since = undefined;
  })();

  const stopBeating = repeat(BEAT_MS, async () => {
    if (connection.isClosed()) return;
    const askedAt = performance.now();
    try {
      await connection.flush();
      lastBeat = askedAt;
      since ??= performance.now();
    } catch {
      since = undefined;
    }
  });

  const stopLooking = repeat(timings.revocationsLook, async () => {
    const now = await newestOf(bus);
    const isSame = now && (before?.created === undefined || before.created === now.created);
    // Also when it came back with less: what arrives next has a number that was given before.
    if (!before || !isSame || now.seq < before.seq || arrived < before.seq) {
      arrived = now?.seq ?? 0;
      if (!isFirst) since = undefined;
    }
    isFirst = false;
    before = now;
  });

  return {
    onRevoked,
    /** True when everything published since `moment` (performance.now) has arrived here, except for the last second. */
    hasHeardSince: (moment: number) =>
      since !== undefined && moment >= since && performance.now() - lastBeat < timings.silentLink,
    stop: () => {
      stopLooking();
      stopBeating();
    },
  };
}

export type Revocations = ReturnType<typeof watchRevocations>;

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
