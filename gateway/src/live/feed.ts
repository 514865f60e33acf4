import { setTimeout as sleep } from 'node:timers/promises';
import { RepublishHeaders } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { createFailureLog, STORED_LIVE } from '@tutoring/shared/kit/events/bus';
import { createSignal } from '@tutoring/shared/kit/events/relay/commits';
import type { Parts } from '../parts.ts';
import { boundsOf, continuesFrom, messageAt, storedEvent, tagOf } from './stored.ts';
import type { LiveMessage, Position, StoredEvent, StreamBounds } from './stored.ts';

/** Delay before a retry, and before the stream is checked again when it seems to have been replaced. */
const RETRY_MS = 250;
/** Poll interval: the longest delay of a lost event when no later event reveals the gap. */
const POLL_MS = 1_000;
/** Missed events that are fetched in parallel. */
const FETCH_BATCH = 100;

/** Calls `poll` every second, at once after `wake`, and soon after a failure; calls `onReconnect` when NATS is back. */
function startPolling(
  { bus, logger }: Parts,
  { poll, onReconnect }: { poll: () => Promise<void>; onReconnect: () => void },
) {
  const failures = createFailureLog(logger, 'the live feed', bus);
  const signal = createSignal();
  let stopped = false;

  void (async () => {
    for await (const { type } of bus.connection.status()) if (type === 'reconnect') onReconnect();
  })();
  void (async () => {
    await bus.ensureStreams().catch(() => undefined);
    while (!stopped) {
      const before = signal.count();
      let pause = POLL_MS;
      try {
        await poll();
        failures.recovered();
      } catch (error) {
        if (!stopped) failures.failed(error);
        await bus.ensureStreams().catch(() => undefined);
        pause = RETRY_MS;
      }
      await signal.pause(pause, before);
    }
  })();

  return {
    wake: signal.notify,
    stop: () => {
      stopped = true;
      signal.notify();
    },
  };
}

interface Options {
  /** Whether a client is connected for this address; other messages are not even parsed. */
  hasListeners: (address: string) => boolean;
  onMessage: (message: LiveMessage) => void;
  onReset: (isNewStream: boolean) => void;
}

/**
 * Passes every new event of the stream to `onMessage`, in order: directly when NATS republishes it, otherwise fetched
 * from the stream. Calls `onReset` when events may be missing: the stream was recreated, or lost its newest messages.
 * `position` is that of the last delivered message; undefined until `started` has resolved.
 */
export function startLiveFeed(parts: Parts, { hasListeners, onMessage, onReset }: Options) {
  const { bus, logger } = parts;
  let position: Position | undefined;
  /** Everything up to `position` is delivered, so the next republished event can be delivered directly. */
  let isUpToDate = false;
  /** Since the last poll began, something suggests that the stream no longer continues from `position`. */
  let needsCheck = false;
  /** The highest sequence that was republished since the last poll began. */
  let highestReceived = 0;
  /** The sequence of the last republished event. */
  let lastReceived = 0;
  const started = Promise.withResolvers<void>();

  function deliver(event: StoredEvent): void {
    if (!position) return;
    position.seq = event.seq;
    position.tag = event.tag;
    const message = hasListeners(event.address) && event.read();
    if (message) onMessage(message);
  }

  /** Stops direct delivery until a poll has shown that the stream continues from `position`. */
  function requireCheck(): void {
    needsCheck = true;
    isUpToDate = false;
    polling.wake();
  }

  /**
   * Handles an event that NATS republishes when it has stored it. A lower sequence means that the stream lost events.
   */
  function onRepublished(message: Msg): void {
    const seq = Number(message.headers?.get(RepublishHeaders.Sequence));
    const goesBack = seq <= lastReceived;
    lastReceived = seq;
    highestReceived = Math.max(highestReceived, seq);
    if (goesBack) requireCheck();
    if (!isUpToDate || !position || seq <= position.seq) return;
    if (seq === position.seq + 1) {
      const { headers: header } = message;
      // The original subject: another gateway could have NATS deliver stored messages to this one under any subject.
      const subject = header?.get(RepublishHeaders.Subject) ?? '';
      deliver(storedEvent(parts, { header, subject, seq, string: () => message.string() }));
    } else {
      logger.info({ seq: position.seq, received: seq }, 'live events were missed and are now read from the stream');
      requireCheck();
    }
  }

  /** The stream's bounds, and whether it continues from `position`. */
  async function checkStream(): Promise<StreamBounds & { continues: boolean }> {
    highestReceived = 0;
    needsCheck = false;
    const current = position && { ...position };
    const bounds = await boundsOf(parts);
    return { ...bounds, continues: current !== undefined && (await continuesFrom(parts, current, bounds)) };
  }

  async function startAtEnd({ epoch, last: seq }: StreamBounds): Promise<void> {
    const last = seq === 0 ? null : await messageAt(parts, seq);
    isUpToDate = false;
    const before = position;
    position = { epoch, seq, tag: tagOf(last?.header) };
    started.resolve();
    if (before) onReset(before.epoch !== epoch);
  }

  /**
   * Fetches missed events from the stream's leader and delivers them. False when the stream no longer has one of them.
   */
  async function catchUp(last: number): Promise<boolean> {
    if (!position || position.seq < last) isUpToDate = false;
    for (let at = position?.seq ?? last; at < Math.max(last, highestReceived); at = position?.seq ?? last) {
      const length = Math.min(FETCH_BATCH, Math.max(last, highestReceived) - at);
      const requests = Array.from({ length }, (_, n) => messageAt(parts, at + 1 + n));
      for (const message of await Promise.all(requests)) {
        if (!message) return false;
        deliver(storedEvent(parts, message));
      }
    }
    isUpToDate = !needsCheck;
    return true;
  }

  async function poll(): Promise<void> {
    let now = await checkStream();
    if (position && !now.continues) {
      // A new leader of the stream may not have caught up yet.
      await sleep(RETRY_MS);
      now = await checkStream();
    }
    if (!now.continues) await startAtEnd(now);
    while (!(await catchUp(now.last))) await startAtEnd((now = await checkStream()));
  }

  const polling = startPolling(parts, { poll, onReconnect: requireCheck });
  const subscription = bus.connection.subscribe(bus.subject(`${STORED_LIVE}.>`), {
    callback: (error, message) => {
      if (error)
        logger.error({ err: error }, 'the subscription to live events failed: check the NATS rights of the gateway');
      else onRepublished(message);
    },
  });
  return {
    position: () => position,
    started: started.promise,
    stop: () => {
      subscription.unsubscribe();
      polling.stop();
    },
  };
}
