import type { IncomingMessage, ServerResponse } from 'node:http';
import { LEAST_BYTES_PER_SECOND, type Timings } from '../deadlines.ts';
import { exchangeOf } from '../exchange/exchange.ts';
import { LAST_OF_CONNECTION, refuseOwn, refuseTooLarge } from '../exchange/respond.ts';

const BODY_LIMIT = 1024 * 1024;

/** The announced length in bytes; `chunked` when it is unknown. */
export function bodySize(req: IncomingMessage): number | 'chunked' {
  if (req.headers['transfer-encoding'] !== undefined) return 'chunked';
  return Number(req.headers['content-length'] ?? 0);
}

const bodyLimit = (res: ServerResponse) => exchangeOf(res).uploadBytes ?? BODY_LIMIT;

/**
 * Ends a request whose body comes too slowly: with a 408 unless there is an answer already. `isUpload`: it holds a file,
 * and has more time as long as it goes on.
 */
export function limitTime(req: IncomingMessage, res: ServerResponse, isUpload: boolean, timings: Timings): void {
  if (bodySize(req) === 0) return;
  const giveUp = () => {
    stop();
    if (res.headersSent) req.socket.destroy();
    else refuseOwn(res, 'requestTimeout', LAST_OF_CONNECTION);
  };
  const least = (LEAST_BYTES_PER_SECOND * timings.uploadPause) / 1_000;
  let received = req.socket.bytesRead;
  /** Not by a `data` listener, which would make the body flow. */
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
  // Nobody waits for the rest of a refused file.
  const onAnswered = () => {
    clearTimeout(whole);
    whole = setTimeout(giveUp, timings.wholeRequest);
  };
  if (isUpload) res.once('finish', onAnswered);
  // Not when the answer ends: a refused body may still be arriving.
  req.once('end', stop).once('close', stop);
}

/** Whether services can read it: nothing is packed. */
const isPlainEncoding = (encoding: string | undefined) =>
  encoding === undefined || encoding.split(',').every((one) => /^(?:identity)?$/i.test(one.trim()));

/** Refuses a body whose announced length is too large, or whose encoding no service decodes; returns false then. */
export function acceptBody(req: IncomingMessage, res: ServerResponse): boolean {
  const encoding = req.headers['content-encoding'];
  const transfer = req.headers['transfer-encoding'];
  if (!isPlainEncoding(encoding) || (transfer !== undefined && !/^chunked$/i.test(transfer))) {
    refuseOwn(res, 'unsupportedEncoding');
    return false;
  }
  const size = bodySize(req);
  if (size === 'chunked' || size <= bodyLimit(res)) return true;
  refuseTooLarge(res);
  return false;
}

/**
 * Calls `onTooLarge` when more than the limit arrives. Only chunked bodies need counting: of others Node reads only the
 * announced length. Call it in the tick in which the body starts to flow.
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
