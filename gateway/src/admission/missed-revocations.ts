import { isStreamMissing, type Bus } from '@tutoring/shared/events/bus';
import type { subscribeToRevocations } from './revocations.ts';

/**
 * Calls `onMissed` when a revocation in the stream has not arrived here although the connection seems to work (another
 * one in NATS was cut), or when the stream cannot be asked: what it held at a look must have arrived by the next one.
 */
export function watchForMissed(options: {
  bus: Bus;
  onRevoked: ReturnType<typeof subscribeToRevocations>;
  everyMs: number;
  onMissed: () => void;
}) {
  const { bus, everyMs, onMissed } = options;
  let before: { created: string | undefined; seq: number } | undefined;
  let arrived = 0;
  let isFirst = true;
  let isLooking = false;
  options.onRevoked((_revocation, seq) => (arrived = seq ?? arrived));

  /** A stream that nobody has made yet holds nothing. */
  const ask = async () => {
    try {
      const { created, state } = await bus.jsm.streams.info(bus.named('revocations'));
      return { created, seq: state.last_seq };
    } catch (error) {
      return isStreamMissing(error) ? { created: undefined, seq: 0 } : undefined;
    }
  };

  async function look(): Promise<void> {
    const now = await ask();
    const isSame = now && (before?.created === undefined || before.created === now.created);
    // Also when it came back with less: what arrives next has a number that was given before.
    if (!before || !isSame || now.seq < before.seq || arrived < before.seq) {
      arrived = now?.seq ?? 0;
      if (!isFirst) onMissed();
    }
    isFirst = false;
    before = now;
  }

  const lookOnce = () => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => (isLooking = false));
  };
  const timer = setInterval(lookOnce, everyMs);
  lookOnce();
  return { stop: () => clearInterval(timer) };
}
