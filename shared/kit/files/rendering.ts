import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { gifWithoutMetadata, pngWithoutMetadata, webpWithoutMetadata } from './frames.ts';
import { decodeHeic } from './heic.ts';
import type { ImageJob, ImageOutcome, Picture } from './image-job.ts';
import { removeLocations } from './locations.ts';

/* Renders untrusted images with libvips and libheif. Use it only in the child process of an image. */

sharp.cache(false);
sharp.concurrency(1);
/** libvips detects the format by itself: block its other loaders, such as SVG. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** More than any camera has; bounds the rendering time. */
const MAX_PIXELS = 256_000_000;
/** The limit of JPEG. Rows cost time in addition to their pixels. */
const MAX_SIDE = 65_535;
/** An image with more pixels is scaled down to SMALLER_PIXELS, which fill any screen. */
const KEPT_PIXELS = 64_000_000;
const SMALLER_PIXELS = 4_096 * 4_096;
/** Most decoded bytes of a light image, weighted by the overhead of its format. */
const LIGHT_BYTES = 64 * 1024 * 1024;
const OVERHEAD: Record<string, number> = { webp: 4, hevc: 4, av1: 6 };
/** Bytes per sample, by sharp's name of the depth; 8 for others. */
const SAMPLE_BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };
/** Share of the rows that a truncated portrait must have. */
const MIN_ROWS_SHARE = 0.75;

const WHITE = { background: '#fff' };
/** Without optimal Huffman codes, which would double the time and take 200 MiB for a large image. */
const JPEG = { quality: 88, optimiseCoding: false };

interface Format {
  contentType: string;
  as: (image: Sharp) => Sharp;
  /** Most pixels for the encoder, if fewer than KEPT_PIXELS. */
  maxPixels?: number;
  /** Copies an animation of this format without metadata. */
  copyAnimation?: (bytes: Buffer) => Buffer[];
}

const PNG: Format = { contentType: 'image/png', as: (image) => image.png(), copyAnimation: pngWithoutMetadata };

/** Stored format by image type: the same format, if browsers show it and encoding it is fast. */
const FORMATS: Record<string, Format> = {
  'image/jpeg': { contentType: 'image/jpeg', as: (image) => image.jpeg(JPEG) },
  'image/png': PNG,
  'image/apng': PNG,
  'image/webp': {
    contentType: 'image/webp',
    as: (image) => image.webp({ quality: 88, effort: 1 }),
    // The encoder keeps the whole image in memory, at some 12 bytes per pixel.
    maxPixels: SMALLER_PIXELS,
    copyAnimation: webpWithoutMetadata,
  },
  'image/gif': { contentType: 'image/gif', as: (image) => image.gif({ effort: 1 }), copyAnimation: gifWithoutMetadata },
};
const OTHER: Format = { contentType: 'image/jpeg', as: (image) => image.flatten(WHITE).jpeg(JPEG) };
/** Other types that are converted to JPEG. Image sequences have separate types. */
const CONVERTED = ['image/avif', 'image/heic', 'image/heif', 'image/tiff'];

class Heavy extends Error {}
class Unfit extends Error {}

async function inspect(job: ImageJob): Promise<Metadata> {
  const metadata = await sharp(job.from, { limitInputPixels: MAX_PIXELS, failOn: 'none' }).metadata();
  const { width, height, channels, depth, format, compression } = metadata;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) throw new Unfit('too large');
  const bytes = width * height * channels * (SAMPLE_BYTES[depth] ?? 8);
  if (!job.isHeavy && bytes * (OVERHEAD[compression ?? format] ?? 1) > LIGHT_BYTES) throw new Heavy();
  return metadata;
}

/** Opens the image, upright. */
async function open({ from }: ImageJob, metadata: Metadata, failOn: 'none' | 'error'): Promise<Sharp> {
  if (metadata.compression !== 'hevc') return sharp(from, { limitInputPixels: MAX_PIXELS, failOn }).autoOrient();
  const { width, height, stride, data } = await decodeHeic(await readFile(from));
  // A row may end with padding.
  const raw = { width: Math.floor(stride / 3), height, channels: 3 as const };
  const bytes = data.subarray(0, raw.width * 3 * height);
  return stride % 3 === 0
    ? sharp(bytes, { raw, limitInputPixels: MAX_PIXELS }).extract({ left: 0, top: 0, width, height })
    : sharp(packed(data, width * 3, stride, height), { raw: { ...raw, width }, limitInputPixels: MAX_PIXELS });
}

