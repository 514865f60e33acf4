/* Time budgets of calls, each with its reason; test/integration/deadlines.test.ts holds them against the others'. */

/** How long a bill waits for wallet: longer than one charge, and its answer still comes within 3 seconds. */
export const BILL_PATIENCE_MS = 2_300;
/** A bill that was not begun by then is refused: its app has given up. */
export const BILL_QUEUE_MS = 3_000;
/** For the transaction that records bills; it skips locked calls. */
export const BILL_LIMIT_MS = 2_000;
/** How long `end` waits for the settlement before it answers; what is left is a job's. */
export const END_PATIENCE_MS = 2_000;
/** How long the job stays with one call: within its lease. */
export const SETTLEMENT_PATIENCE_MS = 8_000;
/** The right to speak with wallet about a call: longer than any single request to wallet; extended with every step. */
export const LEASE_SECONDS = 10;
/** After a lost answer no refusal is believed for so long: the lost request may still take effect. */
export const DOUBT_US = 20_000_000;
/** How long an acceptance under way may outlast the ring time-out: wallet is being asked for the hold. */
export const ACCEPTING_GRACE_US = 10_000_000;
/** A hold that was asked for while the ringing ended is released after this: its request can have no effect any more. */
export const RELEASE_AFTER_SECONDS = 15;
