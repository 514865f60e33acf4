import type { StackOptions } from '../stack/stack.ts';
import type { Edit } from './copy.ts';

/** A defect that a run must find. */
export interface Mutant {
  edits: readonly Edit[];
  stack?: Pick<StackOptions, 'durable'>;
  /** The faults that make the defect visible; none: it is visible without faults. */
  faults?: readonly string[];
  /** How long it runs; undefined: as short as the others. */
  minutes?: number;
  /** Restricts the targets of the faults. */
  at?: RegExp;
}

export const edit = (file: string, from: string, to: string): Edit => ({ file, from, to });
