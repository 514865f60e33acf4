import type { Outcome } from '../run.ts';

/** The percentile of the values; undefined without values. */
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

/** For each kind of fault: how often it happened, and the time from its end until all services answered again. */
export function recoveriesOf(faults: readonly { fault: string; recoveryMs?: number | undefined }[]): Recovery[] {
  const byFault = Map.groupBy(faults, ({ fault }) => fault);
  return [...byFault].map(([fault, all]) => {
    const times = all.flatMap(({ recoveryMs }) => recoveryMs ?? []);
    return { fault, count: all.length, p50Ms: percentile(times, 50), maxMs: percentile(times, 100) };
  });
}

/** The number of attempts whose outcome is unknown. */
export const ambiguousOf = ({ record }: Pick<Outcome, 'record'>): number =>
  [...record.answers]
    .filter(([what]) => what === 'lost' || what.startsWith('transient'))
    .reduce((sum, [, count]) => sum + count, 0);

/** The figures of a run, for summing up several runs. */
export const figuresOf = (outcome: Outcome) => ({
  seed: outcome.schedule.seed,
  minutes: outcome.schedule.minutes,
  requests: outcome.record.total(),
  ambiguous: ambiguousOf(outcome),
  events: outcome.events,
  violations: outcome.record.broken(),
  restMs: outcome.restMs,
  confirmed: outcome.confirmed,
  faults: outcome.faults.map(({ fault, recoveryMs }) => ({ fault, recoveryMs })),
  sometimes: Object.fromEntries(outcome.record.sometimes),
});

export type Figures = ReturnType<typeof figuresOf>;
