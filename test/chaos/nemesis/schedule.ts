import type { Random } from '../seed.ts';
import { FAULTS } from './faults.ts';

/** A fault of a schedule. Plain data, so that a run can be repeated and shrunk. */
export interface PlannedFault {
  /** Milliseconds since the start of the workload. */
  atMs: number;
  lastsMs: number;
  fault: string;
  target: string;
}

export interface Schedule {
  seed: string;
  minutes: number;
  faults: PlannedFault[];
}

const FIRST_MS = 3_000;
const MOST_AT_ONCE = 3;
/** Time without faults at the end of a run, so that recovery from the last fault is also tested under load. */
const QUIET_MS = 8_000;

function pickFault(random: Random, names: readonly string[]): string {
  const total = names.reduce((sum, name) => sum + FAULTS[name]!.weight, 0);
  let left = random.next() * total;
  return names.find((name) => (left -= FAULTS[name]!.weight) < 0) ?? names[0]!;
}

/** Half of the choices cycle through all kinds, so that a long run has each; the others follow the weights. */
function createChoice(random: Random, names: readonly string[]): () => string {
  let cycle: string[] = [];
  return () => {
    if (random.chance(0.5)) return pickFault(random, names);
    if (cycle.length === 0) cycle = random.shuffled(names);
    return cycle.pop()!;
  };
}

/** Plans random faults: mostly one after another, sometimes several at once. */
export function planFaults({
  random,
  minutes,
  betweenMs = 4_500,
  at = /./,
  only,
}: {
  random: Random;
  minutes: number;
  betweenMs?: number;
  /** Restricts the targets of faults that have a choice. */
  at?: RegExp;
  only: readonly string[];
}): PlannedFault[] {
  const end = minutes * 60_000 - QUIET_MS;
  const planned: PlannedFault[] = [];
  const choose = createChoice(random, only);
  let atMs = FIRST_MS;
  while (atMs < end && only.length > 0) {
    const together = random.chance(0.15) ? random.between(2, MOST_AT_ONCE) : 1;
    const group: PlannedFault[] = [];
    for (let count = 0; count < together; count += 1) {
      const fault = choose();
      const { targets, lastsMs } = FAULTS[fault]!;
      const suitable = targets.filter((name) => at.test(name));
      const target = random.pick(suitable.length > 0 ? suitable : targets);
      // The same fault of the same target cannot run twice at a time.
      if (group.some((other) => other.fault === fault && other.target === target)) continue;
      group.push({ atMs: Math.round(atMs), lastsMs: random.between(...lastsMs), fault, target });
    }
    planned.push(...group);
    atMs += Math.max(...group.map(({ lastsMs }) => lastsMs)) + 0.5 * betweenMs + random.pauseMs(betweenMs);
  }
  return planned;
}
