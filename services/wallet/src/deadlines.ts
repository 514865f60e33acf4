/* Time budgets of wallet, each with its reason; test/integration/deadlines.test.ts compares them with the others'. */

/** A call's hold expires when nothing has extended it for this long; every billed step extends it. */
export const HOLD_SECONDS = 600;
/** Calls gives up after two seconds: a charge must not take effect much later. */
export const CHARGE_PATIENCE_MS = 2_000;
/** How long a batch waits for its slowest charge; calls then asks for that charge again. */
export const BATCH_ANSWER_MS = 500;
/** An account that identity is about to delete takes no new money: longer than the deletion may take. */
export const FROZEN_SECONDS = 30;
/** For identity to return unknown users: a list is shown without a name rather than late. */
export const READ_THROUGH_MS = 1_000;
/** For Stripe, tried twice while a person waits: within the gateway's time limit. */
export const STRIPE_MS = 8_000;
/** For a provider that is asked about an open deposit, while nobody waits. */
export const ASK_MS = 5_000;
/** A deposit is asked about by one replica at a time, for longer than the provider's answer and its effect take. */
export const ASK_LEASE_SECONDS = 60;
/** For a statement of the whole audit: each reads the whole ledger, and nobody waits for it. */
export const AUDIT_STATEMENT_MS = 3_600_000;
/** For a statement of a step of the audit: a step reads some ten thousand rows, which may all be on a cold disk. */
export const AUDIT_STEP_STATEMENT_MS = 60_000;
