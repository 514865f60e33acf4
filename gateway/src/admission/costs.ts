import type { IncomingMessage } from 'node:http';
import { clientKey, routeName, type Exchange } from '../exchange/exchange.ts';
import type { RateLimits } from './admission.ts';

/*
 * Large answers have a budget of processor time. The time is estimated from the number of bytes, because the measured
 * time would depend on the other requests of the process.
 */

/** Answers up to this size, which nearly all are, cost nothing. */
const FREE_BYTES = 64 * 1024;
/** Bytes that a service reads, converts and sends in a millisecond of processor time. */
const BYTES_PER_MS = 16 * 1024;
/** The same for a streamed answer, which is simpler. */
const STREAMED_BYTES_PER_MS = 64 * 1024;

/** The routes on which a client has spent its budget in the current window. */
interface Spending {
  routes: Set<string>;
  isExhausted: boolean;
  windowEndsAt: number;
}

const routeKey = (exchange: Exchange) => `${exchange.method} ${routeName(exchange)}`;

/** The cost of an answer in milliseconds. */
function costOf(bytes: number, isStreamed: boolean): number {
  return Math.ceil(Math.max(0, bytes - FREE_BYTES) / (isStreamed ? STREAMED_BYTES_PER_MS : BYTES_PER_MS));
}

/** The budgets of processor time by client: a person, or the address of an anonymous client. */
export function createCosts({ spend }: Pick<RateLimits, 'spend'>) {
  const clients = new Map<string, Spending>();

  async function charge(exchange: Exchange, cost: number): Promise<void> {
    if (cost === 0) return;
    const key = clientKey(exchange);
    const { exceeded, resetMs } = await spend(key, cost);
    const now = performance.now();
    for (const [other, { windowEndsAt }] of clients) if (windowEndsAt <= now) clients.delete(other);
    const { routes } = clients.get(key) ?? { routes: new Set<string>() };
    clients.set(key, { routes: routes.add(routeKey(exchange)), isExhausted: exceeded, windowEndsAt: now + resetMs });
  }

  return {
    /** Milliseconds until the client may repeat this request; 0 unless the budget was exceeded on this route. */
    waitOf: (exchange: Exchange): number => {
      if (clients.size === 0) return 0;
      const spending = clients.get(clientKey(exchange));
      if (!spending?.isExhausted || !spending.routes.has(routeKey(exchange))) return 0;
      return Math.max(0, spending.windowEndsAt - performance.now());
    },
    /** Charges the client for a service's answer. */
    charge: (answer: IncomingMessage, exchange: Exchange): void => {
      // Files are only copied from disk; other limits apply to them.
      if (exchange.route?.download) return;
      const length = answer.headers['content-length'];
      if (length !== undefined) {
        void charge(exchange, costOf(Number(length), false));
        return;
      }
      let bytes = 0;
      answer.on('data', (piece: Buffer) => (bytes += piece.length));
      answer.once('close', () => void charge(exchange, costOf(bytes, true)));
    },
  };
}

export type Costs = ReturnType<typeof createCosts>;
