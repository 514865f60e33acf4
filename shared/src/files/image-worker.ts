/*
 * Renders one image in a process of its own, which `images.ts` starts and kills. The image comes from a stranger,
 * and libvips neither stops when it is told to nor says beforehand what memory it takes.
 */

import type { ImageJob } from './image-job.ts';

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
