/* Time limits of calls, each with its reason. test/integration/deadlines.test.ts compares them across services. */

/** How long a bill waits for wallet: longer than a charge takes, but short enough for an answer within 3 seconds. */
export const BILL_PATIENCE_MS = 2_300;
/** How long a bill may wait in the queue. After that it is refused: the app has timed out. */
export const BILL_QUEUE_MS = 3_000;
/** Time limit of the transaction that records bills; it skips locked calls. */
export const BILL_LIMIT_MS = 2_000;
/** How long `end` waits for the settlement before it answers; a job finishes the rest. */
export const END_PATIENCE_MS = 2_000;
/** How long the job works on one call: less than the lease. */
export const SETTLEMENT_PATIENCE_MS = 8_000;
/** How long a lease lasts: longer than any single request to wallet. Each charged step renews it. */
export const LEASE_SECONDS = 10;
/** After a lost answer a refusal is not final for this long: the lost request may still take effect. */
export const DOUBT_US = 20_000_000;
/** How long an acceptance may exceed the ring time-out while its hold request is in flight. */
export const ACCEPTING_GRACE_US = 10_000_000;
/** Delay of the release of a hold whose request was in flight when the ringing ended: the request has expired then. */
export const RELEASE_AFTER_SECONDS = 15;
