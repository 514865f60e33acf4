import { Counter } from 'prom-client';
import type { IdentityRefusal, SignerOptions } from './auth.ts';
import type { Logger } from '../process/logger.ts';
import type { Metrics } from '../process/metrics.ts';

/**
 * Milliseconds. An identity is used for five seconds; one that is much older, or from the future, shows that two clocks
 * differ.
 */
const NOTABLE_MS = 15_000;
const WINDOW_MS = 60_000;

const REFUSED: Record<IdentityRefusal, string> = {
  signature: 'an identity was refused: nobody of this system signed it, or with a key that is not known here',
  claim: 'an identity was refused: for another service, or in a name that its signer may not use',
  clock: 'an identity was refused: the clocks of two machines differ too much',
};

/** Reports differences between clocks: as metrics, and as at most one log line a minute. */
export function watchIdentities(metrics: Metrics, logger: Logger): SignerOptions {
  let furthest = { ageMs: 0, at: -Infinity };
  const lastLines = new Map<string, number>();
  metrics.watch(
    'clock_skew_seconds',
    'Age of an identity when it arrives, the furthest from zero of the last minute: beyond 5 s two clocks differ',
    () => (performance.now() - furthest.at < WINDOW_MS ? furthest.ageMs / 1_000 : 0),
  );
  const refused = new Counter({
    name: 'identities_refused_total',
    help: 'Identities of other processes that were refused, by reason',
    labelNames: ['reason'] as const,
    registers: [metrics.registry],
  });
  for (const reason of Object.keys(REFUSED)) refused.inc({ reason }, 0);

  function warn(message: string): void {
    const now = performance.now();
    if (now - (lastLines.get(message) ?? -Infinity) < WINDOW_MS) return;
    lastLines.set(message, now);
    logger.warn({ skew_seconds: Math.round(furthest.ageMs / 1_000) }, message);
  }

  return {
    onAge: (ageMs) => {
      const now = performance.now();
      if (Math.abs(ageMs) >= Math.abs(furthest.ageMs) || now - furthest.at >= WINDOW_MS) furthest = { ageMs, at: now };
      if (Math.abs(ageMs) > NOTABLE_MS) warn('the clocks of two machines differ');
    },
    onRefusal: (reason) => {
      refused.inc({ reason });
      warn(REFUSED[reason]);
    },
  };
}
