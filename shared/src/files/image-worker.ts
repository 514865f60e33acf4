import type { Sharp } from 'sharp';

/*
 * Renders one image in a process of its own, which `images.ts` starts and kills. The image comes from a stranger,
 * and libvips neither stops when it is told to nor says beforehand what memory it takes.
 */

/** An image to be written anew: a square JPEG of `side` pixels cut from its middle, or the whole in a format of its own. */
export type ImageJob = { from: string; to: string } & ({ side: number } | { contentType: string });

export interface Picture {
  contentType: string;
  width: number;
  height: number;
}

/** No picture: the bytes are no image, too large a one, or a broken one. `failed`: what the machine lacks. */
export type ImageOutcome = { picture?: Picture } | { failed: string };

/** More pixels than phone cameras make; an image whose header says more is refused before it is decoded. */
const MAX_PIXELS = 64_000_000;
/** What turning an image upright may take: it is decoded as a whole for that. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024;
/** Of this process. 64 million pixels of JPEG take 470 MiB, of an interlaced PNG 550, of AVIF 1,200. */
const MAX_RSS_BYTES = 640 * 1024 * 1024;
/** An image takes memory at some 2 GB a second. */
const WATCH_MS = 20;
/** Of one sample, by sharp's name for its depth; what is not listed takes eight. */
const SAMPLE_BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };

/** libvips looks at the bytes itself and has loaders for much more, SVG among them. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`);

const WHITE = { background: '#fff' };
/** Optimal codes would cost half of the time and, for a large image, 200 MiB: all coefficients are kept for them. */
const JPEG = { quality: 88, optimiseCoding: false };

/** The format in which an image of this type is stored: its own, where browsers show it and it is quick to make. */
const FORMATS: Record<string, { contentType: string; as: (image: Sharp) => Sharp; animated?: boolean }> = {
  'image/jpeg': { contentType: 'image/jpeg', as: (image) => image.jpeg(JPEG) },
  'image/png': { contentType: 'image/png', as: (image) => image.png() },
  'image/apng': { contentType: 'image/png', as: (image) => image.png() },
  'image/webp': { contentType: 'image/webp', as: (image) => image.webp({ quality: 88, effort: 1 }), animated: true },
  'image/gif': { contentType: 'image/gif', as: (image) => image.gif({ effort: 1 }), animated: true },
};
const OTHER = { contentType: 'image/jpeg', as: (image: Sharp) => image.flatten(WHITE).jpeg(JPEG) };

const DISK = /no space left|quota exceeded|input\/output error/i;

async function open(from: string, options: { animated?: boolean } = {}): Promise<Sharp> {
  const image = sharp(from, { limitInputPixels: MAX_PIXELS, failOn: 'error', ...options });
  // The header alone. All pages of an animation stand below each other in `height`.
  const { width, height, channels, depth } = await image.metadata();
  const bytes = width * height * channels * (SAMPLE_BYTES[depth] ?? 8);
  if (!(bytes <= MAX_DECODED_BYTES)) throw new Error('the decoded image is too large');
  return image.autoOrient();
}

/** Without metadata, because sharp drops what it is not told to keep. Colours become sRGB. */
async function render(job: ImageJob): Promise<Picture> {
  if ('side' in job) {
    const { side } = job;
    const square = (await open(job.from)).resize(side, side, { fit: 'cover' }).flatten(WHITE).jpeg({ quality: 85 });
    await square.toFile(job.to);
    return { contentType: 'image/jpeg', width: side, height: side };
  }
  const format = FORMATS[job.contentType] ?? OTHER;
  const image = await open(job.from, { animated: 'animated' in format });
  const { width, height, pageHeight } = await format.as(image).toFile(job.to);
  return { contentType: format.contentType, width, height: pageHeight ?? height };
}

/** `process.exit` would wait for the threads of libvips. */
const die = () => process.kill(process.pid, 'SIGKILL');

process.once('disconnect', die);
if (!process.connected) die();
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_RSS_BYTES) die();
}, WATCH_MS);

const { default: sharp } = await import('sharp');
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: LOADERS });

const outcome = await render(JSON.parse(process.argv[2]!) as ImageJob).then(
  (picture): ImageOutcome => ({ picture }),
  ({ message }: Error): ImageOutcome => (DISK.test(message) ? { failed: message } : {}),
);
process.send?.(outcome);
