import type { PlannedFault, Schedule } from './nemesis/schedule.ts';

/** Time after the last fault in which its consequences must show. */
const AFTERWARDS_MS = 20_000;

/** The schedule with only these faults, as short as possible. */
function shortened(schedule: Schedule, faults: PlannedFault[]): Schedule {
  const [first, last] = [
    Math.min(...faults.map(({ atMs }) => atMs)),
    Math.max(...faults.map(({ atMs, lastsMs }) => atMs + lastsMs)),
  ];
  // Cuts the waiting time before the first fault.
  const earlier = Math.max(0, first - 3_000);
  const minutes = Math.min(schedule.minutes, (last - earlier + AFTERWARDS_MS) / 60_000);
  return { ...schedule, minutes, faults: faults.map((fault) => ({ ...fault, atMs: fault.atMs - earlier })) };
}

/**
 * Searches a schedule with fewer faults that still fails: drops halves, then quarters, and so on. `isRed` runs a
 * schedule and is called at most `tries` times. Runs are not deterministic, so the result is not minimal.
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
      const remaining = best.faults.toSpliced(from, size);
      if (remaining.length === 0) continue;
      left -= 1;
      const shorter = shortened(best, remaining);
      if (!(await isRed(shorter))) continue;
      best = shorter;
      found = true;
    }
    parts = found ? Math.max(2, parts - 1) : parts * 2;
  }
  return best;
}
