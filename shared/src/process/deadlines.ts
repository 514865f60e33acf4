/*
 * Time budgets of every process: how long it waits for others, or may hold what others wait for. Those of one service
 * are in its own deadlines.ts, those of commands in internal/catalogue.ts; test/integration/deadlines.test.ts checks
 * them against each other. Periods of jobs and product rules are with their features.
 */

// Database

/** The server ends a statement after this: less than the gateway waits for the whole answer. */
export const STATEMENT_MS = 5_000;
/** After this much more the client considers the connection dead. */
export const SILENCE_MS = 2_000;
/** A longer wait for a row lock means a fault, and the client still needs an answer. */
export const LOCK_MS = 2_000;
/** An idle transaction has lost its process: its locks are released before other requests time out. */
export const IDLE_IN_TRANSACTION_MS = 10_000;
/** For a connection to be made: as long as a statement. */
export const CONNECT_MS = 5_000;
/** TCP keep-alive: the kernel checks a silent connection's other side after this. */
export const KEEP_ALIVE_AFTER_MS = 5_000;
/** A migration must not make others wait long behind its lock. */
export const MIGRATION_LOCK_MS = 10_000;
/** A statement of a migration may take as long as it needs; the kernel finds out when its connection is dead. */
export const MIGRATION_STATEMENT_MS = 24 * 60 * 60 * 1_000;
/** A batch and its items done one by one: longer than the database lets a statement wait for a lock. */
export const BATCH_LIMIT_MS = 3_000;
/** An item that has not started by then is refused: its client has given up. */
export const BATCH_PATIENCE_MS = 5_000;
/** A key whose request died: longer than any request runs. Then a repeat takes the key over. */
export const CLAIM_SECONDS = 30;

// Events

/**
 * Together with the second that the next leader takes to notice, a leader that hangs is replaced within five seconds.
 */
export const LEASE_MS = 4_000;
/** For the broker's ack of a published message. */
export const PUBLISH_MS = 2_000;
/** More than all time-outs of one turn of the relay together: a turn that takes longer hangs forever. */
export const RELAY_OVERDUE_MS = 30_000;
/**
 * Events that a dead replica had in flight are delivered again after this; a live replica extends it while it works.
 */
export const ACK_WAIT_MS = 5_000;

/** A connection to NATS with two of these pings unanswered is closed. */
export const NATS_PING_MS = 5_000;

// HTTP

/** Longer than the gateway's agents keep idle connections, so that they never use one that is being closed. */
export const KEEP_ALIVE_MS = 75_000;
/** A process leaves an idle connection to another before that one closes it. */
export const LEAVE_IDLE_MS = 60_000;
/** Idle seconds after which a client is told to close a connection: less than SHUTDOWN_DELAY_MS of a deployment. */
export const IDLE_SECONDS = 3;
/** How long nothing may move on a connection: longer than any answer takes. */
export const SILENT_CONNECTION_MS = 75_000;
/** How long a refused client may take to read the answer. */
export const LINGER_MS = 1_000;
/** For a request's headers and body to arrive: more than the gateway gives its own clients, uploads included. */
export const HEADERS_MS = 20_000;
export const REQUEST_MS = 960_000;
/** The same for scrapers of metrics: they are few and their requests are short. */
export const SCRAPE_HEADERS_MS = 5_000;
export const SCRAPE_MS = 10_000;
/** To connect to a store of files, and the longest silence while bytes are on their way to or from it. */
export const STORE_CONNECT_MS = 2_000;
export const STORE_SILENCE_MS = 10_000;
/**
 * To rewrite an image, and to wait for a turn: longer than those before it may take, and together less than the gateway
 * waits for an upload's answer.
 */
export const IMAGE_MS = 20_000;
export const IMAGE_QUEUE_MS = 25_000;
/** Of IMAGE_MS, to copy the file of an image that cannot be shown. */
export const COPY_MS = 4_000;
/** From SIGTERM to the exit: before a supervisor kills. */
export const STOP_WITHIN_MS = 25_000;
/**
 * Of that, beside SHUTDOWN_DELAY_MS: for requests in flight, longer than the gateway waits for an answer; for jobs and
 * events in hand, as long as a statement; twice for the rest.
 */
export const STOP_REQUESTS_MS = 12_000;
export const STOP_WORK_MS = 5_000;
export const STOP_REST_MS = 1_000;
/** To send the last spans to a collector of traces. */
export const STOP_TRACES_MS = 500;

// Identities

/** How long a signed identity is valid: longer than any request runs. */
export const IDENTITY_MS = 30_000;
/** How far the clocks of two machines may differ before one refuses what the other signed. */
export const LEEWAY_MS = 180_000;
/** How long a process signs as one run: then others measure its clock anew, which may drift while it is corrected. */
export const RUN_MS = 300_000;
/** Signing again every 5 s leaves the receiver most of the 30 s. */
export const RESIGN_AFTER_MS = 5_000;

// Waiting

/** How long to wait after so many failures: doubled with each, in the unit of `first` and `longest`. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(first * 2 ** failures, longest);

/** Rejects with `late()` after `limitMs`; the outcome of the work is not known then. */
export function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const timer = setTimeout(() => ended.reject(late()), limitMs);
  return Promise.race([work, ended.promise]).finally(() => clearTimeout(timer));
}
