import { JetStreamApiError } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import type { Logger } from '../process/logger.ts';

const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

export const isStreamMissing = (error: unknown) =>
  error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND;
export const isConsumerMissing = (error: unknown) =>
  error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND;

/** True when nobody subscribes to what was published. */
export const hasNoResponder = (error: unknown) =>
  error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();

const isNotMadeYet = (error: unknown) => isStreamMissing(error) || isConsumerMissing(error) || hasNoResponder(error);

/** Logs failures of repeated work: each reason once, until the work has recovered. */
export function createFailureLog(logger: Logger, what: string) {
  let reported: string | undefined;
  return {
    failed: (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason === reported) return;
      reported = reason;
      if (isNotMadeYet(error)) logger.info(`${what} waits for its stream`);
      else logger.warn({ err: error }, `${what} fails and is tried again`);
    },
    recovered: () => {
      if (reported !== undefined) logger.info(`${what} has recovered`);
      reported = undefined;
    },
  };
}
