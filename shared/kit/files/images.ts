import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COPY_MS, IMAGE_MS, IMAGE_QUEUE_MS } from '../process/deadlines.ts';
import { AppError } from '../errors.ts';
import { networkOf } from '../process/client-network.ts';
import { texts } from '../language/texts.ts';
import type { ImageJob, ImageOutcome, Picture } from './image-job.ts';
import { createTaskQueue } from '../task-queue.ts';

const WORKER = fileURLToPath(new URL('./image-worker.ts', import.meta.url));
/** Empty, so that an attacker who takes over the process does not get our secrets. */
const ENVIRONMENT = {};

/**
 * Renders an image in a child process, which is killed after `timeout` ms, and with this process. Returns no picture
 * when the image is invalid, crashes its process, or takes too long. Throws for errors of the machine.
 */
export async function renderInChild(
  job: ImageJob,
  timeout: number,
): Promise<Exclude<ImageOutcome, { failed: string }>> {
  const worker = fork(WORKER, [JSON.stringify(job)], {
    env: ENVIRONMENT,
    execArgv: ['--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In its own process group: Ctrl-C is for this process, which finishes images in flight.
    detached: true,
    timeout,
    killSignal: 'SIGKILL',
  });
  let outcome: ImageOutcome | undefined;
  worker.once('message', (received: ImageOutcome) => {
    outcome = received;
    worker.kill('SIGKILL');
  });
  const [code, signal] = (await once(worker, 'exit')) as [number | null, NodeJS.Signals | null];
  if (outcome && 'failed' in outcome) throw new Error(outcome.failed);
  if (!outcome && code !== null) throw new Error(`the child process that renders an image exited with code ${code}`);
  return outcome ?? (signal === 'SIGTERM' && !job.isHeavy ? { isHeavy: true } : {});
}

const queued = createTaskQueue({
  // A slow image does not delay other accounts, nor a heavy image a light one. More do not fit into the memory.
  atOnce: 2,
  heavyAtOnce: 1,
  waitMs: IMAGE_QUEUE_MS,
  refusal: () => new AppError('unavailable', texts.busy, { retryAfter: 5 }),
});
/** Cost of a heavy image in the queue; a light one costs 1. */
const HEAVY_COST = 10;

const notRendered = (cause: unknown) => {
  throw new AppError('unavailable', texts.upload.notStored, { cause });
};

const pictureOf = (outcome: object): Picture | undefined => (outcome as { picture?: Picture }).picture;

/** The uploading account, and the address of its client. */
export interface Uploader {
  account: string;
  address: string;
}

/** Returns a function that returns the rest of a time budget, which starts now; at least 1 ms. */
function budgetOf(ms: number) {
  const end = performance.now() + ms;
  return () => Math.max(1, end - performance.now());
}

/** Renders the images of one upload, which share the time limits of a single image. */
function createRendering({ account, address }: Uploader) {
  const network = networkOf(address);
  const queue = budgetOf(IMAGE_QUEUE_MS);
  let spentMs = 0;

  async function attempt(job: ImageJob, limitMs: number): Promise<Awaited<ReturnType<typeof renderInChild>>> {
    const { isHeavy = false } = job;
    const task = { account, network, isHeavy, cost: isHeavy ? HEAVY_COST : 1, waitMs: queue() };
    return queued(task, async () => {
      const begun = performance.now();
      const outcome = await renderInChild(job, Math.ceil(Math.max(1, limitMs - spentMs))).catch(notRendered);
      spentMs += performance.now() - begun;
      return outcome;
    });
  }

  return async function render(job: Omit<ImageJob, 'isHeavy'>, limitMs: number) {
    const outcome = await attempt({ ...job, isHeavy: false }, limitMs);
    return 'isHeavy' in outcome ? attempt({ ...job, isHeavy: true }, limitMs) : outcome;
  };
}

/**
 * Writes a square JPEG of an image, upright and without metadata. Undefined when the bytes are not an image, or it is
 * broken, too large or takes too long. Throws unavailable for errors of the machine and when the queue is too long.
 */
export const makePortrait = (by: Uploader, job: { from: string; to: string; side: number }) =>
  createRendering(by)(job, IMAGE_MS).then(pictureOf);

/**
 * Renders an image upright and without metadata. If it cannot be rendered, copies the file without its GPS location and
 * returns undefined. Throws like `makePortrait`.
 */
export async function makeImage(
  by: Uploader,
  job: { from: string; to: string; contentType: string },
): Promise<Picture | undefined> {
  const render = createRendering(by);
  const picture = pictureOf(await render(job, IMAGE_MS - COPY_MS));
  if (picture) return picture;
  const copied = await render({ from: job.from, to: job.to }, IMAGE_MS);
  return 'isCopied' in copied ? undefined : notRendered(new Error('the copy of an image file timed out'));
}
