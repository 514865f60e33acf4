import type { NatsConnection } from '@nats-io/transport-node';
import { BEAT_MS } from '../deadlines.ts';

/**
 * Whether revocations are being received: watches the connection by a ping every 200 ms, because a dead peer or a cut
 * cable does not end a connection. The link counts as working from the first pong after each (re)connection: by then
 * the server has the subscriptions again.
 */
export function watchLink(connection: NatsConnection, silentMs: number) {
  let since: number | undefined;
  let lastBeat = 0;
  let isAsking = false;
  const statuses = connection.status();
  void (async () => {
    for await (const { type } of statuses) if (type === 'disconnect') since = undefined;
  })();

  const beat = () => {
    if (isAsking || connection.isClosed()) return;
    isAsking = true;
    const askedAt = performance.now();
    connection
      .flush()
      .then(
        () => {
          lastBeat = askedAt;
          since ??= performance.now();
        },
        () => (since = undefined),
      )
      .finally(() => (isAsking = false));
  };
  const timer = setInterval(beat, BEAT_MS);
  beat();

  return {
    /** A revocation was not received: what was received before is not known to be everything. */
    broke: () => void (since = undefined),
    /** True when everything published since `moment` (performance.now) has arrived here, except for the last second. */
    hasHeardSince: (moment: number) =>
      since !== undefined && moment >= since && performance.now() - lastBeat < silentMs,
    stop: () => clearInterval(timer),
  };
}

export type Link = ReturnType<typeof watchLink>;
