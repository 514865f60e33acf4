import type { IncomingMessage, ServerResponse } from 'node:http';
import { LEAST_BYTES_PER_SECOND, type Timings } from '../deadlines.ts';
import { exchangeOf } from '../exchange/exchange.ts';
import { CLOSE_CONNECTION, refuseOwn, refuseTooLarge } from '../exchange/respond.ts';

const BODY_LIMIT = 1024 * 1024;

/** The announced length in bytes; `chunked` when it is unknown. */
export function bodySize(req: IncomingMessage): number | 'chunked' {
  if (req.headers['transfer-encoding'] !== undefined) return 'chunked';
  return Number(req.headers['content-length'] ?? 0);
}

const bodyLimit = (res: ServerResponse) => exchangeOf(res).uploadBytes ?? BODY_LIMIT;

/**
 * Ends a request whose body arrives too slowly: with a 408 unless the answer has begun. `isUpload`: the body contains a
 * file and has more time, as long as it keeps arriving.
 */
export function limitTime(req: IncomingMessage, res: ServerResponse, isUpload: boolean, timings: Timings): void {
  if (bodySize(req) === 0) return;
  const giveUp = () => {
    stop();
    if (res.headersSent) req.socket.destroy();
    else refuseOwn(res, 'requestTimeout', CLOSE_CONNECTION);
  };
  const least = (LEAST_BYTES_PER_SECOND * timings.uploadPause) / 1_000;
  let received = req.socket.bytesRead;
  /** Counts the socket's bytes: a `data` listener would make the body flow. */
  const watch = () => {
    if (req.socket.bytesRead - received < least) giveUp();
    received = req.socket.bytesRead;
  };
  const watching = isUpload ? setInterval(watch, timings.uploadPause) : undefined;
  let whole = setTimeout(giveUp, isUpload ? timings.wholeUpload : timings.wholeRequest);
  const stop = () => {
    clearInterval(watching);
    clearTimeout(whole);
    res.off('finish', onAnswered);
  };
  // After the answer, the rest of a refused file has less time.
  const onAnswered = () => {
    clearTimeout(whole);
    whole = setTimeout(giveUp, timings.wholeRequest);
  };
  if (isUpload) res.once('finish', onAnswered);
  // Not at the end of the answer: a refused body may still be arriving.
  req.once('end', stop).once('close', stop);
}

/** Whether the body is not compressed: services cannot decompress it. */
const isUncompressed = (encoding: string | undefined) =>
  encoding === undefined || encoding.split(',').every((name) => /^(?:identity)?$/i.test(name.trim()));

/** False after refusing a body whose announced length is too large, or whose encoding services do not support. */
export function acceptBody(req: IncomingMessage, res: ServerResponse): boolean {
  const encoding = req.headers['content-encoding'];
  const transfer = req.headers['transfer-encoding'];
  if (!isUncompressed(encoding) || (transfer !== undefined && !/^chunked$/i.test(transfer))) {
    refuseOwn(res, 'unsupportedEncoding');
    return false;
  }
  const size = bodySize(req);
  if (size === 'chunked' || size <= bodyLimit(res)) return true;
  refuseTooLarge(res);
  return false;
}

/**
 * Calls `onTooLarge` when the body exceeds the limit. Only chunked bodies need counting: Node reads no more than an
 * announced length. Call this in the tick in which the body starts to flow.
 */
export function countBody(req: IncomingMessage, res: ServerResponse, onTooLarge: () => void): void {
  if (bodySize(req) !== 'chunked') return;
  const limit = bodyLimit(res);
  let received = 0;
  const count = (piece: Buffer) => {
    received += piece.length;
    if (received <= limit) return;
    req.off('data', count);
    onTooLarge();
  };
  req.on('data', count);
}
