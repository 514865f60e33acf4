import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '@tutoring/shared/process/client-network';
import { createShares, type Shares } from '@tutoring/shared/shares';
import { exchangeOf, personOf } from '../exchange/exchange.ts';
import { bodySize } from './request-body.ts';

/* What clients may have under way at a time, so that none keeps the others out. */

/** Requests to one service whose bodies still arrive: the service takes 4,096 connections, from several gateways. */
const BODIES = 1_024;
const BODIES_PER_PERSON = 128;
/** Bytes of answers that their clients have yet to read: a service, or the gateway, has them in its memory. */
const UNREAD_BYTES = 96 * 1024 * 1024;
const UNREAD_PER_PERSON = 12 * 1024 * 1024;
/** An answer of so many bytes leaves at once. */
const SMALL_BYTES = 16 * 1024;
/** In memory of an answer that is made, or read from a disk, while its client reads. */
const STREAMED_BYTES = 64 * 1024;

/** Counts `amount` until the answer has ended; false when its client, or its network, has too much already. */
function hold(shares: Shares, res: ServerResponse, amount: number): boolean {
  // Its end has been told already.
  if (res.destroyed) return false;
  const exchange = exchangeOf(res);
  const giveBack = shares.take(amount, { network: networkOf(exchange.address), person: personOf(exchange) });
  if (giveBack) res.once('close', giveBack);
  return giveBack !== undefined;
}

/** The bytes of a gateway's answers that have yet to be read. */
export function createUnread() {
  const shares = createShares(UNREAD_BYTES, UNREAD_PER_PERSON);

  return {
    isPressed: shares.isScarce,
    /** An answer that is read from a disk, or shared by its readers. */
    takeStreamed: (res: ServerResponse): boolean => hold(shares, res, STREAMED_BYTES),
    /** The answer of a service. */
    takeAnswer: (answer: IncomingMessage, res: ServerResponse): boolean => {
      const length = Number(answer.headers['content-length'] ?? Infinity);
      if (length <= SMALL_BYTES) return true;
      const isStreamed = length === Infinity || exchangeOf(res).place?.download === true;
      return hold(shares, res, isStreamed ? STREAMED_BYTES : length);
    },
  };
}

export type Unread = ReturnType<typeof createUnread>;

/** The requests to one service whose bodies still arrive. */
export function createBodies() {
  const shares = createShares(BODIES, BODIES_PER_PERSON);
  return {
    /** Counts a request whose body is not here yet, until it is answered; false when its client has too many. */
    take: (req: IncomingMessage, res: ServerResponse): boolean =>
      req.complete || bodySize(req) === 0 || hold(shares, res, 1),
  };
}
