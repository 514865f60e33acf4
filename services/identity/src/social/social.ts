import type { Logger } from '@tutoring/shared/logger';
import type { IdentityConfig } from '../config.ts';
import { facebookProvider } from './facebook.ts';

/** Who somebody is at a provider. `email` only when the provider has verified it. */
export interface Proof {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Names the token where a token is good only once; undefined where apps use one for as long as it lives. */
  once: Buffer | undefined;
}

/**
 * Checks a token against its provider. Undefined when the token proves nothing; throws unavailable when the provider
 * cannot be asked.
 */
export type Provider = (token: string, nonce: string | undefined) => Promise<Proof | undefined>;

const nobody: Provider = () => Promise.resolve(undefined);

/** The configured providers; one without credentials proves nothing to anybody, and its library is not loaded. */
export async function createSocial(config: IdentityConfig, logger: Logger) {
  const oidc = async (audience: string[], issuer: string, jwksUrl: string) => {
    if (audience.length === 0) return nobody;
    const { oidcProvider } = await import('./oidc.ts');
    return oidcProvider({ audience, issuer, jwksUrl, logger });
  };
  const { FACEBOOK_APP_ID: appId, FACEBOOK_APP_SECRET: secret, FACEBOOK_GRAPH_URL: graphUrl } = config;
  const providers: Record<string, Provider> = {
    google: await oidc(config.GOOGLE_CLIENT_ID, config.GOOGLE_ISSUER, config.GOOGLE_JWKS_URL),
    apple: await oidc(config.APPLE_CLIENT_ID, config.APPLE_ISSUER, config.APPLE_JWKS_URL),
    facebook: appId && secret ? facebookProvider({ appId, secret, graphUrl }) : nobody,
  };
  return {
    prove: (method: string, token: string, nonce?: string): Promise<Proof | undefined> =>
      token === '' ? Promise.resolve(undefined) : (providers[method] ?? nobody)(token, nonce),
  };
}

export type Social = Awaited<ReturnType<typeof createSocial>>;
