import { RepublishHeaders } from '@nats-io/jetstream';
import { z } from 'zod';
import { isStreamMissing, type Bus } from '@tutoring/shared/kit/events/bus';
import { parseJson } from '@tutoring/shared/kit/http/read/json-reader';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import type { Parts } from '../parts.ts';
import { NATS_PING_MS, TOMBSTONE_MS } from '../deadlines.ts';
import { subjectOf, type Bearer } from '../exchange/exchange.ts';

const revocation = z.object({ subject: z.string(), token_ids: z.array(z.number()) });

/** Revoked tokens of a subject such as `user:12`; an empty `token_ids` means all of them. */
export type Revocation = z.infer<typeof revocation>;

/** A hint is the revocation itself; an event wraps it in `data`. */
const message = z.union([revocation, z.object({ data: revocation }).transform(({ data }) => data)]);

/** `seq`: the revocation's sequence in the stream; undefined for a hint. */
type Listener = (revocation: Revocation, seq: number | undefined) => void;

/** Subjects: identity's hint right after its commit, the relayed event, and the event republished by its stream. */
const SUBJECTS = ['hints.tokens.revoked', 'revocations.tokens.revoked', 'events.tokens.revoked'];

/** Subscribes to revocations. Returns a function that registers listeners. */
export function subscribeToRevocations(bus: Bus, logger: Logger) {
  const listeners: Listener[] = [];
  for (const subject of SUBJECTS.map((name) => bus.subject(name))) {
    bus.connection.subscribe(subject, {
      callback: (error, received) => {
        if (error) {
          logger.error(
            { err: error, subject },
            'the subscription to revocations failed: check the NATS rights of the gateway',
          );
          return;
        }
        // A relay finds its position in the stream with an empty message, which the stream refuses but subscribers
        // receive.
        if (received.data.length === 0) return;
        // A service could make its consumer deliver messages to this subject, to which it must not publish. Such
        // messages keep their original subject.
        const isForeign = received.subject !== subject;
        const parsed = message.safeParse(isForeign ? undefined : parseJson(received.string()));
        const seq = received.headers?.last(RepublishHeaders.Sequence);
        if (!parsed.success) logger.error({ subject }, 'a revocation is not valid and is ignored');
        else for (const listener of listeners) listener(parsed.data, seq ? Number(seq) : undefined);
      },
    });
  }
  return (...more: Listener[]) => void listeners.push(...more);
}

/** Runs `work` now and periodically, never twice at the same time. Returns a function that stops it. */
function repeat(everyMs: number, work: () => Promise<void>): () => void {
  let isBusy = false;
  const run = () => {
    if (isBusy) return;
    isBusy = true;
    void work().finally(() => (isBusy = false));
  };
  const timer = setInterval(run, everyMs);
  run();
  return () => clearInterval(timer);
}

/** The newest revocation in the stream; undefined when the stream cannot be asked. */
async function newestOf(bus: Bus): Promise<{ created: string | undefined; seq: number } | undefined> {
  try {
    const { created, state } = await bus.jsm.streams.info(bus.named('revocations'));
    return { created, seq: state.last_seq };
  } catch (error) {
    // A stream that does not exist yet contains nothing.
    return isStreamMissing(error) ? { created: undefined, seq: 0 } : undefined;
  }
}

/**
 * Receives revocations and knows whether all of them arrive. It pings NATS every 200 ms, because a dead peer or a cut
 * cable does not close a connection; after a reconnection, the first pong proves that NATS has the subscriptions again.
 * It also polls the stream: a revocation that one poll finds there must have arrived here by the next poll. Otherwise
 * (a link between NATS servers is cut, or the stream cannot be polled) revocations count as missed.
 */
export function watchRevocations({ bus, timings, logger }: Parts) {
  const { connection } = bus;
  // Before the first ping: its pong then proves that revocations are received.
  const onRevoked = subscribeToRevocations(bus, logger);
  /** Every revocation since then has been received (performance.now). */
  let completeSince: number | undefined;
  let lastPingAt = 0;
  let lastPoll: Awaited<ReturnType<typeof newestOf>>;
  let lastReceived = 0;
  let isFirst = true;
  onRevoked((_revocation, seq) => (lastReceived = seq ?? lastReceived));
  void (async () => {
    for await (const { type } of connection.status()) if (type === 'disconnect') completeSince = undefined;
  })();

  const stopPinging = repeat(NATS_PING_MS, async () => {
    if (connection.isClosed()) return;
    const askedAt = performance.now();
    try {
      await connection.flush();
      lastPingAt = askedAt;
      completeSince ??= performance.now();
    } catch {
      completeSince = undefined;
    }
  });

  const stopPolling = repeat(timings.revocationsPoll, async () => {
    const now = await newestOf(bus);
    const isSame = now && (lastPoll?.created === undefined || lastPoll.created === now.created);
    // Also when the stream lost messages: the next revocation gets a sequence that was used before.
    if (!lastPoll || !isSame || now.seq < lastPoll.seq || lastReceived < lastPoll.seq) {
      lastReceived = now?.seq ?? 0;
      if (!isFirst) completeSince = undefined;
    }
    isFirst = false;
    lastPoll = now;
  });

  return {
    onRevoked,
    /** True when every revocation since `moment` (performance.now) has arrived, except those of the last second. */
    hasReceivedAllSince: (moment: number) =>
      completeSince !== undefined && moment >= completeSince && performance.now() - lastPingAt < timings.natsSilence,
    stop: () => {
      stopPolling();
      stopPinging();
    },
  };
}

export type Revocations = ReturnType<typeof watchRevocations>;

/** Revocations of the last minute: answers of identity to requests sent before them must not be used. */
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
    covers: (caller: Bearer, moment: number) =>
      [ofAll(subjectOf(caller)), ofOne(subjectOf(caller), caller.tokenId)].some(
        (key) => (revokedAt.get(key) ?? -Infinity) >= moment,
      ),
    sweep: () => {
      const old = performance.now() - TOMBSTONE_MS;
      for (const [key, at] of revokedAt) if (at < old) revokedAt.delete(key);
    },
  };
}
