import type { Bus } from '@tutoring/shared/events/bus';
import { createFailureLog } from '@tutoring/shared/events/failures';
import type { Logger } from '@tutoring/shared/process/logger';

/** After a failure, and before a stream that seems to be another one is believed to be. */
export const PAUSE_MS = 250;
/** How soon an event is read that was lost on its way and that no other followed. */
const LOOK_MS = 1_000;

/** Calls `look` every second, at once when woken, and soon after it failed. */
export function startLooking(options: {
  bus: Bus;
  logger: Logger;
  look: () => Promise<void>;
  onReconnect: () => void;
}) {
  const { bus, logger, look, onReconnect } = options;
  const failures = createFailureLog(logger, 'the live feed', bus);
  let stopped = false;
  let wake: () => void = () => undefined;
  void (async () => {
    for await (const { type } of bus.connection.status()) if (type === 'reconnect') onReconnect();
  })();

  void (async () => {
    await bus.ensureStreams().catch(() => undefined);
    while (!stopped) {
      const woken = Promise.withResolvers<void>();
      wake = woken.resolve;
      const timer = await look().then(
        () => {
          failures.recovered();
          return setTimeout(wake, LOOK_MS);
        },
        async (error: unknown) => {
          if (!stopped) failures.failed(error);
          await bus.ensureStreams().catch(() => undefined);
          return setTimeout(wake, PAUSE_MS);
        },
      );
      await woken.promise;
      clearTimeout(timer);
    }
  })();

  return {
    wake: () => wake(),
    stop: () => {
      stopped = true;
      wake();
    },
  };
}
