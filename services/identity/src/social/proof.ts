import type { Logger } from '@tutoring/shared/kit/process/logger';
import type { AppError } from '@tutoring/shared/kit/errors';
import { busy } from '../errors.ts';

/** Tolerated difference between the clocks of a provider and of this process. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** A user's identity at a provider. `email` is undefined unless the provider has verified it. */
export interface Proof {
  issuer: string;
  subject: string;
  email: string | undefined;
}

/**
 * Verifies a token of a provider. Undefined for an invalid token; throws unavailable when the provider cannot be asked
 * or its answer is unusable.
 */
export type Provider = (token: string, nonce: string | undefined) => Promise<Proof | undefined>;

/** Logs why a token could not be verified, and returns unavailable. `cause` must contain no token or secret. */
export function unchecked(logger: Logger, cause: { issuer: string; err: unknown }): AppError {
  logger.warn(
    cause,
    'a token of a social login could not be verified: check the status of the provider and its settings here',
  );
  return busy(5, cause.err);
}
