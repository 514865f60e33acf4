import { isAccepted, type Call } from './call.ts';
import { isLive, lapseAt, latest } from './life-cycle.ts';
import { dueAt } from './meter.ts';

/** When a job has something to do for a call; null: not before the call changes. */
export interface Deadlines {
  /** When time alone ends the ringing or the call. */
  lapse_at: string | null;
  /** When the next step is due that the hold does not cover. */
  uncovered_at: string | null;
  /** From when on a job may ask wallet for what is open; by the server's clock. */
  open_at: string | null;
}

/** Whether something is left to ask of wallet: charges and, after the end, the release of the hold. */
export const hasOpenWork = (call: Pick<Call, 'state' | 'steps' | 'steps_due'>) =>
  call.steps < call.steps_due || !isLive(call.state);

export function uncoveredAt(call: Call): string | null {
  if (call.state !== 'active' || !isAccepted(call)) return null;
  if (call.steps === 0 || call.steps < call.steps_due || call.reserved >= call.iterator_cost) return null;
  return dueAt(call.accepted_at, call.steps + 1, call.iterator);
}

/** The deadlines of a call as its row is after a change; undefined when it is settled. */
export function deadlinesOf(call: Call): Deadlines | undefined {
  if (call.settled) return undefined;
  return {
    lapse_at: lapseAt(call),
    uncovered_at: uncoveredAt(call),
    open_at: hasOpenWork(call) ? (latest(call.leased_until, call.retry_at) ?? '-infinity') : null,
  };
}
