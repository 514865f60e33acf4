import type { Registry } from 'prom-client';
import { createProviderCounts } from './count.ts';
import type { ProviderConfig } from './provider.ts';
import { PROVIDERS } from './registry.ts';

/**
 * The providers whose credentials are set. New deposits go to `current`; webhooks are accepted from `all`. Registers
 * the metrics of providers.
 */
export async function configuredProviders(config: ProviderConfig, registry: Registry) {
  const created = await Promise.all(PROVIDERS.map((provider) => provider.create(config)));
  const configured = created.filter((provider) => provider !== undefined);
  const { counted, countPayment, countClaim } = createProviderCounts(
    registry,
    configured.map(({ name }) => name),
  );
  const all = configured.map(counted);
  const [current] = all;
  if (!current) throw new Error('no payment provider is configured');
  return { current, all, countPayment, countClaim };
}

export type Providers = Awaited<ReturnType<typeof configuredProviders>>;
