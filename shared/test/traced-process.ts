import { traced } from '../kit/process/context.ts';
import { runProcess } from '../kit/process/process.ts';

/** A process that records one span and then runs until it is stopped. */
await runProcess('traced', process.env, async () => {
  await traced('work', {}, () => Promise.resolve());
  const alive = setInterval(() => undefined, 60_000);
  process.stdout.write('running\n');
  return { stop: async () => clearInterval(alive) };
});
