import type { Reader } from '../../database/open.ts';
import { row } from '../../database/sql.ts';

/** Writers slow down when an event has waited for the broker this long. */
const BEHIND_MS = 200;
/** Beyond this the broker is away: slower writers would not help it. */
const AWAY_MS = 5_000;
/** How long one look at the outbox is good. */
const LOOK_MS = 50;
/** The longest that one write is held back. */
const LONGEST_MS = 500;

const LOOK = `
  select (extract(epoch from clock_timestamp() - created_at) * 1000)::bigint as ms from outbox
  where sent_at is null order by id limit 1`;

/**
 * Returns a function for those who write many events: it resolves when they may write the next ones, at once as long as
 * the relay keeps up. So the rate of writers follows that of the broker, and what is urgent for others arrives soon.
 */
export function createPace(manager: Reader, longestMs = LONGEST_MS): () => Promise<void> {
  let isBehind = false;
  let lookedAt = -Infinity;

  /** Nobody waits for the look itself: the next one who asks knows. */
  function look(): void {
    lookedAt = performance.now();
    void row<{ ms: number }>(manager, LOOK).then(
      (oldest) => (isBehind = oldest !== undefined && oldest.ms > BEHIND_MS && oldest.ms < AWAY_MS),
      // The write itself meets the failure.
      () => (isBehind = false),
    );
  }

  return async () => {
    const until = performance.now() + longestMs;
    for (;;) {
      if (performance.now() - lookedAt >= LOOK_MS) look();
      if (!isBehind || performance.now() >= until) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  };
}
