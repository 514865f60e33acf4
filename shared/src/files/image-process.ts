import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ImageJob, ImageOutcome, Picture } from './image-worker.ts';

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
