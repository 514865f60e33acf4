/* Time limits of the wallet. test/integration/deadlines.test.ts compares them with those of other processes. */

/** Lifetime of a call's hold; every billed step extends it. */
export const HOLD_SECONDS = 600;
/** Longest wait of a charge for its batch: the service calls times out after the same two seconds. */
export const CHARGE_PATIENCE_MS = 2_000;
/** Time after which a batch answers without its slowest charges, which the service calls then retries. */
export const BATCH_ANSWER_MS = 500;
/** Duration of the freeze before a deletion of the account: longer than the deletion may take. */
export const FROZEN_SECONDS = 30;
/** For reads of unknown users from identity; after it a list shows the user without a name. */
export const READ_THROUGH_MS = 1_000;
/** For one of two tries of a request to a payment provider: both fit into the gateway's time limit. */
export const PROVIDER_MS = 8_000;
/** For a provider's answer about an open deposit, in the background. */
export const ASK_MS = 5_000;
/** Lease of a deposit that a replica asks about: longer than the answer and its processing take. */
export const ASK_LEASE_SECONDS = 60;
/** How long a refund may be made again under its key: less than the day for which providers keep keys. */
export const REFUND_KEY_SECONDS = 23 * 3_600;
/** For a statement of the full audit, which reads the whole ledger in the background. */
export const AUDIT_STATEMENT_MS = 3_600_000;
/** For a statement of an audit step, which may read ten thousand rows from a cold disk. */
export const AUDIT_STEP_STATEMENT_MS = 60_000;
