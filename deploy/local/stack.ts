import type { Exit } from './guard.ts';
import { killGuarded } from './guard.ts';

export type Ending = { code: number; reason?: string; lastLines?: () => string[] };
type Part = { exited: Promise<Exit>; lastLines: () => string[]; stop: () => Promise<void> };

/** Thrown by `check` when the stack is stopping, to abort a start in progress. */
export class Interrupted extends Error {}

export type Stack = {
  /** Adds a running part to a layer. If it exits, the stack stops. Layers stop from the highest to the lowest. */
  add: (layer: number, name: string, part: Part) => void;
  end: (ending: Ending) => void;
  ended: Promise<Ending>;
  check: () => void;
  stopAll: () => Promise<void>;
};

function describe({ code, signal }: Exit): string {
  return signal ? `was killed by ${signal}` : `exited with code ${code ?? 'unknown'}`;
}

export function createStack(): Stack {
  const layers: Part[][] = [];
  const { promise: ended, resolve } = Promise.withResolvers<Ending>();
  let ending = false;
  const end = (how: Ending) => {
    ending = true;
    resolve(how);
  };
  const add: Stack['add'] = (layer, name, part) => {
    (layers[layer] ??= []).push(part);
    void part.exited.then((exit) => end({ code: 1, reason: `${name} ${describe(exit)}`, lastLines: part.lastLines }));
  };
  const check = () => {
    if (ending) throw new Interrupted();
  };
  const stopAll = async () => {
    for (const layer of layers.toReversed()) await Promise.all((layer ?? []).map((part) => part.stop()));
  };
  return { add, end, ended, check, stopAll };
}

/** Signals within this time count as one: npm repeats a Ctrl-C that the terminal has already delivered. */
const SAME_SIGNAL_MS = 1_000;

/** The first signal stops the stack in order; a second one kills it. */
export function endOnSignals(stack: Stack, say: (text: string) => void): void {
  let first: number | undefined;
  const onSignal = () => {
    if (first === undefined) {
      first = Date.now();
      say('stopping; press Ctrl-C again to kill everything');
      stack.end({ code: 0 });
    } else if (Date.now() - first > SAME_SIGNAL_MS) {
      void killGuarded().finally(() => process.exit(1));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
