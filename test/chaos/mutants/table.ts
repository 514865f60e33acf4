import { planFaults } from '../nemesis/schedule.ts';
import { run } from '../run.ts';
import { randomFrom } from '../seed.ts';
import { mutatedCopy } from './copy.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';
import type { StackOptions } from '../stack/stack.ts';

const MINUTES = 0.6;
const PAIRS = 4;
/** Shorter than in a usual run, so that a defect shows soon. */
const BETWEEN_MS = 800;

function mutantOf(name: string): Mutant {
  const mutant = MUTANTS[name];
  if (!mutant) throw new Error(`there is no mutant "${name}"; there are: ${Object.keys(MUTANTS).join(', ')}`);
  return mutant;
}

/** Options of a stack with this defect. Its copy of the sources is removed when this process exits. */
export function defectiveStack(name: string): Pick<StackOptions, 'root' | 'durable'> {
  const { edits, stack } = mutantOf(name);
  return { ...stack, ...(edits.length > 0 && { root: mutatedCopy(edits).root }) };
}

/** Runs the system with this defect. Returns the first violation, or undefined when the mutant survives. */
export async function tryMutant(name: string, seed: string, say: (line: string) => void): Promise<string | undefined> {
  const { edits, stack, faults = [], minutes = MINUTES, at } = mutantOf(name);
  const copy = edits.length > 0 ? mutatedCopy(edits) : undefined;
  try {
    const random = randomFrom(`${seed}/${name}`);
    const schedule = {
      seed,
      minutes,
      faults: planFaults({ random, minutes, betweenMs: BETWEEN_MS, only: faults, ...(at && { at }) }),
    };
    const options = { ...stack, ...(copy && { root: copy.root }) };
    const { record } = await run({ schedule, pairs: PAIRS, stack: options, failFast: true, say });
    const [first] = record.violations;
    if (first) say(`${(first.at / 1_000).toFixed(1)} s, ${first.what}: ${first.detail}`);
    return first?.what;
  } finally {
    copy?.remove();
  }
}

/** Tries the mutants one after another and prints the violation that caught each. Returns the number of survivors. */
export async function tryMutants(names: readonly string[], seed: string, say: (line: string) => void): Promise<number> {
  const caught: [string, string | undefined][] = [];
  for (const name of names) {
    const by = await tryMutant(name, seed, say).catch((error: unknown) => `cannot run: ${String(error)}`);
    caught.push([name, by]);
    say(`| ${name} | ${by ?? 'SURVIVED'} |`);
  }
  const survived = caught.filter(([, by]) => by === undefined || by.startsWith('cannot run'));
  say(`${caught.length - survived.length} of ${caught.length} mutants were caught`);
  return survived.length;
}
