import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Logger } from '@tutoring/shared/process/logger';
import { ISSUER_MS } from '../deadlines.ts';
import { busy } from '../errors.ts';
import type { Provider } from './proof.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_AGE_SECONDS = 600;

/** Whether the token itself was refused; every other error means that the provider is unavailable. */
const isRefusal = (error: unknown) =>
  error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC';

/** A token that was made for a nonce needs that nonce, and a nonce needs such a token. */
const hasNonce = (payload: JWTPayload, nonce: string | undefined) => payload['nonce'] === nonce;

const isFresh = ({ iat = 0 }: JWTPayload) => iat > Date.now() / 1_000 - MAX_AGE_SECONDS;

/** Whether `azp`, if present, is one of our apps; a token with several audiences must have it. */
function isForOurApp({ aud, azp }: JWTPayload, audience: string[]): boolean {
  if (azp === undefined) return !Array.isArray(aud) || aud.length === 1;
  return typeof azp === 'string' && audience.includes(azp);
}

/** Hash of the signed part: unlike a signature, it has only one encoding. */
const signedPart = (token: string) =>
  createHash('sha256')
    .update(token.slice(0, token.lastIndexOf('.')))
    .digest();

/** Google sends true, Apple also "true". */
function verifiedEmail(payload: JWTPayload): string | undefined {
  const { email, email_verified: verified } = payload;
  return typeof email === 'string' && (verified === true || verified === 'true') ? email : undefined;
}

interface Issuer {
  audience: string[];
  issuer: string;
  jwksUrl: string;
  logger: Logger;
}

/** ID tokens of an OpenID Connect issuer, checked by its published keys; at most ten minutes old. */
export function oidcProvider({ audience, issuer, jwksUrl, logger }: Issuer): Provider {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: ISSUER_MS, cooldownDuration: 5_000 });
  // Google uses both forms of its name as issuer.
  const issuers = [issuer, issuer.replace(/^https:\/\//, '')];

  return async (token, nonce) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuers,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      if (!payload.sub || !hasNonce(payload, nonce)) return undefined;
      if (!isFresh(payload) || !isForOurApp(payload, audience)) return undefined;
      return { issuer, subject: payload.sub, email: verifiedEmail(payload), once: signedPart(token) };
    } catch (error) {
      if (isRefusal(error)) return undefined;
      logger.warn({ err: error, issuer }, 'the keys of a provider could not be fetched');
      throw busy(5, error);
    }
  };
}
