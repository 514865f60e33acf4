import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Exit } from './guard.ts';

const EVERY_MS = 5_000;

/** The health report of NATS; empty when it does not answer. */
async function healthOf(monitor: string): Promise<string> {
  try {
    const request = get(`${monitor}/healthz`, { agent: new Agent(), signal: AbortSignal.timeout(EVERY_MS) });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await text(response);
  } catch {
    return '';
  }
}

/**
 * Stops NATS when it reports that it cannot write: after a full disk it recovers only by a restart. The liveness probes
 * in deploy/kubernetes do the same.
 */
export function stopWhenItCannotWrite(monitor: string, exited: Promise<Exit>, stop: () => Promise<void>): void {
  const poll = async () => {
    if (/write error|not enabled/.test(await healthOf(monitor))) await stop();
  };
  const timer = setInterval(() => void poll(), EVERY_MS).unref();
  void exited.then(() => clearInterval(timer));
}
