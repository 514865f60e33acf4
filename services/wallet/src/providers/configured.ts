import type { WalletConfig } from '../config.ts';
import type { PaymentProvider } from './provider.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

export interface Providers {
  /** The provider of new deposits. */
  current: PaymentProvider;
  /** Providers whose webhooks are accepted. */
  all: PaymentProvider[];
  sandbox: Sandbox | undefined;
}

/** The configured providers: Stripe, whose library is loaded only then, when it has keys; else the sandbox. */
export async function configuredProviders(config: WalletConfig): Promise<Providers> {
  const { SANDBOX_WEBHOOK_SECRET: secret, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = config;
  const publicUrl = config.PUBLIC_URL;
  const sandbox = secret === undefined ? undefined : createSandbox({ secret, publicUrl });
  const stripe =
    secretKey !== undefined && webhookSecret !== undefined
      ? (await import('./stripe.ts')).createStripe({
          secretKey,
          webhookSecret,
          apiUrl: config.STRIPE_API_URL,
          publicUrl,
        })
      : undefined;
  const all = [stripe, sandbox?.provider].filter((provider) => provider !== undefined);
  const [current] = all;
  if (!current) throw new Error('no payment provider is configured');
  return { current, all, sandbox };
}
