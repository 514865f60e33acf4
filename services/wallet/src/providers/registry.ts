import { providerUnavailable } from '../errors.ts';
import { fedapay } from './fedapay/fedapay.ts';
import type { DeclaredProvider } from './provider.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { stripe } from './stripe/stripe.ts';

/** All payment providers: of those whose credentials are set, the first takes what `PAYMENT_METHODS` gives to no other. */
export const PROVIDERS: DeclaredProvider[] = [stripe, fedapay, sandbox];

/**
 * The ledger account of the money paid through this provider. Throws unavailable for a provider that only a newer
 * release knows.
 */
export function clearingAccount(provider: string): number {
  const declared = PROVIDERS.find(({ name }) => name === provider);
  if (!declared) throw providerUnavailable(`this release does not know the payment provider ${provider}`);
  return declared.account;
}