function packed(data: Uint8Array, row: number, stride: number, rows: number): Buffer {
  const bytes = Buffer.alloc(row * rows);
  for (let at = 0; at < rows; at += 1) bytes.set(data.subarray(at * stride, at * stride + row), at * row);
  return bytes;
}

/** Whether a truncated image has most of its rows. A progressive image has all rows after its first pass. */
async function hasMostRows({ from }: ImageJob, { width, height, isProgressive }: Metadata): Promise<boolean> {
  if (isProgressive) return true;
  const region = { left: 0, top: 0, width, height: Math.ceil(height * MIN_ROWS_SHARE) };
  const top = sharp(from, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).extract(region).resize(8, 8);
  return top.toBuffer().then(
    () => true,
    () => false,
  );
}

async function portrait(job: ImageJob & { side: number }): Promise<Picture> {
  const { side, to } = job;
  const metadata = await inspect(job);
  const draw = async (failOn: 'none' | 'error') => {
    const image = await open(job, metadata, failOn);
    await image.resize(side, side, { fit: 'cover' }).flatten(WHITE).jpeg({ quality: 85 }).toFile(to);
  };
  await draw('error').catch(async (error: unknown) => {
    if (!(await hasMostRows(job, metadata))) throw error;
    await draw('none');
  });
  return { contentType: 'image/jpeg', width: side, height: side };
}

/** Copies an animation if browsers show it. Throws Unfit for other images with several pages. */
async function copyFrames(job: ImageJob, { copyAnimation, contentType }: Format, metadata: Metadata): Promise<Picture> {
  const { width, height, pageHeight = height } = metadata;
  if (!copyAnimation || width * pageHeight > KEPT_PIXELS) throw new Unfit('several pages');
  await writeFile(job.to, copyAnimation(await readFile(job.from)));
  return { contentType, width, height: pageHeight };
}

/** Renders the whole image. sharp drops metadata by default and converts colors to sRGB. */
async function whole(job: ImageJob & { contentType: string }): Promise<Picture> {
  const format = FORMATS[job.contentType] ?? (CONVERTED.includes(job.contentType) ? OTHER : undefined);
  if (!format) throw new Unfit('not rendered');
  const metadata = await inspect(job);
  if ((metadata.pages ?? 1) > 1 || job.contentType === 'image/apng') return copyFrames(job, format, metadata);
  let image = await open(job, metadata, 'none');
  const { width, height } = metadata.autoOrient;
  const share = Math.sqrt(SMALLER_PIXELS / (width * height));
  if (width * height > (format.maxPixels ?? KEPT_PIXELS))
    image = image.resize(Math.max(1, Math.floor(width * share)), Math.max(1, Math.floor(height * share)), {
      fit: 'fill',
    });
  const made = await format.as(image).toFile(job.to);
  return { contentType: format.contentType, width: made.width, height: made.height };
}

/** Copies a file without its GPS location. */
async function copyWithoutLocation({ from, to }: { from: string; to: string }): Promise<void> {
  const bytes = await readFile(from);
  let pieces: Buffer[] = [bytes];
  try {
    pieces = pngWithoutMetadata(bytes);
  } catch {
    removeLocations(bytes);
  }
  await writeFile(to, pieces);
}

const DISK = /no space left|quota exceeded|input\/output error|ENOSPC|EDQUOT|EIO/i;

export async function render(job: ImageJob): Promise<ImageOutcome> {
  try {
    if ('contentType' in job) return { picture: await whole(job) };
    if ('side' in job) return { picture: await portrait(job) };
    await copyWithoutLocation(job);
    return { isCopied: true };
  } catch (error) {
    if (error instanceof Heavy) return { isHeavy: true };
    const { message } = error as Error;
    return DISK.test(message) ? { failed: message } : {};
  }
}
