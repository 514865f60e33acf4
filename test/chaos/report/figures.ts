import type { Happened } from '../nemesis/nemesis.ts';

/** The value below which so many of 100 lie; undefined without values. */
export function percentile(values: readonly number[], percent: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
}

export interface Recovery {
  fault: string;
  count: number;
  p50Ms: number | undefined;
  maxMs: number | undefined;
}

/** By kind of fault: how often it happened, and how long after its end every service served again. */
export function recoveriesOf(faults: readonly Happened[]): Recovery[] {
  const byFault = Map.groupBy(faults, ({ fault }) => fault);
  return [...byFault].map(([fault, all]) => {
    const times = all.flatMap(({ recoveryMs }) => recoveryMs ?? []);
    return { fault, count: all.length, p50Ms: percentile(times, 50), maxMs: percentile(times, 100) };
  });
}
