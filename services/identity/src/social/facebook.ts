import { createHmac } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { email } from '@tutoring/shared/kit/http/declare/fields';
import { ISSUER_MS } from '../deadlines.ts';
import { oidcProvider } from './oidc.ts';
import { CLOCK_TOLERANCE_SECONDS, unchecked, type Provider } from './proof.ts';

/** The stored issuer of accounts: both kinds of token have the same subject. */
const ISSUER = 'https://www.facebook.com';

const valid = z.object({
  app_id: z.string(),
  is_valid: z.literal(true),
  user_id: z.string().min(1),
  expires_at: z.number().optional(),
});
const debugAnswer = z.object({ data: z.union([valid, z.object({ is_valid: z.literal(false) })]) });
const profile = z.object({ id: z.string(), email: email().optional().catch(undefined) });
const errorAnswer = z.object({ error: z.object({ code: z.number(), message: z.string().default('') }) });

/** Graph error codes about the token: invalid or expired (190), or of another app (100, invalid parameter). */
const TOKEN_ERRORS = [190, 100];
/** Messages of the same codes about our own app: its secret, or the proof made with it. */
const APP_ERROR = /signature|secret|validating (?:app|client)|app access token/i;

interface App {
  appId: string;
  secret: string;
  graphUrl: string;
  issuers: string[];
  jwksUrl: string;
  logger: Logger;
}

/** Verifies access tokens of Facebook Login: the token-debug endpoint returns their user and app. */
function accessTokens({ appId, secret, graphUrl, logger }: App): Provider {
  /** Undefined when Facebook refuses the token. */
  async function ask<Answer>(path: string, answer: z.ZodType<Answer>, parameters: Record<string, string>) {
    try {
      const url = `${graphUrl}/${path}?${new URLSearchParams(parameters).toString()}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(ISSUER_MS), redirect: 'error' });
      const body: unknown = await response.json();
      const read = answer.safeParse(body);
      if (response.ok && read.success) return read.data;
      const { code, message } = errorAnswer.safeParse(body).data?.error ?? {};
      const isRefusal = response.status < 500 && response.status !== 429 && TOKEN_ERRORS.includes(code ?? 0);
      if (isRefusal && !APP_ERROR.test(message ?? '')) return undefined;
      throw new Error(`facebook answered ${path} with status ${response.status}, error ${code ?? 'unknown'}`);
    } catch (err) {
      throw unchecked(logger, { issuer: ISSUER, err });
    }
  }

  return async (token) => {
    const app = `${appId}|${secret}`;
    const data = (await ask('debug_token', debugAnswer, { input_token: token, access_token: app }))?.data;
    if (!data?.is_valid || data.app_id !== appId) return undefined;
    const { user_id: subject, expires_at: expires = 0 } = data;
    if (expires !== 0 && expires + CLOCK_TOLERANCE_SECONDS <= Date.now() / 1_000) return undefined;
    const appsecret = createHmac('sha256', secret).update(token).digest('hex');
    const me = await ask('me', profile, { fields: 'id,email', access_token: token, appsecret_proof: appsecret });
    return me?.id === subject ? { issuer: ISSUER, subject, email: me.email } : undefined;
  };
}

/** Whether the token is a JWT: an access token has no header. */
function isSigned(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg !== undefined;
  } catch {
    return false;
  }
}

/** Verifies access tokens, and the signed tokens of Limited Login (iOS without consent to tracking). */
export function facebookProvider(app: App): Provider {
  const { appId, issuers, jwksUrl, logger } = app;
  const signed = oidcProvider({
    audience: [appId],
    name: ISSUER,
    issuers,
    jwksUrl,
    verifiesEveryEmail: true,
    logger,
  });
  const opaque = accessTokens(app);
  return (token, nonce) => (isSigned(token) ? signed : opaque)(token, nonce);
}
