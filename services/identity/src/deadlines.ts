/* Time budgets of identity, each with its reason; test/integration/deadlines.test.ts holds them against the others'. */

/** For wallet to tell a balance that is only shown; without it 0 is. */
export const BALANCE_MS = 300;
/** For an issuer of social logins: a person waits, and may be asked about twice (keys, then the token). */
export const ISSUER_MS = 3_000;
/** For a mail or SMS provider: a job waits, nobody else. */
export const CARRIER_MS = 15_000;
/** How old the dashboard's figures may be, as its description promises. */
export const STATS_FRESH_MS = 5_000;
/** For an export, from its first byte to its last: who takes it more slowly keeps others from theirs, and gets none. */
export const EXPORT_MS = 600_000;
