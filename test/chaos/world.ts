import type { Oracle } from './oracle/oracle.ts';
import type { Recorder } from './record.ts';
import type { Random } from './seed.ts';
import type { Stack } from './stack/stack.ts';

/** The shared state of a run. */
export interface World {
  stack: Stack;
  record: Recorder;
  oracle: Oracle;
  random: Random;
  /** The workload has ended: users start no new requests. */
  isOver(): boolean;
  /** No fault is active or has ended within the last `forMs`. */
  isCalm(forMs?: number): boolean;
  /** Aborted when requests must no longer be repeated. */
  giveUp: AbortSignal;
}
