import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '@tutoring/shared/kit/process/client-network';
import { createShares, type Shares } from '@tutoring/shared/kit/shares';
import { clientKey, exchangeOf, personOf, type Exchange } from '../exchange/exchange.ts';
import { bodySize } from './request-body.ts';

/* Limits on the requests and answers in progress of each client, so that no client can exclude the others. */

/** Requests to a service with incomplete bodies. The service accepts 4,096 connections, from several gateways. */
const BODIES = 1_024;
const BODIES_PER_PERSON = 128;
/** Bytes of answers that clients have not read yet: they are in the memory of a service or of the gateway. */
const UNREAD_BYTES = 96 * 1024 * 1024;
const UNREAD_PER_PERSON = 12 * 1024 * 1024;
/** Answers up to this size are sent at once and not counted. */
const SMALL_BYTES = 16 * 1024;
/** Memory for an answer that is generated, or read from disk, at the pace of its client. */
const STREAMED_BYTES = 64 * 1024;

/** Counts `amount` until the answer has ended; false when its person or network already has too much. */
function hold(shares: Shares, res: ServerResponse, amount: number): boolean {
  // `close` has already been emitted.
  if (res.destroyed) return false;
  const exchange = exchangeOf(res);
  const release = shares.take(amount, { network: networkOf(exchange.address), person: personOf(exchange) });
  if (release) res.once('close', release);
  return release !== undefined;
}

/** Counts the bytes of the gateway's unread answers. */
export function createUnread() {
  const shares = createShares(UNREAD_BYTES, UNREAD_PER_PERSON);

  return {
    isPressed: shares.isScarce,
    /** Counts an answer that is read from disk, or from a buffer shared by all its readers. */
    takeStreamed: (res: ServerResponse): boolean => hold(shares, res, STREAMED_BYTES),
    /** Counts the answer of a service. */
    takeAnswer: (answer: IncomingMessage, res: ServerResponse): boolean => {
      const length = Number(answer.headers['content-length'] ?? Infinity);
      if (length <= SMALL_BYTES) return true;
      const isStreamed = length === Infinity || exchangeOf(res).route?.download === true;
      return hold(shares, res, isStreamed ? STREAMED_BYTES : length);
    },
  };
}

export type Unread = ReturnType<typeof createUnread>;

/** Counts the requests to a service with incomplete bodies. */
export function createBodies() {
  const shares = createShares(BODIES, BODIES_PER_PERSON);
  return {
    /** Counts a request with an incomplete body until it is answered; false when its client has too many. */
    take: (req: IncomingMessage, res: ServerResponse): boolean =>
      req.complete || bodySize(req) === 0 || hold(shares, res, 1),
  };
}

/** Reads of one client that a service computes at the same time. */
const READS_PER_CLIENT = 4;

/** The reads of each client at a service. Each may be expensive, so a client's further reads wait in their order. */
export function createReads() {
  const clients = new Map<string, { running: number; waiting: (() => void)[] }>();

  function end(key: string, client: { running: number; waiting: (() => void)[] }): void {
    const next = client.waiting.shift();
    if (next) next();
    else if (--client.running === 0) clients.delete(key);
  }

  return {
    /** Runs `work`; if it is a read, only when the client has fewer than four others in progress. */
    run: async (exchange: Exchange, work: () => Promise<void>): Promise<void> => {
      if (exchange.method !== 'GET') return work();
      const key = clientKey(exchange);
      const client = clients.get(key) ?? { running: 0, waiting: [] };
      clients.set(key, client);
      if (client.running < READS_PER_CLIENT) client.running += 1;
      else await new Promise<void>((resolve) => client.waiting.push(resolve));
      await work().finally(() => end(key, client));
    },
  };
}
