/* Time budgets of messaging, each with its reason; test/integration/deadlines.test.ts holds them against the others'. */

/** For identity and wallet to tell what the copies here lack: a person waits for the message to be sent. */
export const READ_THROUGH_MS = 1_000;
/** How old a setting may be: a change must be felt within 2 seconds, its event's way included. */
export const SETTINGS_FRESH_MS = 1_000;
/** For the push provider: a job waits. */
export const PUSH_SEND_MS = 20_000;
/** How long a claimed notification stays with its process; who crashes meanwhile leaves it to the next. */
export const PUSH_LEASE_SECONDS = 60;
