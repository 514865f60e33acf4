import { createHash } from 'node:crypto';
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Logger } from '@tutoring/shared/process/logger';
import { ISSUER_MS } from '../deadlines.ts';
import { CLOCK_TOLERANCE_SECONDS, noVerdict, type Proof, type Provider } from './proof.ts';

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** Errors of the provider's key set; jose has no class of its own for an answer that is not 200 or not JSON. */
const OF_THE_KEYS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JWK_INVALID'];

/** Whether the token itself was refused; every other error means that the provider gave no verdict. */
const isRefusal = (error: unknown) => error instanceof errors.JOSEError && !OF_THE_KEYS.includes(error.code);

/** Compares a nonce that the app sent with the token's: raw, or hashed as the libraries of Apple's apps do. */
function matchesNonce({ nonce: signed }: JWTPayload, sent: string | undefined): boolean {
  if (!sent) return true;
  if (typeof signed !== 'string') return false;
  return signed === sent || signed.toLowerCase() === createHash('sha256').update(sent).digest('hex');
}

/** Google's client ids begin with the number of their project. */
const projectOf = (clientId: string) => /^\d+(?=[-.])/.exec(clientId)?.[0];

const isOfOtherProject = (app: string, other: string) => {
  const [a, b] = [projectOf(app), projectOf(other)];
  return a !== undefined && b !== undefined && a !== b;
};

/**
 * Whether `azp`, the app that asked for the token, may do so for the audience: any app of the same project. A token with
 * several audiences needs an `azp` that is configured.
 */
function isForOurApp({ aud, azp }: JWTPayload, audience: string[]): boolean {
  const audiences = [aud ?? []].flat();
  if (azp === undefined) return audiences.length === 1;
  if (typeof azp !== 'string') return false;
  return audience.includes(azp) || (audiences.length === 1 && !isOfOtherProject(azp, audiences[0]!));
}

/** Google sends true, Apple also "true". */
const isEmailVerified = ({ email_verified: verified }: JWTPayload) => verified === true || verified === 'true';

interface Issuer {
  audience: string[];
  /** The issuer that accounts are stored with. */
  name: string;
  /** Values of `iss` that are accepted. */
  issuers: string[];
  jwksUrl: string;
  /** Whether the provider passes on verified e-mails alone, without `email_verified`. */
  verifiesEveryEmail?: boolean;
  logger: Logger;
}

/** ID tokens of an OpenID Connect issuer, checked by its published keys; accepted until they expire. */
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
      throw noVerdict(logger, { issuer: name, err: error });
    }
  };
}
