import type { Oracle } from './oracle/oracle.ts';
import type { Recorder } from './record.ts';
import type { Random } from './seed.ts';
import type { Stack } from './stack/stack.ts';

/** What everybody in a run shares. */
export interface World {
  stack: Stack;
  record: Recorder;
  oracle: Oracle;
  random: Random;
  /** Nobody begins anything new any more. */
  isOver(): boolean;
  /** No fault is active, and none was within the last `forMs`. */
  isCalm(forMs?: number): boolean;
  /** Aborted when requests that still repeat must give up. */
  giveUp: AbortSignal;
}
