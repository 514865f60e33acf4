import type { Planned, Schedule } from './nemesis/schedule.ts';

/** Long enough after the last fault for its consequences. */
const AFTERWARDS_MS = 20_000;

/** The same schedule with these faults alone, no longer than they need. */
function shortened(schedule: Schedule, faults: Planned[]): Schedule {
  const [first, last] = [
    Math.min(...faults.map(({ atMs }) => atMs)),
    Math.max(...faults.map(({ atMs, lastsMs }) => atMs + lastsMs)),
  ];
  // What was before the first fault is only waiting.
  const earlier = Math.max(0, first - 3_000);
  const minutes = Math.min(schedule.minutes, (last - earlier + AFTERWARDS_MS) / 60_000);
  return { ...schedule, minutes, faults: faults.map((fault) => ({ ...fault, atMs: fault.atMs - earlier })) };
}

/**
 * A schedule with fewer faults that is still red: drops halves, then quarters, and so on. `isRed` runs a schedule;
 * it is asked `tries` times at most, because chance decides too: the result is shorter, not shortest.
 */
export async function shrink(
  schedule: Schedule,
  isRed: (shorter: Schedule) => Promise<boolean>,
  tries: number,
): Promise<Schedule> {
  let best = schedule;
  let parts = 2;
  let left = tries;
  while (best.faults.length > 1 && parts <= best.faults.length && left > 0) {
    const size = Math.ceil(best.faults.length / parts);
    let found = false;
    for (let from = 0; from < best.faults.length && left > 0 && !found; from += size) {
      const kept = best.faults.toSpliced(from, size);
      if (kept.length === 0) continue;
      left -= 1;
      const shorter = shortened(best, kept);
      if (!(await isRed(shorter))) continue;
      best = shorter;
      found = true;
    }
    parts = found ? Math.max(2, parts - 1) : parts * 2;
  }
  return best;
}
