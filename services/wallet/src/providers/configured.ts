import type { Registry } from 'prom-client';
import { createProviderCounts } from './count.ts';
import type { PaymentProvider, Payouts, ProviderConfig } from './provider.ts';
import { PROVIDERS } from './registry.ts';

/** A provider that pays out. */
export type PayoutProvider = PaymentProvider & { payouts: Payouts };

const paysOut = (provider: PaymentProvider): provider is PayoutProvider => provider.payouts !== undefined;

/** The provider of a method: the one that `methods` names, else the first. */
const chosen = <Provider extends PaymentProvider>(
  providers: Provider[],
  methods: Record<string, string>,
  method: string | null,
): Provider | undefined => {
  const named = method !== null && Object.hasOwn(methods, method) ? methods[method] : undefined;
  return providers.find(({ name }) => name === named) ?? providers[0];
};

/**
 * The providers whose credentials are set, in the order of the registry; webhooks are accepted from all of them.
 * Registers the metrics of providers.
 */
export async function configuredProviders(config: ProviderConfig, registry: Registry) {
  const created = await Promise.all(PROVIDERS.map((provider) => provider.create(config)));
  const configured = created.filter((provider) => provider !== undefined);
  const { counted, ...counts } = createProviderCounts(
    registry,
    configured.map(({ name }) => name),
  );
  const all = configured.map(counted);
  const [first] = all;
  if (!first) throw new Error('no payment provider is configured');
  const methods = config.PAYMENT_METHODS ?? {};
  const paying = all.filter(paysOut);
  return {
    all,
    /** The provider of a new deposit. */
    forDeposit: (method: string | null): PaymentProvider => chosen(all, methods, method) ?? first,
    /** The provider of a payout; undefined when none pays out. */
    forPayout: (method: string | null): PayoutProvider | undefined => chosen(paying, methods, method),
    ...counts,
  };
}

export type Providers = Awaited<ReturnType<typeof configuredProviders>>;
