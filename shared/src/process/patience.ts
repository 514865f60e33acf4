/** How long to wait after so many failures: doubled with each, in the unit of `first` and `longest`. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(first * 2 ** failures, longest);

/** Rejects with `late()` after `limitMs`; the outcome of the work is not known then. */
export function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const timer = setTimeout(() => ended.reject(late()), limitMs);
  return Promise.race([work, ended.promise]).finally(() => clearTimeout(timer));
}
