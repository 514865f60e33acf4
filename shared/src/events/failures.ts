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

/**
 * Logs failures of repeated work: each reason once, until the work has recovered. All that waits for streams which
 * nobody has made yet shares `awaiting`, and one line.
 */
export function createFailureLog(logger: Logger, what: string, { awaiting }: { awaiting: Set<string> }) {
  let reported: string | undefined;

  function waits(): void {
    if (awaiting.size === 0) logger.info('waiting for the streams, which the migration of identity makes');
    awaiting.add(what);
  }

  return {
    failed: (error: unknown) => {
      if (isNotMadeYet(error)) return waits();
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== reported) logger.warn({ err: error }, `${what} fails and is tried again`);
      reported = reason;
    },
    recovered: () => {
      if (reported !== undefined) logger.info(`${what} has recovered`);
      reported = undefined;
      if (awaiting.delete(what) && awaiting.size === 0) logger.info('the streams are there');
    },
  };
}
