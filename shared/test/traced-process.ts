import { traced } from '../src/process/context.ts';
import { runProcess } from '../src/process/process.ts';

/** A process that sends one span and then runs until it is stopped. */
await runProcess('traced', process.env, async () => {
  await traced('work', {}, () => Promise.resolve());
  process.stdout.write('running\n');
  return { stop: () => Promise.resolve() };
});
