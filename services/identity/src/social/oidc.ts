import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { ISSUER_MS } from '../deadlines.ts';
import { CLOCK_TOLERANCE_SECONDS, unchecked, type Proof, type Provider } from './proof.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** Errors of the provider's key set. ERR_JOSE_GENERIC: the answer is not 200 or not JSON. */
const KEY_SET_ERRORS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JWK_INVALID'];

/** Whether the token itself is invalid; after any other error it could not be verified. */
const isRefusal = (error: unknown) => error instanceof errors.JOSEError && !KEY_SET_ERRORS.includes(error.code);

/** Compares the app's nonce with the token's: raw, or hashed as Apple's libraries do. */
function matchesNonce({ nonce: signed }: JWTPayload, sent: string | undefined): boolean {
  if (!sent) return true;
  if (typeof signed !== 'string') return false;
  return signed === sent || signed.toLowerCase() === createHash('sha256').update(sent).digest('hex');
}

/** Google's client ids start with the number of the project. */
const projectOf = (clientId: string) => /^\d+(?=[-.])/.exec(clientId)?.[0];

const isOfOtherProject = (app: string, other: string) => {
  const [a, b] = [projectOf(app), projectOf(other)];
  return a !== undefined && b !== undefined && a !== b;
};

/**
 * Whether `azp`, the app that requested the token, may do so for the audience: any app of the same project. With
 * several audiences `azp` must be a configured client id.
 */
function isForOurApp({ aud, azp }: JWTPayload, audience: string[]): boolean {
  const audiences = [aud ?? []].flat();
  if (azp === undefined) return audiences.length === 1;
  if (typeof azp !== 'string') return false;
  return audience.includes(azp) || (audiences.length === 1 && !isOfOtherProject(azp, audiences[0]!));
}

/** Google sends true, Apple true or "true". */
const isEmailVerified = ({ email_verified: verified }: JWTPayload) => verified === true || verified === 'true';

interface Issuer {
  audience: string[];
  /** The stored issuer of accounts. */
  name: string;
  /** Accepted values of `iss`. */
  issuers: string[];
  jwksUrl: string;
  /** Whether an e-mail without `email_verified` is verified. */
  verifiesEveryEmail?: boolean;
  logger: Logger;
}

/** Verifies ID tokens of an OpenID Connect issuer by its published keys; accepts a token until it expires. */
export function oidcProvider({ audience, name, issuers, jwksUrl, verifiesEveryEmail, logger }: Issuer): Provider {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: ISSUER_MS, cooldownDuration: 5_000 });

  function proofOf(payload: JWTPayload): Proof | undefined {
    if (!payload.sub) return undefined;
    const { email, email_verified: verified } = payload;
    const isVerified = (verifiesEveryEmail && verified === undefined) || isEmailVerified(payload);
    return { issuer: name, subject: payload.sub, email: typeof email === 'string' && isVerified ? email : undefined };
  }

  return async (token, nonce) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer: issuers,
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return matchesNonce(payload, nonce) && isForOurApp(payload, audience) ? proofOf(payload) : undefined;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw unchecked(logger, { issuer: name, err: error });
    }
  };
}
