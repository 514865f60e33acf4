const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Ages in seconds at which a provider is asked. After the last one: hourly, for three days. */
const ASKED_AT = [MINUTE, 5 * MINUTE, 30 * MINUTE];
const ASKED_UNTIL = 72 * HOUR;

/**
 * The age in seconds at which the provider is asked next about a deposit or refund of this age; undefined: never again.
 * After a request without an answer the schedule continues beyond the three days.
 */
export function nextAskAge(age: number, hasAnswer: boolean): number | undefined {
  const early = ASKED_AT.find((at) => at > age);
  if (early !== undefined) return early;
  const last = ASKED_AT.at(-1)!;
  const next = last + HOUR * (Math.floor((age - last) / HOUR) + 1);
  return next > ASKED_UNTIL && hasAnswer ? undefined : next;
}
