/*
 * Time budgets of every process: how long it waits for somebody, or lets somebody keep what others wait for. Those of
 * one service stand in its own deadlines.ts, those of the commands in internal/catalogue.ts, and
 * test/integration/deadlines.test.ts holds them against each other. Periods of jobs and terms of the product stand with
 * their feature.
 */

// Database

/** The server ends a statement after this: less than the gateway waits for the whole answer. */
export const STATEMENT_MS = 5_000;
/** So much later the client takes the connection for dead. */
export const SILENCE_MS = 2_000;
/** Whoever waits longer for a row has met a fault, and its client still wants an answer. */
export const LOCK_MS = 2_000;
/** A transaction that does nothing has lost its process: its locks are given back before anybody's patience ends. */
export const IDLE_IN_TRANSACTION_MS = 10_000;
/** For a connection to be made: as long as a statement. */
export const CONNECT_MS = 5_000;
/** A silent connection's other side is asked after by the kernel. */
export const KEEP_ALIVE_AFTER_MS = 5_000;
/** A migration shall not queue everybody behind it for long. */
export const MIGRATION_LOCK_MS = 10_000;
/** A statement of a migration may take as long as it needs; that its connection is dead the kernel finds out. */
export const MIGRATION_STATEMENT_MS = 24 * 60 * 60 * 1_000;
/** A batch and what it does one by one: longer than the database lets anybody wait for a lock. */
export const BATCH_LIMIT_MS = 3_000;
/** Nobody waits for an item any more that was not begun by then. */
export const BATCH_PATIENCE_MS = 5_000;
/** A key of a request that died: longer than any request runs. A repeat takes it over. */
export const CLAIM_SECONDS = 30;

// Events

/** With the second that the next one takes to notice, a leader that hangs is replaced within five. */
export const LEASE_MS = 4_000;
/** For the broker's ack of what was published. */
export const PUBLISH_MS = 2_000;
/** All time-outs of a turn of the relay, one after the other, are below: what takes longer hangs for good. */
export const RELAY_OVERDUE_MS = 30_000;
/** What a replica that died had in hand comes again after it; one that lives says in between that it is at work. */
export const ACK_WAIT_MS = 5_000;

/** A link to NATS that leaves two of these without an answer is given up. */
export const NATS_PING_MS = 5_000;

// HTTP

/** Outlasts the idle connections of the gateway's agents, so that they never meet a closing one. */
export const KEEP_ALIVE_MS = 75_000;
/** After how many idle seconds a client is told to give up a connection: less than SHUTDOWN_DELAY_MS of a deployment. */
export const IDLE_SECONDS = 3;
/** How long a client that has been refused may take to read why. */
export const LINGER_MS = 1_000;
/** To the end of a request's headers, and of its body: more than the gateway gives its own clients, also to upload. */
export const HEADERS_MS = 20_000;
export const REQUEST_MS = 960_000;
/** The same for who reads the metrics: a few scrapers, whose requests are short. */
export const SCRAPE_HEADERS_MS = 5_000;
export const SCRAPE_MS = 10_000;
/** For a store of files to be reached, and how long it may say nothing while bytes go to or from it. */
export const STORE_CONNECT_MS = 2_000;
export const STORE_SILENCE_MS = 10_000;
/** For an image to be written anew, and for those before it: together less than the gateway waits for an upload's answer. */
export const IMAGE_SECONDS = 20;
export const IMAGE_QUEUE_MS = 15_000;
/** From SIGTERM to the end: before a supervisor kills. */
export const STOP_WITHIN_MS = 25_000;

// Identities

/** How long a signed identity is good: longer than any request is under way. */
export const IDENTITY_MS = 30_000;
/** How far the clocks of two machines may differ before one refuses what the other signs. */
export const LEEWAY_MS = 180_000;
/** Signing anew every 5 s leaves the receiver most of the 30. */
export const RESIGN_AFTER_MS = 5_000;
