/*
 * Time budgets of the gateway and their reasons; test/integration/deadlines.test.ts compares them with those of the
 * services.
 */

/** In milliseconds. Tests shorten the times that they test, and lengthen others. */
export const timings = {
  /** From the complete request to the first byte of a service's answer, and between two chunks of the answer. */
  upstream: 10_000,
  /** Idle connections to services: less than their 75 s, so that the gateway never uses one that is being closed. */
  idleUpstream: 60_000,
  /** How long a circuit breaker stays open before a trial request. */
  breakerOpen: 1_000,
  /** For a client's headers, and for its whole request: less than services allow the gateway. */
  requestHeaders: 10_000,
  wholeRequest: 30_000,
  /** For a file upload: 25 MiB from a phone at 30 KB/s; and the interval in which its speed is checked. */
  wholeUpload: 900_000,
  uploadPause: 30_000,
  /** From the complete file to the answer: images are converted one after the other. */
  uploadAnswer: 60_000,
  /**
   * Between two chunks of a raw answer: a phone buffers megabytes and reads on when they are used up. Also the interval
   * in which a client must read LEAST_BYTES_PER_SECOND of any answer.
   */
  download: 60_000,
  connectionsCheck: 1_000,
  /** Idle time after which a connection may be closed when its client network has too many idle ones. */
  crowdedIdle: 10_000,
  /** Without any byte on a connection, whatever it waits for: longer than an upload waits for its answer. */
  silence: 75_000,
  readinessPoll: 250,
  /** How long a request may use a cached verdict on a token. */
  verdict: 30_000,
  /** Period of the comment line on an open event stream. */
  streamHeartbeat: 20_000,
  /** Period of the check of the tokens of all open streams. */
  streamCheck: 2_500,
  /** Age at which a good verdict of an open stream is renewed, which also counts as a use of the token. */
  streamVerdict: 60_000,
  /** How long a good verdict of an open stream is used while revocations may be missed. */
  streamVerdictUnconfirmed: 10_000,
  /** How long a stream stays open when revocations may have been missed and identity does not answer. */
  streamUnconfirmed: 12_000,
  /** Period of the poll of the stream of revocations. */
  revocationsPoll: 3_000,
  /** Without a pong from NATS for this long, revocations may be missed. */
  natsSilence: 800,
  /** For a reply of Redis: without one, the request is counted in memory. */
  redis: 100,
  /** How long the published reference is cached. */
  referenceAge: 10_000,
};

export type Timings = typeof timings;

/** How long a good verdict is used while revocations may be missed: with the time of a request, less than a second. */
export const VERDICT_WITHOUT_NATS_MS = 900;
/** For identity to confirm the rights of a running request after a revocation, which takes effect within a second. */
export const RECHECK_MS = 500;
/** How long a refused token is cached, so that a flood of bad tokens costs identity little. */
export const BAD_VERDICT_MS = 5_000;
/** Minimum speed of a client: for uploads in each `uploadPause`, for reading answers in each `download`. */
export const LEAST_BYTES_PER_SECOND = 4 * 1024;
/** How long a revocation is kept, to discard answers to earlier requests: longer than any request to identity takes. */
export const TOMBSTONE_MS = 60_000;
/** Period of NATS pings: together with `silentLink` at most a second. */
export const NATS_PING_MS = 200;
/** For a service to report that it is ready, and to send its part of the reference. */
export const READINESS_MS = 1_000;
export const REFERENCE_MS = 2_000;
/** How long a client waits for the live feed to start. */
export const FEED_START_MS = 2_000;
/** A client that reads none of its missed events for this long is disconnected: in time for the process to stop. */
export const STREAM_DRAIN_MS = 20_000;
/**
 * For a client to read the rest of a stream that the gateway closes: a revocation, including its delivery, takes effect
 * within a second.
 */
export const STREAM_CLOSE_MS = 500;
/** How long the rest of a refused body is read: some clients read the answer only after they have sent everything. */
export const BODY_DRAIN_MS = 5_000;
/** To connect to Redis, in the background. */
export const REDIS_CONNECT_MS = 2_000;
