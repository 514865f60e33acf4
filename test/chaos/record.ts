/** What a second of the run saw. */
export interface Second {
  requests: number;
  /** Answers that are no success and no refusal: 502 to 504, cut connections, time-outs. */
  failures: number;
  durations: number[];
}

export interface Violation {
  at: number;
  what: string;
  detail: string;
}

const MOST_KEPT = 200;

/** What happened in a run, by the milliseconds since its start. */
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
    /** How many violations there were; `violations` keeps the first ones. */
    broken: () => broken,
    violation: (what: string, detail: unknown = '') => {
      broken += 1;
      const text = typeof detail === 'string' ? detail : JSON.stringify(detail);
      if (violations.length < MOST_KEPT) violations.push({ at: Math.round(now()), what, detail: text.slice(0, 2_000) });
    },
    /** A rare path was taken. */
    seen: (what: string, times = 1) => add(sometimes, what, times),
    /** A rare path that must be in the report even when it was never taken. */
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
    /** A request to every service, all sent at `sent`, succeeded. */
    served: (sent: number) => void served.push({ sent, at: now() }),
    /** Milliseconds from `at` until every service had answered a request that was sent after it; undefined: not yet. */
    recoveredAfter: (at: number): number | undefined => {
      const first = served.find(({ sent }) => sent >= at);
      return first && first.at - at;
    },
    /** Forgets the requests of the preparation. */
    begin: () => {
      seconds.length = 0;
      answers.clear();
      served.length = 0;
    },
    total: () => seconds.reduce((sum, { requests }) => sum + requests, 0),
  };
}

export type Recorder = ReturnType<typeof createRecord>;
