import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Exit } from './guard.ts';

const EVERY_MS = 5_000;

/** What NATS says of its health; nothing when it does not answer. */
async function healthOf(monitor: string): Promise<string> {
  try {
    const asked = get(`${monitor}/healthz`, { agent: new Agent(), signal: AbortSignal.timeout(EVERY_MS) });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return await text(answer);
  } catch {
    return '';
  }
}

/**
 * After a full disk NATS never writes a stream again, or none at all, until it is started anew: so it is stopped, as the
 * probes do it in deploy/kubernetes.
 */
export function stopWhenItCannotWrite(monitor: string, exited: Promise<Exit>, stop: () => Promise<void>): void {
  const look = async () => {
    if (/write error|not enabled/.test(await healthOf(monitor))) await stop();
  };
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  void exited.then(() => clearInterval(timer));
}
