import type { Logger } from '@tutoring/shared/kit/process/logger';
import type { IdentityConfig } from '../config.ts';
import type { Proof, Provider } from './proof.ts';

const refuseAll: Provider = () => Promise.resolve(undefined);

/** Proves an identity at one of the configured providers. A provider without credentials refuses every token; its library is not loaded. */
export async function openSocial(config: IdentityConfig, logger: Logger) {
  const oidc = async (audience: string[], name: string, jwksUrl: string) => {
    if (audience.length === 0) return refuseAll;
    const { oidcProvider } = await import('./oidc.ts');
    // Google uses its name with and without https:// as issuer.
    return oidcProvider({ audience, name, issuers: [name, name.replace(/^https:\/\//, '')], jwksUrl, logger });
  };
  const facebook = async () => {
    const { FACEBOOK_APP_ID: appId, FACEBOOK_APP_SECRET: secret, FACEBOOK_GRAPH_URL: graphUrl } = config;
    if (!appId || !secret) return refuseAll;
    const { facebookProvider } = await import('./facebook.ts');
    const { FACEBOOK_ISSUER: issuers, FACEBOOK_JWKS_URL: jwksUrl } = config;
    return facebookProvider({ appId, secret, graphUrl, issuers, jwksUrl, logger });
  };
  const providers: Record<string, Provider> = {
    google: await oidc(config.GOOGLE_CLIENT_ID, config.GOOGLE_ISSUER, config.GOOGLE_JWKS_URL),
    apple: await oidc(config.APPLE_CLIENT_ID, config.APPLE_ISSUER, config.APPLE_JWKS_URL),
    facebook: await facebook(),
  };
  return (method: string, token: string, nonce?: string): Promise<Proof | undefined> =>
    token === '' ? Promise.resolve(undefined) : (providers[method] ?? refuseAll)(token, nonce);
}
