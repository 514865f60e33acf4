import { backOff } from '@tutoring/shared/kit/process/deadlines';

/** Failures of an account on one network, of an account on all networks, or of an address. Times in milliseconds. */
export interface Count {
  failures: number;
  /** Attempts in flight: each counts as a failure until it is decided. */
  underWay: number;
  /** When the window of these failures began. */
  since: number;
  /** Locks so far: each lasts twice as long as the one before. */
  locks: number;
  lockedUntil: number | null;
  touchedAt: number;
}

/** `unchecked`: the secret was not compared. */
export type Outcome = 'right' | 'wrong' | 'unchecked';

const MINUTE = 60_000;
const WINDOW = 15 * MINUTE;
const LONGEST_LOCK = 60 * MINUTE;
const LOCKS_COUNT_FOR = 24 * 60 * MINUTE;

/** The count without expired failures and locks. */
function withoutExpired<C extends Count>(count: C, at: number): C {
  const locks = count.touchedAt <= at - LOCKS_COUNT_FOR ? 0 : count.locks;
  if (count.since > at - WINDOW) return { ...count, locks };
  return { ...count, locks, failures: 0, underWay: 0, since: at };
}

/** Begins an attempt; `undecided` when failures of all attempts in flight would reach the limit. */
export function beginAttempt<C extends Count>(count: C, limit: number, at: number): C | 'locked' | 'undecided' {
  const now = withoutExpired(count, at);
  if (now.lockedUntil !== null && now.lockedUntil > at) return 'locked';
  if (now.failures + now.underWay >= limit) return 'undecided';
  return { ...now, underWay: now.underWay + 1, touchedAt: at };
}

/** Ends an attempt: `limit` failures within fifteen minutes lock for 1 minute, then 2, 4 ... 60 minutes. */
export function endAttempt<C extends Count>(count: C, limit: number, at: number, outcome: Outcome): C {
  const now = withoutExpired(count, at);
  const ended = { ...now, underWay: Math.max(0, now.underWay - 1), touchedAt: at };
  if (outcome !== 'wrong') return ended;
  if (now.failures + 1 < limit) return { ...ended, failures: now.failures + 1 };
  const lockedUntil = at + backOff(now.locks, MINUTE, LONGEST_LOCK);
  return { ...ended, failures: 0, locks: now.locks + 1, lockedUntil };
}

/** The count after a success: only attempts in flight remain. */
export const afterSuccess = <C extends Count>(count: C): C => ({ ...count, failures: 0, locks: 0, lockedUntil: null });

export const isEmpty = (count: Count) => count.failures === 0 && count.underWay === 0 && count.locks === 0;
