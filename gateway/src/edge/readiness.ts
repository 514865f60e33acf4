import type { Deps } from '../config.ts';
import { READINESS_MS } from '../deadlines.ts';

/** Polls the services until each has been ready once; from then on this gateway is ready, even when a service fails. */
export function watchReadiness({ services, timings, logger }: Deps) {
  const waitingFor = new Map(Object.entries(services));
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function ask(name: string, url: string): Promise<void> {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READINESS_MS) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) waitingFor.delete(name);
  }

  async function round(): Promise<void> {
    await Promise.all([...waitingFor].map(([name, url]) => ask(name, url)));
    if (stopped) return;
    if (waitingFor.size > 0) timer = setTimeout(() => void round(), timings.readinessPoll);
    else logger.info('every service has been ready');
  }
  void round();

  return {
    isReady: () => waitingFor.size === 0 && !stopped,
    /** Turns readiness off. */
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
