/* Time budgets of wallet, each with its reason; test/integration/deadlines.test.ts holds them against the others'. */

/** A call's hold ends when nobody touched it for this long: calls that are billed touch it with every step. */
export const HOLD_SECONDS = 600;
/** Calls gives up after two seconds: a charge that it no longer waits for shall not take effect much later. */
export const CHARGE_PATIENCE_MS = 2_000;
/** How long a batch waits for its slowest charge; what that one comes to is asked again. */
export const BATCH_ANSWER_MS = 500;
/** An account that identity is about to delete takes no new money: longer than deleting takes, once it may. */
export const FROZEN_SECONDS = 30;
/** For identity to tell of somebody unknown: a list is shown without the name rather than late. */
export const READ_THROUGH_MS = 1_000;
/** For Stripe's answer, of which a person waits: within what the gateway gives a request. Tried twice. */
export const STRIPE_MS = 8_000;
/** For a statement of the audit: each reads the whole ledger, and nobody waits for it. */
export const AUDIT_STATEMENT_MS = 600_000;
