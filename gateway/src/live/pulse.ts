const SLOTS = 20;

/** Beats every item once a period, with one timer for all, spread over the period. */
export function createPulse<Item>(periodMs: number, beat: (item: Item) => void) {
  const slots = Array.from({ length: SLOTS }, () => new Set<Item>());
  let at = 0;
  const slot = () => slots[at] ?? new Set<Item>();
  const timer = setInterval(() => {
    at = (at + 1) % SLOTS;
    for (const item of slot()) beat(item);
  }, periodMs / SLOTS);

  return {
    /** The first beat comes a period later. */
    add: (item: Item) => void slot().add(item),
    remove: (item: Item) => void slots.some((items) => items.delete(item)),
    stop: () => clearInterval(timer),
  };
}
