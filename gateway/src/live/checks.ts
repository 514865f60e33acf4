import { TOKENS_AT_ONCE } from '@tutoring/shared/internal/catalogue';
import type { Logger } from '@tutoring/shared/process/logger';
import type { Auth } from '../admission/verdicts.ts';
import type { Timings } from '../deadlines.ts';
import type { Listener } from './audience.ts';

/** Those that are merely old are asked about together, when the oldest is older by this part. */
const GATHERING = 1.25;

/**
 * Looks after the tokens of open streams. As long as revocations arrive, identity is asked now and then, which counts as
 * a use of the token; when some may have been missed, at the second look, so that a moment's silence asks nothing. All
 * in batches. Ends a stream whose token is over, and one that nobody has vouched for for `streamDoubt`.
 */
export function watchTokens(options: { auth: Auth; all: () => Iterable<Listener>; timings: Timings; logger: Logger }) {
  const { auth, all, timings, logger } = options;
  let isAsking = false;

  async function ask(tokens: string[]): Promise<void> {
    isAsking = true;
    try {
      for (let at = 0; at < tokens.length; at += TOKENS_AT_ONCE)
        await auth.confirm(tokens.slice(at, at + TOKENS_AT_ONCE));
    } catch (error) {
      logger.debug({ err: error }, 'the tokens of streams are asked about later');
    } finally {
      isAsking = false;
    }
  }

  /** Whether identity is to be asked because revocations may have been missed. */
  function isDoubtful(listener: Listener): boolean {
    const now = performance.now();
    if (listener.doubtfulSince === undefined) {
      listener.doubtfulSince = now;
      return false;
    }
    if (now - listener.doubtfulSince > timings.streamDoubt) listener.stream.close();
    return true;
  }

  function look(): void {
    const doubtful = new Set<string>();
    const old = new Set<string>();
    let oldest = 0;
    for (const listener of all()) {
      const { standing, age } = auth.standing(listener.token);
      if (standing === 'over') listener.stream.close();
      if (standing === 'doubtful') {
        if (isDoubtful(listener)) doubtful.add(listener.token);
        continue;
      }
      listener.doubtfulSince = undefined;
      if (age < timings.streamVerdict) continue;
      old.add(listener.token);
      oldest = Math.max(oldest, age);
    }
    const areDue = oldest > timings.streamVerdict * GATHERING;
    const tokens = [...doubtful, ...(areDue ? old : [])];
    if (tokens.length > 0 && !isAsking) void ask(tokens);
  }

  const timer = setInterval(look, timings.streamLook);
  return { stop: () => clearInterval(timer) };
}
