/* Time-outs and intervals of identity; test/integration/deadlines.test.ts checks them against the other services'. */

/** Time-out of a balance from wallet that is only displayed; afterwards the last received balance, or 0, is shown. */
export const BALANCE_MS = 300;
/** Time-out of a request to a social login provider: a user waits, and there may be two requests (keys, token). */
export const ISSUER_MS = 3_000;
/** Time-out of a mail or SMS provider: only a job waits. */
export const CARRIER_MS = 15_000;
/**
 * How long a claimed message is hidden from other replicas: longer than a carrier may take to connect and then to
 * answer. After a crash the message is sent again after this time.
 */
export const CLAIM_MS = 2 * CARRIER_MS + 5_000;
/** Maximum age of the dashboard's figures, as the API reference says. */
export const STATS_MAX_AGE_MS = 5_000;
/** Time-out of an export, first to last byte: a slower reader is cut off, because it would block other exports. */
export const EXPORT_MS = 600_000;
/** How long an export waits for a free slot: the gateway waits ten seconds for the first byte. */
export const EXPORT_WAIT_MS = 5_000;
/**
 * Pauses before the retries of a page of an export: the restart of a replica must not break a long download. Pauses and
 * requests together take less time than the gateway waits between two chunks.
 */
export const EXPORT_RETRY_PAUSES_MS = [500, 1_500];
