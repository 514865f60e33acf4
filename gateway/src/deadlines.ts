/*
 * Time budgets of the gateway with their reasons; test/integration/deadlines.test.ts checks them against the others'.
 */

/** Milliseconds; tests use shorter ones, and longer ones for what they do not test. */
export const timings = {
  /** From the complete request to the first byte of the answer; then between two pieces of it. */
  upstream: 10_000,
  /** Less than the services' 75 s, so that the gateway never uses a connection that is being closed. */
  idleUpstream: 60_000,
  /** How long an open circuit breaker waits before it tries again. */
  breakerOpen: 1_000,
  /** For a client's headers, and for its whole request: less than the services give the gateway. */
  requestHeaders: 10_000,
  wholeRequest: 30_000,
  /** For a request with a file: 25 MiB from a phone at 30 KB/s. And the longest silence of its client meanwhile. */
  wholeUpload: 900_000,
  uploadPause: 30_000,
  /** From the complete file to the answer: the image is rewritten, after those before it. */
  uploadAnswer: 60_000,
  /**
   * Between two pieces of a raw answer: a phone takes megabytes at once and asks for more when they are used up. Also
   * the window in which a client has to take LEAST_BYTES_PER_SECOND of any answer.
   */
  download: 60_000,
  connectionsCheck: 1_000,
  /** On a connection of a client network that has too many of them. */
  crowdedIdle: 10_000,
  /** On a connection, whatever it waits for: longer than an upload waits for its answer. */
  silence: 75_000,
  readinessPoll: 250,
  /** How long identity's verdict on a token is used before identity is asked again. */
  verdict: 30_000,
  /** Period of the comment line on an open event stream. */
  streamHeartbeat: 20_000,
  /** Period of the look at the tokens of all open streams. */
  streamLook: 2_500,
  /** From what age on a good verdict is asked for again while its stream is open: this also counts as a use. */
  streamVerdict: 60_000,
  /** Age of a good verdict of an open stream while revocations may be missed. */
  streamUnheard: 10_000,
  /** How long a stream goes on when revocations may have been missed and identity does not answer. */
  streamDoubt: 12_000,
  /** Period of the look at how many revocations there are. */
  revocationsLook: 3_000,
  /** How long without a pong from NATS counts as cut off. */
  silentLink: 800,
  /** For the shared counters: without a reply the gateway counts by itself. */
  redis: 100,
  /** How old the published reference may be before the services are asked again. */
  referenceAge: 10_000,
};

export type Timings = typeof timings;

/** Age of a good verdict while revocations may be missed: with the time of a request, within the second. */
export const CUT_OFF_VERDICT_MS = 900;
/** A refused token is refused again without asking identity: a flood of bad tokens costs it little. */
export const BAD_VERDICT_MS = 5_000;
/** Of the slowest client: an upload's, in each `uploadPause`, and a reader's, in each `download`. */
export const LEAST_BYTES_PER_SECOND = 4 * 1024;
/** How long a revocation applies to answers to earlier questions: longer than any question takes. */
export const TOMBSTONE_MS = 60_000;
/** Period of NATS pings: together with `silentLink` within the second. */
export const BEAT_MS = 200;
/** For a service to say that it is ready, or to send its part of the reference. */
export const READINESS_MS = 1_000;
export const REFERENCE_MS = 2_000;
/** How long a client waits for the live feed to start. */
export const FEED_START_MS = 2_000;
/** A client of an event stream that reads nothing for this long is disconnected: in time for the process to stop. */
export const STREAM_DRAIN_MS = 20_000;
/**
 * For a client to read the rest of a stream that the gateway ends: with the revocation's way here, within the second.
 */
export const STREAM_CLOSE_MS = 500;
/** How long the rest of a refused body is read, so that the client gets to see the answer: some clients write all first. */
export const BODY_DRAIN_MS = 5_000;
/** To connect to the shared counters; a job of the client, nobody waits for it. */
export const REDIS_CONNECT_MS = 2_000;
