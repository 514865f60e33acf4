import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import { AppError } from '@tutoring/shared/errors';
import type { Logger } from '@tutoring/shared/logger';
import { texts } from '../texts.ts';
import type { Provider } from './social.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const TIMEOUT_MS = 3_000;
const CLOCK_TOLERANCE_SECONDS = 5;

/** Refusals of the token itself; whatever else goes wrong is the provider being away. */
const isRefusal = (error: unknown) =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC';

const hasNonce = (payload: JWTPayload, nonce: string | undefined) => nonce === undefined || payload['nonce'] === nonce;

/** Google says true, Apple also says "true". */
function verifiedEmail(payload: JWTPayload): string | undefined {
  const { email, email_verified: verified } = payload;
  return typeof email === 'string' && (verified === true || verified === 'true') ? email : undefined;
}

/** ID tokens of an OpenID Connect issuer, checked by its published keys. */
export function oidcProvider(options: {
  audience: string[];
  issuer: string;
  jwksUrl: string;
  logger: Logger;
}): Provider {
  const { audience, issuer, logger } = options;
  const keys = createRemoteJWKSet(new URL(options.jwksUrl), { timeoutDuration: TIMEOUT_MS, cooldownDuration: 5_000 });
  // Google signs both forms of its name.
  const issuers = [issuer, issuer.replace(/^https:\/\//, '')];

  return async (token, nonce) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuers,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      if (!payload.sub || !hasNonce(payload, nonce)) return undefined;
      return { issuer, subject: payload.sub, email: verifiedEmail(payload) };
    } catch (error) {
      if (isRefusal(error)) return undefined;
      logger.warn({ err: error, issuer }, 'the keys of a provider could not be fetched');
      throw new AppError('unavailable', texts.busy, { retryAfter: 5, cause: error });
    }
  };
}
