import type { Logger } from '@tutoring/shared/process/logger';
import type { AppError } from '@tutoring/shared/errors';
import { busy } from '../errors.ts';

/** How far the clocks of a provider and of this process may differ when a token expires. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** A person's identity at a provider. `email` only when the provider has verified it. */
export interface Proof {
  issuer: string;
  subject: string;
  email: string | undefined;
}

/**
 * Checks a token against its provider. Undefined when the token proves nothing; throws unavailable when the provider
 * gives no verdict.
 */
export type Provider = (token: string, nonce: string | undefined) => Promise<Proof | undefined>;

/** Logs why a provider gave no verdict, and returns the error for the app. `cause` holds no token and no secret. */
export function noVerdict(logger: Logger, cause: { issuer: string; err: unknown }): AppError {
  logger.warn(cause, 'a provider of social logins gave no verdict on a token: check its status and our configuration');
  return busy(5, cause.err);
}
