import type { IncomingMessage } from 'node:http';
import { clientKey, placeName, type Exchange } from '../exchange/exchange.ts';
import type { RateLimits } from './admission.ts';

/*
 * Large answers draw on a budget of time: what they take of a processor grows with their bytes, and unlike the time that
 * passes it does not depend on what others do meanwhile.
 */

/** An answer of so many bytes costs nothing: that is nearly every one. */
const FREE_BYTES = 64 * 1024;
/** Bytes that take a millisecond of processor time to read, shape and send; of a streamed answer, which is plainer. */
const BYTES_PER_MS = 16 * 1024;
const STREAMED_BYTES_PER_MS = 64 * 1024;

/** What a client has spent, on what, and when its window ends. */
interface Spent {
  places: Set<string>;
  isOver: boolean;
  until: number;
}

const placeOf = (exchange: Exchange) => `${exchange.method} ${placeName(exchange)}`;

/** The cost of an answer in milliseconds. */
export function costOf(bytes: number, isStreamed: boolean): number {
  return Math.ceil(Math.max(0, bytes - FREE_BYTES) / (isStreamed ? STREAMED_BYTES_PER_MS : BYTES_PER_MS));
}

/** The budgets of time by client: a person, or the address of a stranger. */
export function createCosts({ spend }: Pick<RateLimits, 'spend'>) {
  const clients = new Map<string, Spent>();

  async function charge(exchange: Exchange, cost: number): Promise<void> {
    if (cost === 0) return;
    const key = clientKey(exchange);
    const { exceeded, resetMs } = await spend(key, cost);
    const now = performance.now();
    for (const [other, { until }] of clients) if (until <= now) clients.delete(other);
    const { places } = clients.get(key) ?? { places: new Set<string>() };
    clients.set(key, { places: places.add(placeOf(exchange)), isOver: exceeded, until: now + resetMs });
  }

  return {
    /** Milliseconds until a client that has spent its budget may ask for this again; 0 when it may now. */
    waitOf: (exchange: Exchange): number => {
      if (clients.size === 0) return 0;
      const spent = clients.get(clientKey(exchange));
      if (!spent?.isOver || !spent.places.has(placeOf(exchange))) return 0;
      return Math.max(0, spent.until - performance.now());
    },
    /** Charges an answer that is passed on to its client. */
    charge: (answer: IncomingMessage, exchange: Exchange): void => {
      // Files are copied from a disk, and have rules of their own.
      if (exchange.place?.download) return;
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
