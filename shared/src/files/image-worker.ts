/*
 * Renders one image in a process of its own, which `images.ts` starts and kills. The image comes from a stranger,
 * and libvips neither stops when it is told to nor says beforehand what memory it takes.
 */

/**
 * An image to be written anew: a square JPEG of `side` pixels cut from its middle, or the whole in a format of its own.
 * Without either: the file as it is, without the place where it was taken.
 */
export type ImageJob = { from: string; to: string; isHeavy?: boolean } & (
  { side: number } | { contentType: string } | object
);

export interface Picture {
  contentType: string;
  width: number;
  height: number;
}

/**
 * No picture: the bytes are no image, too large a one, or a broken one. `isHeavy`: it takes more than a light image may.
 * `failed`: what the machine lacks.
 */
export type ImageOutcome = { picture?: Picture } | { isCopied: true } | { isHeavy: true } | { failed: string };

const MIB = 1024 * 1024;
/**
 * Of this process. Some 60 MiB of it are the program, which is in memory for all processes once: one heavy image and one
 * light one together take less than 512 MiB more.
 */
const MAX_RSS = { light: 160 * MIB, heavy: 452 * MIB };
/** An image takes memory at some 2 GB a second. */
const WATCH_MS = 20;

/** `process.exit` would wait for the threads of libvips. */
const die = (signal: 'SIGKILL' | 'SIGTERM') => process.kill(process.pid, signal);

process.once('disconnect', () => die('SIGKILL'));
if (!process.connected) die('SIGKILL');
const job = JSON.parse(process.argv[2]!) as ImageJob;
const limit = job.isHeavy ? MAX_RSS.heavy : MAX_RSS.light;
setInterval(() => {
  // By its signal the parent knows that it was for the memory.
  if (process.memoryUsage.rss() > limit) die('SIGTERM');
}, WATCH_MS);

const { render } = await import('./rendering.ts');
process.send?.(await render(job));
