/** Random numbers that depend only on a seed. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** A copy of the list in random order. */
  shuffled<T>(list: readonly T[]): T[];
  chance(probability: number): boolean;
  /** An exponentially distributed pause in milliseconds, at most ten times `meanMs`. */
  pauseMs(meanMs: number): number;
  /** An independent stream of numbers, so that actors do not influence one another's numbers. */
  fork(name: string): Random;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const character of text) value = Math.imul(value ^ character.codePointAt(0)!, 0x01000193);
  return value >>> 0;
}

/** SplitMix32. */
export function randomFrom(seed: string): Random {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (list) => {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[Math.floor(next() * list.length)]!;
    },
    shuffled: (list) => {
      const left = [...list];
      return list.map(() => left.splice(Math.floor(next() * left.length), 1)[0]!);
    },
    chance: (probability) => next() < probability,
    pauseMs: (meanMs) => Math.min(10 * meanMs, -Math.log(1 - next()) * meanMs),
    fork: (name) => randomFrom(`${seed}/${name}`),
  };
}
