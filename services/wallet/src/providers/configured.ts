import type { Registry } from 'prom-client';
import type { WalletConfig } from '../config.ts';
import { createProviderCounts } from './count.ts';
import { createSandbox } from './sandbox.ts';

/**
 * The configured providers: Stripe if its keys are set (its library is loaded only then), and the sandbox if its secret
 * is set. New deposits go to `current`; webhooks are accepted from `all`. Registers the metrics of providers.
 */
export async function configuredProviders(config: WalletConfig, registry: Registry) {
  const { SANDBOX_WEBHOOK_SECRET: secret, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  const { PUBLIC_URL: publicUrl, STRIPE_API_URL: apiUrl } = config;
  const sandbox = secret === undefined ? undefined : createSandbox({ secret, publicUrl });
  const stripe =
    secretKey !== undefined && webhookSecret !== undefined
      ? (await import('./stripe.ts')).createStripe({ secretKey, webhookSecret, apiUrl, publicUrl })
      : undefined;
  const configured = [stripe, sandbox?.provider].filter((provider) => provider !== undefined);
  const { counted, countPayment } = createProviderCounts(
    registry,
    configured.map(({ name }) => name),
  );
  const all = configured.map(counted);
  const [current] = all;
  if (!current) throw new Error('no payment provider is configured');
  return { current, all, sandbox, countPayment };
}

export type Providers = Awaited<ReturnType<typeof configuredProviders>>;
