import { setTimeout as pause } from 'node:timers/promises';
import type { Recorder } from '../record.ts';
import type { Stack } from '../stack/stack.ts';
import { FAULTS } from './faults.ts';
import type { PlannedFault } from './schedule.ts';

export interface InjectedFault extends PlannedFault {
  beganMs: number;
  endedMs: number;
  /** Time until every service answered again; undefined when the next fault came first. */
  recoveryMs?: number;
}

const RECOVERS_MS = 60_000;

/** Injects the faults of a schedule. */
export function createNemesis(stack: Stack, record: Recorder, schedule: readonly PlannedFault[]) {
  const happened: InjectedFault[] = [];
  const skipped = new Map<string, string>();
  const stopping = new AbortController();
  const serversDown = new Map<string, Promise<void>>();
  let active = 0;
  let lastEnd = -Infinity;

  async function inject(planned: PlannedFault): Promise<void> {
    const fault = FAULTS[planned.fault];
    if (!fault) throw new Error(`there is no fault "${planned.fault}"`);
    const missing = fault.missing?.(stack);
    if (missing !== undefined) return void skipped.set(planned.fault, missing);
    const over = Promise.withResolvers<void>();
    const others = fault.takes?.map((what) => serversDown.get(what)) ?? [];
    for (const what of fault.takes ?? []) serversDown.set(what, over.promise);
    for (const other of others) await other;
    active += 1;
    const entry: InjectedFault = { ...planned, beganMs: record.now(), endedMs: Infinity };
    happened.push(entry);
    try {
      const end = await fault.begin(stack, planned.target);
      await pause(planned.lastsMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      await end();
    } catch (error) {
      record.violation('the harness failed to inject a fault', `${planned.fault} ${planned.target}: ${String(error)}`);
    } finally {
      active -= 1;
      entry.endedMs = record.now();
      lastEnd = entry.endedMs;
      over.resolve();
    }
    void measureRecovery(entry);
  }

  /** Measures the recovery after a fault, unless another fault begins. */
  async function measureRecovery(entry: InjectedFault): Promise<void> {
    while (active === 0 && lastEnd === entry.endedMs && record.now() - entry.endedMs < RECOVERS_MS) {
      const ms = record.recoveredAfter(entry.endedMs);
      if (ms !== undefined) {
        entry.recoveryMs = ms;
        return;
      }
      await pause(50);
    }
  }

  async function run(): Promise<void> {
    const running: Promise<void>[] = [];
    for (const planned of schedule.toSorted((a, b) => a.atMs - b.atMs)) {
      const wait = planned.atMs - record.now();
      if (wait > 0) await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) break;
      running.push(inject(planned));
    }
    await Promise.all(running);
  }

  return {
    happened,
    skipped,
    run,
    /** Ends the active faults and starts no others. */
    stop: () => stopping.abort(),
    isCalm: (forMs: number) => active === 0 && record.now() - lastEnd > forMs,
  };
}

export type Nemesis = ReturnType<typeof createNemesis>;
