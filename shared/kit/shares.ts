/** Holder of a share: a client network and a person. Either is undefined if it is not limited. */
export interface ShareHolder {
  network?: string | undefined;
  person?: string | undefined;
}

/**
 * Divides `total` among clients. A network gets at most half of what other networks leave, a person at most
 * `perPerson`. The first share of a holder may exceed these limits, but not `total`.
 */
export function createShares(total: number, perPerson = total) {
  const held = new Map<string, number>();
  let sum = 0;
  const add = (key: string, amount: number) => {
    const next = (held.get(key) ?? 0) + amount;
    if (next > 0) held.set(key, next);
    else held.delete(key);
  };
  const fits = (key: string, amount: number, limit: (own: number) => number) => {
    const own = held.get(key) ?? 0;
    return own === 0 || own + amount <= limit(own);
  };

  return {
    /** Returns a function that releases the share (call it once); undefined when the share is refused. */
    take: (amount: number, { network, person }: ShareHolder): (() => void) | undefined => {
      if (sum + amount > total) return undefined;
      if (network !== undefined && !fits(network, amount, (own) => (total - (sum - own)) / 2)) return undefined;
      if (person !== undefined && !fits(person, amount, () => perPerson)) return undefined;
      const move = (by: number) => {
        sum += by;
        if (network !== undefined) add(network, by);
        if (person !== undefined) add(person, by);
      };
      move(amount);
      return () => move(-amount);
    },
    /** Whether more than three quarters are taken, which a single network cannot do. */
    isScarce: () => sum > 0.75 * total,
  };
}

export type Shares = ReturnType<typeof createShares>;
