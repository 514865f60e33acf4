import { inspect } from 'node:util';

/** One kind of request. Returns what is wrong with the response, or nothing. */
export interface Kind {
  name: string;
  send(): Promise<string | undefined>;
}

export interface Report {
  sent: Map<string, number>;
  failures: string[];
  /** Milliseconds, ascending. */
  durations: number[];
}

/** Sends `perSecond` requests a second, kinds in turn, until `isOver`. Does not wait for responses. */
export async function load(kinds: Kind[], perSecond: number, isOver: () => boolean): Promise<Report> {
  const report: Report = { sent: new Map(), failures: [], durations: [] };
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  let count = 0;

  async function sendOne({ name, send }: Kind): Promise<void> {
    const since = performance.now();
    const problem = await send().catch((error: unknown) => inspect(error, { depth: 3 }).slice(0, 500));
    report.durations.push(performance.now() - since);
    if (problem !== undefined) report.failures.push(`${((since - started) / 1000).toFixed(1)} s ${name}: ${problem}`);
  }

  while (!isOver()) {
    const due = Math.floor(((performance.now() - started) / 1_000) * perSecond);
    for (; count < due; count += 1) {
      const kind = kinds[count % kinds.length]!;
      report.sent.set(kind.name, (report.sent.get(kind.name) ?? 0) + 1);
      const request = sendOne(kind).finally(() => pending.delete(request));
      pending.add(request);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all(pending);
  report.durations.sort((a, b) => a - b);
  return report;
}

export const percentile = ({ durations }: Report, share: number) =>
  Math.round(durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0);
