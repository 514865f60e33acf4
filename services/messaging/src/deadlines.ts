/* Time budgets of messaging, each with its reason. test/integration/deadlines.test.ts compares them across services. */

/** For a read from identity or wallet that the copies here lack: a person waits for it while sending. */
export const READ_THROUGH_MS = 1_000;
/** For the live call of who lists rooms: without an answer they are shown as if there were none. */
export const LIVE_CALL_MS = 300;
/** How old a cached setting may be: a change must take effect within 2 seconds, delivery of its event included. */
export const SETTINGS_FRESH_MS = 1_000;
/** For one request to the push provider: only a job waits for it. */
export const PUSH_SEND_MS = 20_000;
/** How long a process holds a claimed notification; after a crash another process claims it then. */
export const PUSH_LEASE_SECONDS = 60;
