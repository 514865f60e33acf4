/* Time budgets of the gateway, each with its reason; test/integration/deadlines.test.ts holds them against the others'. */

/** Milliseconds; tests shorten what they would have to wait for. */
export const timings = {
  /** From the complete request to the first byte of the answer; then between two pieces of it. */
  upstream: 10_000,
  /** Below the services' 75 s, so that an idle connection is never met while it closes. */
  idleUpstream: 60_000,
  /** How long an open breaker waits before it tries again. */
  breakerOpen: 1_000,
  /** For a client's headers, and for its whole request: less than the services give the gateway. */
  requestHeaders: 10_000,
  wholeRequest: 30_000,
  /** The same for one with a file: 25 MiB from a phone at 30 KB/s. And how long its client may send nothing meanwhile. */
  wholeUpload: 900_000,
  uploadPause: 30_000,
  /** From the complete file to the answer: an image is made anew, after those before it. */
  uploadAnswer: 60_000,
  /** Between two pieces of what passes through raw, as files do: of a phone the kernel takes megabytes at once, and asks for more when they are gone. */
  download: 60_000,
  connectionsCheck: 1_000,
  readinessPoll: 250,
  /** How long identity's verdict on a token stands before it is asked again. */
  verdict: 30_000,
  /** Comment line on an open event stream, and the check of its token. */
  streamHeartbeat: 20_000,
  /** How old the published reference may get before the services are asked again. */
  referenceAge: 10_000,
};

export type Timings = typeof timings;

/** A good verdict while revocations may go unheard: with the time of a request, within the second. */
export const CUT_OFF_VERDICT_MS = 900;
/** A refused token is refused again without a question: a flood of them costs identity little. */
export const BAD_VERDICT_MS = 5_000;
/** How long a revocation covers answers to questions asked before it: longer than any question. */
export const TOMBSTONE_MS = 60_000;
/** A sign of life of NATS, and its absence that means to be cut off: together within the second. */
export const BEAT_MS = 200;
export const SILENT_LINK_MS = 800;
/** For a service to say that it is ready, or to tell its part of the reference. */
export const READINESS_MS = 1_000;
export const REFERENCE_MS = 2_000;
/** How long a client that comes while the live feed starts is kept waiting. */
export const FEED_START_MS = 2_000;
/** A client of an event stream that takes nothing for this long is let go: in time for the process to stop. */
export const STREAM_DRAIN_MS = 20_000;
/** How long a refused body is read on, so that the client gets to see the answer. */
export const BODY_DRAIN_MS = 2_000;
/** For the shared counters: without an answer the gateway counts for itself. */
export const REDIS_MS = 100;
export const REDIS_CONNECT_MS = 2_000;
