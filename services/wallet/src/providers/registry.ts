import { providerUnavailable } from '../errors.ts';
import type { DeclaredProvider } from './provider.ts';
import { sandbox } from './sandbox/sandbox.ts';
import { stripe } from './stripe/stripe.ts';

/** All payment providers. New deposits go to the first one whose credentials are set. */
export const PROVIDERS: DeclaredProvider[] = [stripe, sandbox];

/**
 * The ledger account of the money paid through this provider. Throws unavailable for a provider that only a newer
 * release knows.
 */
export function clearingAccount(provider: string): number {
  const declared = PROVIDERS.find(({ name }) => name === provider);
  if (!declared) throw providerUnavailable(`this release does not know the payment provider ${provider}`);
  return declared.account;
}
