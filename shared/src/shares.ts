/** Who holds a part of something: a client network and a person, where each is counted. */
export interface Holder {
  network?: string | undefined;
  person?: string | undefined;
}

/**
 * Divides `total` among clients: a network never holds more than half of what the other networks leave, a person never
 * more than `perPerson`. The first part of a holder may be larger than that, as long as there is room for it.
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
    /** Returns what gives the part back, to be called once; undefined when it is refused. */
    take: (amount: number, { network, person }: Holder): (() => void) | undefined => {
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
    /** More than three quarters are taken: more than one network alone can take. */
    isScarce: () => sum > 0.75 * total,
  };
}

export type Shares = ReturnType<typeof createShares>;
