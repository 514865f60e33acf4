const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Ages in seconds at which a provider is asked. After the last one: hourly, for three days. */
const ASKED_AT = [MINUTE, 5 * MINUTE, 30 * MINUTE];
const ASKED_UNTIL = 72 * HOUR;

/** Ages at which a provider is asked about a payout that it has paid: the money may have come back. */
const RETURNS_ASKED_AT = [MINUTE, HOUR, 24 * HOUR, ASKED_UNTIL];

/**
 * The age in seconds at which the provider is asked next about a deposit, refund or payout of this age; undefined: never again.
 * After a request without an answer the schedule continues beyond the three days.
 */
export function nextAskAge(age: number, hasAnswer: boolean): number | undefined {
  const early = ASKED_AT.find((at) => at > age);
  if (early !== undefined) return early;
  const last = ASKED_AT.at(-1)!;
  const next = last + HOUR * (Math.floor((age - last) / HOUR) + 1);
  return next > ASKED_UNTIL && hasAnswer ? undefined : next;
}

/** Like `nextAskAge`, of a payout that was paid. */
export const nextReturnAge = (age: number): number | undefined => RETURNS_ASKED_AT.find((at) => at > age);
