import { setTimeout as sleep } from 'node:timers/promises';
import { RepublishHeaders } from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { createFailureLog, STORED_LIVE } from '@tutoring/shared/events/bus';
import { createSignal } from '@tutoring/shared/events/relay/commits';
import type { Deps } from '../config.ts';
import { createReader, tagOf, type Bounds, type LiveMessage, type Position, type Stored } from './stored.ts';

/** After a failure, and before a stream that seems to be another one is believed to be. */
const PAUSE_MS = 250;
/** How soon an event is read that was lost on its way and that no other followed. */
const LOOK_MS = 1_000;
/** Missed events that are asked for together. */
const AT_ONCE = 100;

/** Calls `look` every second, at once when woken, and soon after it failed; `doubt` at a reconnection. */
function startLooking({ bus, logger }: Deps, { look, doubt }: { look: () => Promise<void>; doubt: () => void }) {
  const failures = createFailureLog(logger, 'the live feed', bus);
  const signal = createSignal();
  let stopped = false;

  void (async () => {
    for await (const { type } of bus.connection.status()) if (type === 'reconnect') doubt();
  })();
  void (async () => {
    await bus.ensureStreams().catch(() => undefined);
    while (!stopped) {
      const before = signal.count();
      let pause = LOOK_MS;
      try {
        await look();
        failures.recovered();
      } catch (error) {
        if (!stopped) failures.failed(error);
        await bus.ensureStreams().catch(() => undefined);
        pause = PAUSE_MS;
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
  /** Whether anybody is connected for this address; messages for others are not even read. */
  isHeard: (address: string) => boolean;
  onMessage: (message: LiveMessage) => void;
  onReset: (isNewStream: boolean) => void;
}

/**
 * Passes every new event of the stream to `onMessage`, in order: as the stream tells it, and what did not arrive as the
 * stream holds it. It calls `onReset` when it cannot: the stream is another one, or came back with less. `position`: up
 * to where messages have been delivered; undefined until the feed has `started`.
 */
export function startLiveFeed(deps: Deps, { isHeard, onMessage, onReset }: Options) {
  const { bus, logger } = deps;
  const stream = bus.named('live');
  const reader = createReader(deps);
  let position: Position | undefined;
  /** Everything up to here is handed out, so the next event counts as it arrives. */
  let isUpToDate = false;
  /** Something shows that the stream may not go on where this process is, since the last look began. */
  let isDoubtful = false;
  let newestArrived = 0;
  /** The newest place that was told, ever. */
  let told = 0;
  const started = Promise.withResolvers<void>();

  function handOut(message: Stored): void {
    if (!position) return;
    position.seq = message.seq;
    position.tag = message.tag;
    const live = isHeard(message.address) && message.read();
    if (live) onMessage(live);
  }

  /** Nothing counts as it arrives before a look has shown that the stream goes on where this process is. */
  function doubt(): void {
    isDoubtful = true;
    isUpToDate = false;
    looking.wake();
  }

  /** An event arrives that the stream has just stored. One that is older is known, or the stream has lost some. */
  function onTold(message: Msg): void {
    const seq = Number(message.headers?.get(RepublishHeaders.Sequence));
    const goesBack = seq <= told;
    told = seq;
    newestArrived = Math.max(newestArrived, seq);
    if (goesBack) doubt();
    if (!isUpToDate || !position || seq <= position.seq) return;
    if (seq === position.seq + 1) {
      const { headers: header } = message;
      // The subject that it was stored under: another gateway could have a stored message sent here under any.
      const subject = header?.get(RepublishHeaders.Subject) ?? '';
      handOut(reader.stored({ header, subject, seq, string: () => message.string() }));
    } else {
      logger.info({ seq: position.seq, arrived: seq }, 'live events are missing: they are read from the stream');
      doubt();
    }
  }

  /** The stream's bounds, and whether it goes on where this process is. */
  async function ask(): Promise<Bounds & { continues: boolean }> {
    newestArrived = 0;
    isDoubtful = false;
    const known = position && { ...position };
    const bounds = await reader.bounds();
    return { ...bounds, continues: known !== undefined && (await reader.holds(known, bounds)) };
  }

  async function startAtEnd({ epoch, last: seq }: Bounds): Promise<void> {
    const last = seq === 0 ? null : await bus.jsm.streams.getMessage(stream, { seq });
    isUpToDate = false;
    const before = position;
    position = { epoch, seq, tag: tagOf(last?.header) };
    started.resolve();
    if (before) onReset(before.epoch !== epoch);
  }

  /** Hands out what has not arrived, from the stream's leader. False when the stream does not hold it any more. */
  async function readOn(last: number): Promise<boolean> {
    if (!position || position.seq < last) isUpToDate = false;
    for (let at = position?.seq ?? last; at < Math.max(last, newestArrived); at = position?.seq ?? last) {
      const length = Math.min(AT_ONCE, Math.max(last, newestArrived) - at);
      const asked = Array.from({ length }, (_, n) => bus.jsm.streams.getMessage(stream, { seq: at + 1 + n }));
      for (const message of await Promise.all(asked)) {
        if (!message) return false;
        handOut(reader.stored(message));
      }
    }
    isUpToDate = !isDoubtful;
    return true;
  }

  async function look(): Promise<void> {
    let now = await ask();
    if (position && !now.continues) {
      // A new leader of the stream may not have caught up yet.
      await sleep(PAUSE_MS);
      now = await ask();
    }
    if (!now.continues) await startAtEnd(now);
    while (!(await readOn(now.last))) await startAtEnd((now = await ask()));
  }

  const looking = startLooking(deps, { look, doubt });
  const subscription = bus.connection.subscribe(bus.subject(`${STORED_LIVE}.>`), {
    callback: (error, message) => {
      if (error) logger.error({ err: error }, 'live events are not heard');
      else onTold(message);
    },
  });
  return {
    ...reader,
    position: () => position,
    started: started.promise,
    stop: () => {
      subscription.unsubscribe();
      looking.stop();
    },
  };
}
