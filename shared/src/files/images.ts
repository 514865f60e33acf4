import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { IMAGE_MS, IMAGE_QUEUE_MS } from '../process/deadlines.ts';
import { AppError } from '../errors.ts';
import { texts } from '../language/texts.ts';
import type { ImageJob, ImageOutcome, Picture } from './image-worker.ts';
import { createTurns } from '../turns.ts';

const WORKER = fileURLToPath(new URL('./image-worker.ts', import.meta.url));
/** Its own copy of our variables would hand our secrets to whoever takes it over. */
const ENVIRONMENT = {};

/**
 * Renders an image in a process of its own, which ends with the image, after `timeout` ms, and with this process.
 * Undefined when the image cannot be read, has ended its process, or was too slow. Throws when the machine is at fault.
 */
export async function renderApart(job: ImageJob, timeout: number): Promise<Picture | undefined> {
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
  const [code] = (await once(worker, 'exit')) as [number | null];
  if (outcome && 'failed' in outcome) throw new Error(outcome.failed);
  if (!outcome && code !== null) throw new Error(`the process of an image ended with code ${code}`);
  return outcome?.picture;
}

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
