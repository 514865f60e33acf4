import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COPY_MS, IMAGE_MS, IMAGE_QUEUE_MS } from '../process/deadlines.ts';
import { AppError } from '../errors.ts';
import { networkOf } from '../process/client-network.ts';
import { texts } from '../language/texts.ts';
import type { ImageJob, ImageOutcome, Picture } from './image-job.ts';
import { createTurns } from '../turns.ts';

const WORKER = fileURLToPath(new URL('./image-worker.ts', import.meta.url));
/** Its own copy of our variables would hand our secrets to whoever takes it over. */
const ENVIRONMENT = {};

/**
 * Renders an image in a process of its own, which ends with the image, after `timeout` ms, and with this process. No
 * picture when the image cannot be read, has ended its process, or was too slow. Throws when the machine is at fault.
 */
export async function renderApart(job: ImageJob, timeout: number): Promise<Exclude<ImageOutcome, { failed: string }>> {
  const worker = fork(WORKER, [JSON.stringify(job)], {
    env: ENVIRONMENT,
    execArgv: ['--max-old-space-size=64'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // In a group of its own: Ctrl-C is for us, who finish what is in flight.
    detached: true,
    timeout,
    killSignal: 'SIGKILL',
  });
  let outcome: ImageOutcome | undefined;
  worker.once('message', (told: ImageOutcome) => {
    outcome = told;
    worker.kill('SIGKILL');
  });
  const [code, signal] = (await once(worker, 'exit')) as [number | null, NodeJS.Signals | null];
  if (outcome && 'failed' in outcome) throw new Error(outcome.failed);
  if (!outcome && code !== null) throw new Error(`the process of an image ended with code ${code}`);
  return outcome ?? (signal === 'SIGTERM' && !job.isHeavy ? { isHeavy: true } : {});
}

const inTurn = createTurns({
  // One slow image keeps nobody waiting, and one heavy image no light one; more do not fit into the memory.
  atOnce: 2,
  heavyAtOnce: 1,
  waitMs: IMAGE_QUEUE_MS,
  refusal: () => new AppError('unavailable', texts.busy, { retryAfter: 5 }),
});
/** Of a heavy image in its network's and account's part of the turns. */
const HEAVY = 10;

const notRendered = (cause: unknown) => {
  throw new AppError('unavailable', texts.upload.notStored, { cause });
};

const pictureOf = (outcome: object): Picture | undefined => (outcome as { picture?: Picture }).picture;

/** Who uploads: an account, at the address of its client. */
export interface Uploader {
  account: string;
  address: string;
}

/** Time left of a budget that begins now. */
function budgetOf(ms: number) {
  const end = performance.now() + ms;
  return () => Math.max(1, end - performance.now());
}

/** Renders images of one upload: together they wait no longer than one may, and take no longer. */
function createRendering({ account, address }: Uploader) {
  const network = networkOf(address);
  const queue = budgetOf(IMAGE_QUEUE_MS);
  let spentMs = 0;

  async function once(job: ImageJob, limitMs: number): Promise<Awaited<ReturnType<typeof renderApart>>> {
    const { isHeavy = false } = job;
    const turn = { account, network, isHeavy, cost: isHeavy ? HEAVY : 1, waitMs: queue() };
    return inTurn(turn, async () => {
      const begun = performance.now();
      const outcome = await renderApart(job, Math.ceil(Math.max(1, limitMs - spentMs))).catch(notRendered);
      spentMs += performance.now() - begun;
      return outcome;
    });
  }

  return async function render(job: Omit<ImageJob, 'isHeavy'>, limitMs: number) {
    const outcome = await once({ ...job, isHeavy: false }, limitMs);
    return 'isHeavy' in outcome ? once({ ...job, isHeavy: true }, limitMs) : outcome;
  };
}

/**
 * Writes a square JPEG of an image, turned upright and without metadata. Undefined when the bytes are no image, or one that
 * is broken, too large or too slow. Throws unavailable, also when too many images of others wait already.
 */
export const makePortrait = (by: Uploader, job: { from: string; to: string; side: number }) =>
  createRendering(by)(job, IMAGE_MS).then(pictureOf);

/**
 * Writes an image anew, turned upright and without metadata. Undefined when it cannot be shown: then its file is copied,
 * without the place where it was taken. Throws like `makePortrait`.
 */
export async function makeImage(
  by: Uploader,
  job: { from: string; to: string; contentType: string },
): Promise<Picture | undefined> {
  const render = createRendering(by);
  const picture = pictureOf(await render(job, IMAGE_MS - COPY_MS));
  if (picture) return picture;
  const copied = await render({ from: job.from, to: job.to }, IMAGE_MS);
  return 'isCopied' in copied ? undefined : notRendered(new Error('the file of an image was not copied in time'));
}
