import type { Random } from '../seed.ts';
import { FAULTS } from './faults.ts';

/** One fault of a schedule: data, so that a run can be repeated and shortened. */
export interface Planned {
  /** Milliseconds since the start of the workload. */
  atMs: number;
  lastsMs: number;
  fault: string;
  target: string;
}

export interface Schedule {
  seed: string;
  minutes: number;
  faults: Planned[];
}

const FIRST_MS = 3_000;
const MOST_AT_ONCE = 3;
/** The run ends with some quiet, so that the last fault is recovered from under load too. */
const QUIET_MS = 8_000;

function pickFault(random: Random, names: readonly string[]): string {
  const total = names.reduce((sum, name) => sum + FAULTS[name]!.weight, 0);
  let left = random.next() * total;
  return names.find((name) => (left -= FAULTS[name]!.weight) < 0) ?? names[0]!;
}

/** Every other choice goes through all kinds in turn, so that a long run has each; the others follow their weights. */
function createChoice(random: Random, names: readonly string[]): () => string {
  let turn: string[] = [];
  return () => {
    if (random.chance(0.5)) return pickFault(random, names);
    if (turn.length === 0) turn = random.shuffled(names);
    return turn.pop()!;
  };
}

/** Faults from a seed: mostly one after another, sometimes several at once. */
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
  /** What faults with a choice befall. */
  at?: RegExp;
  only: readonly string[];
}): Planned[] {
  const end = minutes * 60_000 - QUIET_MS;
  const planned: Planned[] = [];
  const choose = createChoice(random, only);
  let atMs = FIRST_MS;
  while (atMs < end && only.length > 0) {
    const together = random.chance(0.15) ? random.between(2, MOST_AT_ONCE) : 1;
    const group: Planned[] = [];
    for (let count = 0; count < together; count += 1) {
      const fault = choose();
      const { targets, lastsMs } = FAULTS[fault]!;
      const suitable = targets.filter((name) => at.test(name));
      const target = random.pick(suitable.length > 0 ? suitable : targets);
      // One thing cannot be taken away twice at a time.
      if (group.some((other) => other.fault === fault && other.target === target)) continue;
      group.push({ atMs: Math.round(atMs), lastsMs: random.between(...lastsMs), fault, target });
    }
    planned.push(...group);
    atMs += Math.max(...group.map(({ lastsMs }) => lastsMs)) + 0.5 * betweenMs + random.pauseMs(betweenMs);
  }
  return planned;
}
