import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends a stream as the body. Afterwards it is closed, also when the client leaves or has left, which is no failure;
 * throws what the stream fails with.
 */
export async function pour(body: Readable, res: Response): Promise<void> {
  try {
    if (!res.destroyed) await pipeline(body, res);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    body.destroy();
  }
}
