import { IMAGE_MS, IMAGE_QUEUE_MS } from '../process/deadlines.ts';
import { AppError } from '../errors.ts';
import { texts } from '../language/texts.ts';
import { renderApart } from './image-process.ts';
import type { ImageJob, Picture } from './image-worker.ts';
import { createTurns } from '../turns.ts';

const inTurn = createTurns({
  // One slow image keeps nobody waiting, and two fit into the memory of a container.
  atOnce: 2,
  waitMs: IMAGE_QUEUE_MS,
  refusal: () => new AppError('unavailable', texts.busy, { retryAfter: 5 }),
});

const notRendered = (cause: unknown) => {
  throw new AppError('unavailable', texts.upload.notStored, { cause });
};

/**
 * Writes an image of this account anew, turned upright and without metadata. Undefined when the bytes are no image, or
 * one that is broken, too large or too slow. Throws unavailable, also when too many images of others wait already.
 */
export const makeImage = (account: string, job: ImageJob): Promise<Picture | undefined> =>
  inTurn(account, () => renderApart(job, IMAGE_MS).catch(notRendered));
