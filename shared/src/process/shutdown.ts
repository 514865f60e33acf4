import type { Logger } from './logger.ts';
import { within } from './patience.ts';

interface Phase {
  limitMs: number;
  /** Stopped together, by name. */
  parts: Record<string, (() => Promise<unknown>) | undefined>;
}

/**
 * Stops a process phase by phase. A part that fails, or is still not stopped at its phase's limit, is named in the log
 * and keeps no other from stopping. Rejects at the end when there was one.
 */
export async function shutDown(phases: Phase[], logger: Logger): Promise<void> {
  const failed: string[] = [];
  for (const { limitMs, parts } of phases)
    await Promise.all(
      Object.entries(parts).map(async ([part, stop]) => {
        try {
          await within(limitMs, Promise.resolve(stop?.()), () => new Error(`not stopped after ${limitMs} ms`));
        } catch (error) {
          failed.push(part);
          logger.error({ err: error, part }, 'a part could not be stopped');
        }
      }),
    );
  if (failed.length > 0) throw new Error(`could not stop: ${failed.join(', ')}`);
}
