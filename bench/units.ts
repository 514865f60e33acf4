import { writeFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARTS, startStack, type Part } from './units/stack.ts';
import { createWork, type Kind } from './units/work.ts';

const KINDS: Kind[] = ['request', 'login', 'message', 'deposit', 'step'];
const PAIRS = 16;
const IDLE_SECONDS = 5;
/** Limits by kind: the gateway accepts 600 webhooks per minute and address. */
const MAX_COUNT: Partial<Record<Kind, number>> = { deposit: 500 };

/** The cost of one unit of a kind of work. */
export interface Unit {
  /** Milliseconds of CPU, by part. */
  cpuMs: Record<Part, number>;
  walBytes: number;
  dataBytes: number;
  natsBytes: number;
}

export interface Figures {
  measuredAt: string;
  units: Record<Kind, Unit>;
  /** A replica without work. */
  idle: Record<Part, { cpuMsPerSecond: number; residentMiB: number }>;
}

export const FIGURES = new URL('figures.json', import.meta.url);

const byPart = <T>(of: (part: Part) => T) =>
  Object.fromEntries(PARTS.map((part) => [part, of(part)])) as Record<Part, T>;
const rounded = (value: number, digits = 3) => Number(value.toFixed(digits));

/**
 * `npm run bench -- units [seconds]`: the CPU time, WAL and bytes that a request, a login, a message, a deposit and a
 * step of a call cost each process. Writes bench/figures.json, the input of `node bench/plan.ts`.
 */
export async function run([seconds = '8']: string[]): Promise<void> {
  const stack = await startStack();
  try {
    const work = await createWork(stack, PAIRS);
    await sleep(2_000);
    const before = stack.measure();
    await sleep(IDLE_SECONDS * 1_000);
    const after = stack.measure();
    const idle = byPart((part) => ({
      cpuMsPerSecond: rounded(((after[part].cpu - before[part].cpu) * 1_000) / IDLE_SECONDS),
      residentMiB: Math.round(after[part].residentBytes / 2 ** 20),
    }));

    const units = {} as Record<Kind, Unit>;
    for (const kind of KINDS) {
      const [cpu, stored, began] = [stack.measure(), await stack.stored(), performance.now()];
      let count = 0;
      const maxCount = MAX_COUNT[kind] ?? Infinity;
      while (count < maxCount && performance.now() - began < Number(seconds) * 1_000) {
        const batch = Array.from({ length: PAIRS }, (_none, index) => count + index);
        // The first call of a batch moves the clock for all.
        if (kind === 'step') await work.step(batch[0]!);
        await Promise.all(batch.slice(kind === 'step' ? 1 : 0).map((number) => work[kind](number)));
        count += PAIRS;
      }
      // Waits for the events of the last units.
      await sleep(2_000);
      const [cpuAfter, storedAfter, took] = [stack.measure(), await stack.stored(), performance.now() - began];
      units[kind] = {
        cpuMs: byPart((part) => {
          const spent = (cpuAfter[part].cpu - cpu[part].cpu) * 1_000 - (idle[part].cpuMsPerSecond * took) / 1_000;
          return rounded(Math.max(0, spent / count));
        }),
        walBytes: Math.round((storedAfter.wal - stored.wal) / count),
        dataBytes: Math.round((storedAfter.data - stored.data) / count),
        natsBytes: Math.max(0, Math.round((storedAfter.nats - stored.nats) / count)),
      };
      console.log(`${kind}: ${count} in ${(took / 1_000).toFixed(1)} s`, JSON.stringify(units[kind]));
    }
    const figures: Figures = { measuredAt: new Date().toISOString().slice(0, 10), units, idle };
    await writeFile(FIGURES, `${JSON.stringify(figures, undefined, 2)}\n`);
  } finally {
    await stack.stop();
  }
}
