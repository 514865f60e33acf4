/* Time budgets of messaging, each with its reason. test/integration/deadlines.test.ts compares them across services. */

/** For a read from identity or wallet when the local copy is missing: the sender of a message waits for it. */
export const READ_THROUGH_MS = 1_000;
/** For reading the viewer's live call for a room list: after that, the list is shown without it. */
export const LIVE_CALL_MS = 300;
/** Maximum age of a cached setting: a change must take effect within 2 seconds, including delivery of its event. */
export const SETTINGS_CACHED_MS = 1_000;
/** For one request to the push provider: no user waits, only a job. */
export const PUSH_SEND_MS = 20_000;
/** The lease of a claimed notification; when the process crashes, another one claims the notification after it. */
export const PUSH_LEASE_SECONDS = 60;
