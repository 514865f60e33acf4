import { readFile, writeFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { gifWithoutMetadata, pngWithoutMetadata, webpWithoutMetadata } from './frames.ts';
import { decodeHeic } from './heic.ts';
import type { ImageJob, ImageOutcome, Picture } from './image-job.ts';
import { removePlaces } from './places.ts';

/* Renders images of strangers with libvips and libheif: only in the process of one image. */

sharp.cache(false);
sharp.concurrency(1);
/** libvips looks at the bytes itself and has loaders for much more, SVG among them. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((format) => `VipsForeignLoad${format}`),
});

/** More than any camera's; also what bounds how long the longest may take. */
const MAX_PIXELS = 256_000_000;
/** Rows cost time beside their pixels: no more of them than a JPEG can have. */
const MAX_SIDE = 65_535;
/** An image that has more is made smaller: to so many pixels that every screen is filled. */
const KEPT_PIXELS = 64_000_000;
const SMALLER_PIXELS = 4_096 * 4_096;
/** What a light image takes decoded, by what its format needs beside. */
const LIGHT_BYTES = 64 * 1024 * 1024;
const EFFORT: Record<string, number> = { webp: 4, hevc: 4, av1: 6 };
/** Of one sample, by sharp's name for its depth; what is not listed takes eight. */
const SAMPLE_BYTES: Record<string, number> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };
/** The part of its rows that a truncated portrait must have. */
const MOST = 0.75;

const WHITE = { background: '#fff' };
/** Optimal codes would cost half of the time and, for a large image, 200 MiB: all coefficients are kept for them. */
const JPEG = { quality: 88, optimiseCoding: false };

interface Format {
  contentType: string;
  as: (image: Sharp) => Sharp;
  /** Pixels that the encoder can hold. */
  kept?: number;
  /** Copies an animation of this format. */
  copied?: (bytes: Buffer) => Buffer[];
}

const PNG: Format = { contentType: 'image/png', as: (image) => image.png(), copied: pngWithoutMetadata };

/** The format in which an image of this type is stored: its own, where browsers show it and it is quick to make. */
const FORMATS: Record<string, Format> = {
  'image/jpeg': { contentType: 'image/jpeg', as: (image) => image.jpeg(JPEG) },
  'image/png': PNG,
  'image/apng': PNG,
  'image/webp': {
    contentType: 'image/webp',
    as: (image) => image.webp({ quality: 88, effort: 1 }),
    // The encoder holds the whole image, at some twelve bytes a pixel.
    kept: SMALLER_PIXELS,
    copied: webpWithoutMetadata,
  },
  'image/gif': { contentType: 'image/gif', as: (image) => image.gif({ effort: 1 }), copied: gifWithoutMetadata },
};
const OTHER: Format = { contentType: 'image/jpeg', as: (image) => image.flatten(WHITE).jpeg(JPEG) };
/** Types beside those of `FORMATS` that are shown; what holds a sequence has a type of its own. */
const SHOWN = ['image/avif', 'image/heic', 'image/heif', 'image/tiff'];

class Heavy extends Error {}
class Unfit extends Error {}

async function inspect(job: ImageJob): Promise<Metadata> {
  const metadata = await sharp(job.from, { limitInputPixels: MAX_PIXELS, failOn: 'none' }).metadata();
  const { width, height, channels, depth, format, compression } = metadata;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) throw new Unfit('too large');
  const bytes = width * height * channels * (SAMPLE_BYTES[depth] ?? 8);
  if (!job.isHeavy && bytes * (EFFORT[compression ?? format] ?? 1) > LIGHT_BYTES) throw new Heavy();
  return metadata;
}

/** The pixels, upright. */
async function open({ from }: ImageJob, metadata: Metadata, failOn: 'none' | 'error'): Promise<Sharp> {
  if (metadata.compression !== 'hevc') return sharp(from, { limitInputPixels: MAX_PIXELS, failOn }).autoOrient();
  const { width, height, stride, data } = await decodeHeic(await readFile(from));
  // A row may end in bytes of no pixel.
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

/** Whether most rows of a truncated image are there. One that comes in passes has all rows after the first. */
async function isMostlyThere({ from }: ImageJob, { width, height, isProgressive }: Metadata): Promise<boolean> {
  if (isProgressive) return true;
  const region = { left: 0, top: 0, width, height: Math.ceil(height * MOST) };
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
    if (!(await isMostlyThere(job, metadata))) throw error;
    await draw('none');
  });
  return { contentType: 'image/jpeg', width: side, height: side };
}

/** Several pages or frames are copied where browsers show them all; else the file is to be passed on. */
async function copyFrames(job: ImageJob, { copied, contentType }: Format, metadata: Metadata): Promise<Picture> {
  const { width, height, pageHeight = height } = metadata;
  if (!copied || width * pageHeight > KEPT_PIXELS) throw new Unfit('several pages');
  await writeFile(job.to, copied(await readFile(job.from)));
  return { contentType, width, height: pageHeight };
}

/** The whole image, without metadata, because sharp drops what it is not told to keep. Colours become sRGB. */
async function whole(job: ImageJob & { contentType: string }): Promise<Picture> {
  const format = FORMATS[job.contentType] ?? (SHOWN.includes(job.contentType) ? OTHER : undefined);
  if (!format) throw new Unfit('not shown');
  const metadata = await inspect(job);
  if ((metadata.pages ?? 1) > 1 || job.contentType === 'image/apng') return copyFrames(job, format, metadata);
  let image = await open(job, metadata, 'none');
  const { width, height } = metadata.autoOrient;
  const share = Math.sqrt(SMALLER_PIXELS / (width * height));
  if (width * height > (format.kept ?? KEPT_PIXELS))
    image = image.resize(Math.max(1, Math.floor(width * share)), Math.max(1, Math.floor(height * share)), {
      fit: 'fill',
    });
  const made = await format.as(image).toFile(job.to);
  return { contentType: format.contentType, width: made.width, height: made.height };
}

/** Copies a file that is not shown, without the place where it was taken. */
export async function copyWithoutPlace({ from, to }: { from: string; to: string }): Promise<void> {
  const bytes = await readFile(from);
  let pieces: Buffer[] = [bytes];
  try {
    pieces = pngWithoutMetadata(bytes);
  } catch {
    removePlaces(bytes);
  }
  await writeFile(to, pieces);
}

const DISK = /no space left|quota exceeded|input\/output error|ENOSPC|EDQUOT|EIO/i;

export async function render(job: ImageJob): Promise<ImageOutcome> {
  try {
    if ('contentType' in job) return { picture: await whole(job) };
    if ('side' in job) return { picture: await portrait(job) };
    await copyWithoutPlace(job);
    return { isCopied: true };
  } catch (error) {
    if (error instanceof Heavy) return { isHeavy: true };
    const { message } = error as Error;
    return DISK.test(message) ? { failed: message } : {};
  }
}
