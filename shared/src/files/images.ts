import type { Sharp } from 'sharp';
import { IMAGE_QUEUE_MS, IMAGE_SECONDS } from '../deadlines.ts';
import { AppError } from '../errors.ts';
import { texts } from '../texts.ts';

/** More pixels than phone cameras make; an image whose header says more is refused before it is decoded. */
export const MAX_PIXELS = 64_000_000;
/** What turning an image upright may take: it is decoded as a whole for that. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024;
/** A decoded image takes a hundred times its bytes of memory. */
const AT_ONCE = 1;
/** Of one sample, by sharp's name for its depth; what is not listed takes eight. */
const SAMPLE_BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };

/** The format in which an image of this type is stored: its own, where browsers show it and it is quick to make. */
const FORMATS: Record<string, { contentType: string; as: (image: Sharp) => Sharp; animated?: boolean }> = {
  'image/jpeg': { contentType: 'image/jpeg', as: (image) => image.jpeg({ quality: 88 }) },
  'image/png': { contentType: 'image/png', as: (image) => image.png() },
  'image/apng': { contentType: 'image/png', as: (image) => image.png() },
  'image/webp': { contentType: 'image/webp', as: (image) => image.webp({ quality: 88 }), animated: true },
  'image/gif': { contentType: 'image/gif', as: (image) => image.gif({ effort: 1 }), animated: true },
};
const OTHER = { contentType: 'image/jpeg', as: (image: Sharp) => image.flatten(WHITE).jpeg({ quality: 88 }) };
const WHITE = { background: '#fff' };

const DISK = /no space left|quota exceeded|input\/output error/i;

export interface Picture {
  contentType: string;
  width: number;
  height: number;
}

async function open(from: string, options: { animated?: boolean } = {}): Promise<Sharp> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const image = sharp(from, { limitInputPixels: MAX_PIXELS, failOn: 'error', ...options }).timeout({
    seconds: IMAGE_SECONDS,
  });
  // The header alone. All pages of an animation stand below each other in `height`.
  const { width, height, channels, depth } = await image.metadata();
  const bytes = width * height * channels * (SAMPLE_BYTES[depth] ?? 8);
  if (!(bytes <= MAX_DECODED_BYTES)) throw new Error('the decoded image is too large');
  return image;
}

let running = 0;
const waiting = new Set<() => void>();

/** Throws unavailable when too many images wait already. */
async function takeTurn(): Promise<void> {
  if (running < AT_ONCE) {
    running += 1;
    return;
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => {
    waiting.delete(begin);
    reject(new AppError('unavailable', texts.busy, { retryAfter: 5 }));
  };
  const timer = setTimeout(giveUp, IMAGE_QUEUE_MS);
  const begin = () => {
    clearTimeout(timer);
    resolve();
  };
  waiting.add(begin);
  await promise;
}

function endTurn(): void {
  const [next] = waiting;
  if (!next) running -= 1;
  else {
    waiting.delete(next);
    next();
  }
}

/** Undefined when the bytes are no image, too large a one, or a broken one. Throws unavailable. */
async function inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
  await takeTurn();
  try {
    return await work();
  } catch (error) {
    if (!DISK.test((error as Error).message)) return undefined;
    throw new AppError('unavailable', texts.upload.notStored, { cause: error });
  } finally {
    endTurn();
  }
}

/*
 * Both write the image at `from` anew to `to`: turned upright and without metadata, because sharp drops what it is not
 * told to keep. Colours become sRGB. Undefined when it cannot be read.
 */

/** A square JPEG of `side` pixels, cut from the middle. */
export const makePortrait = (from: string, to: string, side: number): Promise<Picture | undefined> =>
  inTurn(async () => {
    const image = await open(from);
    const square = image.autoOrient().resize(side, side, { fit: 'cover' }).flatten(WHITE).jpeg({ quality: 85 });
    await square.toFile(to);
    return { contentType: 'image/jpeg', width: side, height: side };
  });

/** The whole image, in its own format where that is one of the usual ones. */
export const makeUpright = (from: string, to: string, contentType: string): Promise<Picture | undefined> =>
  inTurn(async () => {
    const format = FORMATS[contentType] ?? OTHER;
    const image = await open(from, { animated: 'animated' in format });
    const { width, height, pageHeight } = await format.as(image.autoOrient()).toFile(to);
    return { contentType: format.contentType, width, height: pageHeight ?? height };
  });
