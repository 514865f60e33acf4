import type { Parts } from '../parts.ts';
import { READINESS_MS } from '../deadlines.ts';

/** Polls the services until each has been ready once; from then on this gateway is ready, even when a service fails. */
export function watchReadiness({ services, timings, logger }: Parts) {
  const waitingFor = new Map(Object.entries(services));
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function poll(name: string, url: string): Promise<void> {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READINESS_MS) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) waitingFor.delete(name);
  }

  async function pollAll(): Promise<void> {
    await Promise.all([...waitingFor].map(([name, url]) => poll(name, url)));
    if (isStopped) return;
    if (waitingFor.size > 0) timer = setTimeout(() => void pollAll(), timings.readinessPoll);
    else logger.info('every service has been ready once: this gateway is ready');
  }
  void pollAll();

  return {
    isReady: () => waitingFor.size === 0 && !isStopped,
    /** Makes this gateway not ready. */
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
