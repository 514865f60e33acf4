/** The requests of one second of the run. */
export interface Second {
  requests: number;
  /** Requests without a definite answer: 408, 502 to 504, cut connections, time-outs. */
  failures: number;
  durations: number[];
}

export interface Violation {
  at: number;
  what: string;
  detail: string;
}

const MOST_KEPT = 200;

/** Collects the results of a run. Times are milliseconds since its start. */
export function createRecord(now: () => number) {
  const seconds: Second[] = [];
  const violations: Violation[] = [];
  const sometimes = new Map<string, number>();
  const answers = new Map<string, number>();
  const served: { sent: number; at: number }[] = [];
  const logged = new Map<string, number>();
  let broken = 0;

  const add = (map: Map<string, number>, key: string, by = 1) => void map.set(key, (map.get(key) ?? 0) + by);
  const second = (at: number): Second => {
    const index = Math.max(0, Math.floor(at / 1000));
    while (seconds.length <= index) seconds.push({ requests: 0, failures: 0, durations: [] });
    return seconds[index]!;
  };

  return {
    seconds,
    violations,
    sometimes,
    answers,
    logged,
    now,
    /** The number of all violations; `violations` has only the first 200. */
    broken: () => broken,
    violation: (what: string, detail: unknown = '') => {
      broken += 1;
      const text = typeof detail === 'string' ? detail : JSON.stringify(detail);
      if (violations.length < MOST_KEPT) violations.push({ at: Math.round(now()), what, detail: text.slice(0, 2_000) });
    },
    /** Counts a rare path that was taken. */
    seen: (what: string, times = 1) => add(sometimes, what, times),
    /** Adds a rare path to the report, even if it is never taken. */
    watchFor: (what: string) => add(sometimes, what, 0),
    logLine: (text: string) => add(logged, text),
    answered: ({ since, outcome }: { since: number; outcome: string }) => {
      add(answers, outcome);
      const at = now();
      const bucket = second(at);
      bucket.requests += 1;
      bucket.durations.push(at - since);
      if (outcome === 'lost' || outcome.startsWith('transient')) bucket.failures += 1;
    },
    /** Records that requests to all services, sent at `sent`, succeeded. */
    served: (sent: number) => void served.push({ sent, at: now() }),
    /** Milliseconds from `at` until every service had answered a later request; undefined when not yet. */
    recoveredAfter: (at: number): number | undefined => {
      const first = served.find(({ sent }) => sent >= at);
      return first && first.at - at;
    },
    /** Discards the requests of the set-up phase. */
    begin: () => {
      seconds.length = 0;
      answers.clear();
      served.length = 0;
    },
    total: () => seconds.reduce((sum, { requests }) => sum + requests, 0),
  };
}

export type Recorder = ReturnType<typeof createRecord>;
