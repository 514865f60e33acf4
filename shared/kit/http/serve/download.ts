import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { texts } from '../../language/texts.ts';
import { pipeline } from 'node:stream/promises';

/**
 * Pipes a stream into the response and closes it. A client that disconnects is no error. Throws the errors of the
 * stream.
 */
export async function pipeToResponse(body: Readable, res: Response): Promise<void> {
  try {
    if (!res.destroyed) await pipeline(body, res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    body.destroy();
  }
}

export const OCTETS = 'application/octet-stream';

/** First and last byte, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

interface StoredFile {
  contentType: string;
  size: number;
  /** The ETag: unique for these bytes. */
  tag: string;
  name: string;
  /** The browser saves the file instead of showing it. */
  isAttachment: boolean;
  /** Undefined when the file is gone. */
  open: (range?: ByteRange) => Promise<Readable | undefined>;
}

/** A stored file as the answer of a route with `download`, with support for conditional requests and ranges. */
export class Download {
  readonly file: StoredFile;
  constructor(file: StoredFile) {
    this.file = file;
  }
}

/** The response schema of a route that returns a Download. */
export const downloadSchema = z.instanceof(Download).meta({ override: { type: 'string', format: 'binary' } });

const ONE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * The requested range. Undefined (the whole file) for several ranges, an invalid one, or when If-Range does not match.
 * (`req.range` is not used: it refuses `9-3`, which is invalid, and a suffix longer than the file, which is all of it.)
 */
function rangeOf(req: Request, { size }: StoredFile, tag: string): ByteRange | 'outside' | undefined {
  const condition = req.header('if-range');
  if (condition !== undefined && condition !== tag) return undefined;
  const [, first = '', last = ''] = ONE_RANGE.exec(req.header('range') ?? '') ?? [];
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);
  const [start, end] = [Number(first), last === '' ? Infinity : Number(last)];
  if (end < start) return undefined;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'outside';
}

/** The last `length` bytes of a file, at most all of them. */
function suffix(length: number, size: number): ByteRange | 'outside' | undefined {
  if (length === 0) return 'outside';
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size - 1 };
}

/**
 * Whether `If-None-Match` contains this ETag, so that the client has these bytes. (`req.fresh` is not used: it is false
 * for `Cache-Control: no-cache`.)
 */
export function matchesEtag(tag: string, ifNoneMatch = ''): boolean {
  return ifNoneMatch.split(',').some((entry) => entry.trim() === '*' || entry.trim().replace(/^W\//, '') === tag);
}

/** The encoding of RFC 8187, which escapes some characters that encodeURIComponent does not. */
const encoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * A browser shows an image, sound or film in a page of this origin that loads the file again. In a sandbox without
 * `allow-same-origin` the player would be empty. Neither policy allows scripts.
 */
const SHOWN = "sandbox allow-same-origin; default-src 'none'; img-src 'self'; media-src 'self'";
const SAVED = "sandbox; default-src 'none'";

function describe(res: Response, file: StoredFile): void {
  if (file.isAttachment) res.attachment(file.name);
  else res.setHeader('content-disposition', `inline; filename*=UTF-8''${encoded(file.name)}`);
  res.setHeader('content-type', file.contentType);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('content-security-policy', file.isAttachment ? SAVED : SHOWN);
  // The client must revalidate at each use, because the link may have expired.
  res.setHeader('cache-control', 'private, no-cache');
  res.setHeader('accept-ranges', 'bytes');
}

/** Sends the requested bytes. Throws range_not_satisfiable, and not_found when the file is gone. */
export async function sendDownload(req: Request, res: Response, { file }: Download): Promise<void> {
  const tag = `"${file.tag}"`;
  res.setHeader('etag', tag);
  if (matchesEtag(tag, req.header('if-none-match'))) {
    describe(res, file);
    res.status(304).end();
    return;
  }
  const range = req.method === 'HEAD' ? undefined : rangeOf(req, file, tag);
  if (range === 'outside') {
    res.setHeader('content-range', `bytes */${file.size}`);
    throw new AppError('range_not_satisfiable', texts.upload.outOfRange);
  }
  const bytes = await file.open(range);
  if (!bytes) throw new AppError('not_found', texts.recordNotFound);
  describe(res, file);
  res.setHeader('content-length', range ? range.end - range.start + 1 : file.size);
  if (range) res.status(206).setHeader('content-range', `bytes ${range.start}-${range.end}/${file.size}`);
  if (req.method === 'HEAD') {
    bytes.destroy();
    res.end();
  } else await pipeToResponse(bytes, res);
}
