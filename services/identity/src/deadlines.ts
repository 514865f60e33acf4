/* Time budgets of identity, each with its reason; test/integration/deadlines.test.ts compares them with the others'. */

/** For wallet to return a balance that is only shown; without it what was last heard is shown, or 0. */
export const BALANCE_MS = 300;
/** For an issuer of social logins: a person waits, and it may be asked twice (keys, then the token). */
export const ISSUER_MS = 3_000;
/** For a mail or SMS provider: a job waits, no person. */
export const CARRIER_MS = 15_000;
/**
 * For whoever has claimed a message, before it is due again: a carrier may take its time to connect and to be greeted,
 * and then to answer. A crash repeats the message after it.
 */
export const CLAIM_MS = 2 * CARRIER_MS + 5_000;
/** Maximum age of the dashboard's figures; its description promises it. */
export const STATS_FRESH_MS = 5_000;
/** For an export, from first to last byte: a slower reader would block other exports, so it is cut off. */
export const EXPORT_MS = 600_000;
/** For a place among the exports in flight: the gateway waits ten seconds for the first byte. */
export const EXPORT_WAIT_MS = 5_000;
/**
 * The pauses before a page of an export is asked for again: a replica that is replaced must not break a long download.
 * With the time of each request less than the gateway waits between two pieces.
 */
export const EXPORT_REPEATS_MS = [500, 1_500];
