import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from '@tutoring/shared/process/client-network';
import { createShares, type Holder } from '@tutoring/shared/shares';
import { exchangeOf, personOf, type Exchange } from '../exchange/exchange.ts';
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
const STREAMED_BYTES = 128 * 1024;
/** Reads of one client that the service works on; further ones wait, so many at most. */
const READS = 8;
const READS_WAITING = 2_048;

const holderOf = (exchange: Exchange): Holder => ({
  network: networkOf(exchange.address),
  person: personOf(exchange),
});

/** The unread answers of a gateway. */
export function createUnread() {
  const shares = createShares(UNREAD_BYTES, UNREAD_PER_PERSON);

  /** Counts bytes of an answer until it has been read; false when its client has too many already. */
  function take(res: ServerResponse, bytes: number): boolean {
    const giveBack = shares.take(bytes, holderOf(exchangeOf(res)));
    if (giveBack) res.once('close', giveBack);
    return giveBack !== undefined;
  }

  return {
    isPressed: shares.isScarce,
    /** An answer that is read from a disk, or shared by its readers. */
    takeStreamed: (res: ServerResponse): boolean => take(res, STREAMED_BYTES),
    /** The answer of a service. */
    takeAnswer: (answer: IncomingMessage, res: ServerResponse): boolean => {
      const length = Number(answer.headers['content-length'] ?? Infinity);
      if (length <= SMALL_BYTES) return true;
      const isStreamed = length === Infinity || exchangeOf(res).place?.download === true;
      return take(res, isStreamed ? STREAMED_BYTES : length);
    },
  };
}

export type Unread = ReturnType<typeof createUnread>;

/** Of one key at most READS are under way; the others wait in their order. */
function createReads(waitMs: number) {
  const lanes = new Map<string, { running: number; waiting: Set<(isTurn: boolean) => void> }>();

  function wait(waiting: Set<(isTurn: boolean) => void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (isTurn: boolean) => {
      clearTimeout(timer);
      waiting.delete(end);
      resolve(isTurn);
    };
    const timer = setTimeout(() => end(false), waitMs);
    waiting.add(end);
    return promise;
  }

  return {
    /** True, now or later, when it may begin; `leave` is called at its end. False when it would wait too long. */
    enter: (key: string): boolean | Promise<boolean> => {
      const lane = lanes.get(key);
      if (!lane) lanes.set(key, { running: 1, waiting: new Set() });
      else if (lane.running < READS) lane.running += 1;
      else return lane.waiting.size < READS_WAITING && wait(lane.waiting);
      return true;
    },
    leave: (key: string): void => {
      const lane = lanes.get(key);
      if (!lane) return;
      const [next] = lane.waiting;
      // Its place goes to the next one.
      if (next) next(true);
      else if ((lane.running -= 1) === 0) lanes.delete(key);
    },
  };
}

/** What clients keep one service busy with. */
export function createLoad(waitMs: number) {
  const bodies = createShares(BODIES, BODIES_PER_PERSON);
  return {
    reads: createReads(waitMs),
    /** Counts a request whose body is not here yet, until it is answered; false when its client has too many. */
    takeBody: (req: IncomingMessage, res: ServerResponse): boolean => {
      if (req.complete || bodySize(req) === 0) return true;
      const giveBack = bodies.take(1, holderOf(exchangeOf(res)));
      if (giveBack) res.once('close', giveBack);
      return giveBack !== undefined;
    },
  };
}
