/*
 * Renders one image in a separate process, which `images.ts` starts and kills. The image is untrusted, and libvips can
 * neither be canceled nor tell in advance how much memory it takes.
 */

import type { ImageJob } from './image-job.ts';

const MIB = 1024 * 1024;
/**
 * Memory limits of this process. Some 60 MiB are the program, which all processes share: a heavy and a light image
 * together take less than 512 MiB in addition.
 */
const MAX_RSS = { light: 160 * MIB, heavy: 452 * MIB };
/** Interval of memory checks: an image can allocate some 2 GB per second. */
const WATCH_MS = 20;

/** Kills the process: `process.exit` would wait for the threads of libvips. */
const die = (signal: 'SIGKILL' | 'SIGTERM') => process.kill(process.pid, signal);

process.once('disconnect', () => die('SIGKILL'));
if (!process.connected) die('SIGKILL');
const job = JSON.parse(process.argv[2]!) as ImageJob;
const limit = job.isHeavy ? MAX_RSS.heavy : MAX_RSS.light;
setInterval(() => {
  // SIGTERM tells the parent that memory was the reason.
  if (process.memoryUsage.rss() > limit) die('SIGTERM');
}, WATCH_MS);

const { render } = await import('./rendering.ts');
process.send?.(await render(job));
