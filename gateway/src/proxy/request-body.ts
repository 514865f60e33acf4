import type { IncomingMessage, ServerResponse } from 'node:http';
import { BODY_DRAIN_MS, type Timings } from '../deadlines.ts';
import type { Problem } from '../exchange/envelope.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { beginRefusal, refuse } from '../exchange/respond.ts';
import { texts } from '../texts.ts';

export const BODY_LIMIT = 1024 * 1024;
/** How much more of a refused body is read, so that the client gets to see the answer. */
const DRAIN_BYTES = 8 * 1024 * 1024;

/** Bytes that the client has announced, or that it will not say. */
export type BodySize = number | 'chunked';

export function bodySize(req: IncomingMessage): BodySize {
  if (req.headers['transfer-encoding'] !== undefined) return 'chunked';
  return Number(req.headers['content-length'] ?? 0);
}

const bodyLimit = ({ uploadBytes }: Exchange) => uploadBytes ?? BODY_LIMIT;

/** Ends a request whose body comes too slowly: answered with a 408 unless there is an answer already. */
export function limitTime(req: IncomingMessage, res: ServerResponse, exchange: Exchange, timings: Timings): void {
  if (bodySize(req) === 0) return;
  const giveUp = () => {
    stop();
    if (res.headersSent) req.socket.destroy();
    else
      refuse(res, exchange, 408, { code: 'timeout', message: texts[exchange.language].requestTimeout }, [
        'Connection',
        'close',
      ]);
  };
  let received = req.socket.bytesRead;
  /** Not by listening to the body, which would make it flow. */
  const watch = () => {
    if (req.socket.bytesRead === received) giveUp();
    received = req.socket.bytesRead;
  };
  const isUpload = exchange.uploadBytes !== undefined;
  const watching = isUpload ? setInterval(watch, timings.uploadPause) : undefined;
  const whole = setTimeout(giveUp, isUpload ? timings.wholeUpload : timings.wholeRequest);
  const stop = () => {
    clearInterval(watching);
    clearTimeout(whole);
  };
  // Not with the answer: what has been refused may still be on its way.
  req.once('end', stop).once('close', stop);
}

/** Refuses what is too large by its own account or packed in a way that no service unpacks; false when it has. */
export function acceptBody(req: IncomingMessage, res: ServerResponse, exchange: Exchange): boolean {
  const encoding = req.headers['content-encoding'];
  const transfer = req.headers['transfer-encoding'];
  if ((encoding !== undefined && encoding !== 'identity') || (transfer !== undefined && !/^chunked$/i.test(transfer))) {
    refuse(res, exchange, 415, {
      code: 'unsupported_media_type',
      message: texts[exchange.language].unsupportedEncoding,
    });
    return false;
  }
  const size = bodySize(req);
  if (size === 'chunked' || size <= bodyLimit(exchange)) return true;
  refuseTooLarge(req, res, exchange);
  return false;
}

/**
 * Calls `onTooLarge` when more than the limit arrives. Only chunked bodies need counting: of others Node reads as much
 * as was announced. To be called in the tick in which the body starts to flow.
 */
export function countBody(req: IncomingMessage, exchange: Exchange, onTooLarge: () => void): void {
  if (bodySize(req) !== 'chunked') return;
  let received = 0;
  const count = (piece: Buffer) => {
    received += piece.length;
    if (received <= bodyLimit(exchange)) return;
    req.off('data', count);
    onTooLarge();
  };
  req.on('data', count);
}

export const refuseTooLarge = (req: IncomingMessage, res: ServerResponse, exchange: Exchange) =>
  refuseUnread(req, res, exchange, 413, { code: 'too_large', message: texts[exchange.language].tooLarge });

/**
 * Refuses at once what is still being sent, but ends the answer (and the connection) only when the client has stopped
 * sending, or soon: closing on a client that still sends makes its system throw the answer away.
 */
export function refuseUnread(
  req: IncomingMessage,
  res: ServerResponse,
  exchange: Exchange,
  status: number,
  problem: Problem,
  more: string[] = [],
): void {
  const body = beginRefusal(res, exchange, status, problem, ['Connection', 'close', ...more]);
  if (!body) return;
  res.write(body);
  let drained = 0;
  const end = () => void res.end();
  const timer = setTimeout(end, BODY_DRAIN_MS);
  res.once('close', () => clearTimeout(timer));
  req.unpipe();
  req.on('data', (piece: Buffer) => {
    drained += piece.length;
    if (drained > DRAIN_BYTES) end();
  });
  req.once('end', end);
  req.resume();
}
