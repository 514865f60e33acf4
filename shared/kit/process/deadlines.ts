/*
 * Timeouts of every process, in milliseconds unless named otherwise. Timeouts of a single service are in its own
 * deadlines.ts, those of commands in internal/catalogue.ts; test/integration/deadlines.test.ts checks them against each
 * other. Intervals of jobs and product rules are next to their features.
 */

// Database

/** PostgreSQL's statement timeout: less than the gateway waits for an answer. */
export const STATEMENT_MS = 5_000;
/** Grace period after the statement timeout, after which the client considers the connection dead. */
export const SILENCE_MS = 2_000;
/** PostgreSQL's lock timeout: a longer wait is a fault, and the client still needs an answer. */
export const LOCK_MS = 2_000;
/** Ends a transaction whose process has died, to release its locks before other requests time out. */
export const IDLE_IN_TRANSACTION_MS = 10_000;
/** To establish a connection: as long as a statement. */
export const CONNECT_MS = 5_000;
/** TCP keep-alive: when the kernel begins to probe a silent connection. */
export const KEEP_ALIVE_AFTER_MS = 5_000;
/** Lock timeout of migrations: while a migration waits for a lock, other statements wait behind it. */
export const MIGRATION_LOCK_MS = 10_000;
/** Migrations have practically no statement timeout; TCP keep-alive detects a dead connection. */
export const MIGRATION_STATEMENT_MS = 24 * 60 * 60 * 1_000;
/** For a batch, and for an item that is done alone: longer than the lock timeout. */
export const BATCH_LIMIT_MS = 3_000;
/** An item that has not been started by then is refused, because its client has given up. */
export const BATCH_WAIT_MS = 5_000;
/** When a repeat may take over the idempotency key of a crashed request: longer than any request runs. */
export const CLAIM_SECONDS = 30;

// Events

/** With the polling interval of one second, a leader that hangs is replaced within five seconds. */
export const LEASE_MS = 4_000;
/** For the acknowledgement of a published message. */
export const PUBLISH_MS = 2_000;
/** More than all timeouts in one iteration of a relay loop together: a longer iteration hangs forever. */
export const RELAY_OVERDUE_MS = 30_000;
/** When the events in flight of a dead replica are redelivered. A live replica extends it while it works. */
export const ACK_WAIT_MS = 5_000;

/** A connection to NATS with two of these pings unanswered is closed. */
export const NATS_PING_MS = 5_000;

// HTTP

/** Longer than the gateway keeps idle connections, so that it never uses a connection that is being closed. */
export const KEEP_ALIVE_MS = 75_000;
/** When a client process closes an idle connection: before the server does. */
export const LEAVE_IDLE_MS = 60_000;
/** Keep-alive time in seconds that is announced to clients: less than SHUTDOWN_DELAY_MS of a deployment. */
export const IDLE_SECONDS = 3;
/** When a connection without any traffic is closed: longer than any answer takes. */
export const SILENT_CONNECTION_MS = 75_000;
/** How long a refused client may take to read the answer. */
export const LINGER_MS = 1_000;
/** For the headers and body of a request: more than the gateway allows its own clients, including uploads. */
export const HEADERS_MS = 20_000;
export const REQUEST_MS = 960_000;
/** The same for the metrics port, whose requests are short. */
export const SCRAPE_HEADERS_MS = 5_000;
export const SCRAPE_MS = 10_000;
/** To connect to the file store, and the longest pause during a transfer. */
export const STORE_CONNECT_MS = 2_000;
export const STORE_SILENCE_MS = 10_000;
/**
 * To render an image, and to wait in the queue for it. The wait is longer than the image before may take; both together
 * are less than the gateway waits for the answer to an upload.
 */
export const IMAGE_MS = 20_000;
export const IMAGE_QUEUE_MS = 25_000;
/** Part of IMAGE_MS that is reserved to copy an image that cannot be rendered. */
export const COPY_MS = 4_000;
/** From SIGTERM to exit: before a supervisor sends SIGKILL. */
export const STOP_WITHIN_MS = 25_000;
/**
 * The phases of that, in addition to SHUTDOWN_DELAY_MS: requests and jobs in flight (longer than the gateway waits for
 * an answer); events (as long as a statement); and twice a rest.
 */
export const STOP_REQUESTS_MS = 12_000;
export const STOP_WORK_MS = 5_000;
export const STOP_REST_MS = 1_000;
/** To send the last spans to the OpenTelemetry collector. */
export const STOP_TRACES_MS = 500;

// Identities

/** How long a signed identity is valid: longer than any request runs. */
export const IDENTITY_MS = 30_000;
/** Largest accepted difference between the clocks of two machines. */
export const LEEWAY_MS = 180_000;
/** How long a process signs under one run id. Then receivers measure its clock again, because it may have drifted. */
export const RUN_MS = 300_000;
/** When a cached identity is signed again, so that the receiver gets most of its 30 s. */
export const RESIGN_AFTER_MS = 5_000;

// Waiting

/** Exponential backoff: the pause after `failures` (from 0), in the unit of `first` and `longest`. */
export const backOff = (failures: number, first: number, longest: number): number =>
  Math.min(first * 2 ** failures, longest);

/** Rejects with `late()` after `limitMs`. The work goes on, and its outcome is unknown. */
export function withTimeout<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  const ended = Promise.withResolvers<never>();
  const timer = setTimeout(() => ended.reject(late()), limitMs);
  return Promise.race([work, ended.promise]).finally(() => clearTimeout(timer));
}
