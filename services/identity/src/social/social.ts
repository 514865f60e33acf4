import type { Logger } from '@tutoring/shared/process/logger';
import type { IdentityConfig } from '../config.ts';
import { facebookProvider } from './facebook.ts';
import type { Proof, Provider } from './proof.ts';

const nobody: Provider = () => Promise.resolve(undefined);

/** The configured providers. A provider without credentials refuses every token, and its library is not loaded. */
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
