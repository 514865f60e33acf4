import { z } from 'zod';
import type { DeclaredProvider, Problems, ProviderConfig } from './provider.ts';
import { PROVIDERS } from './registry.ts';

/** The environment variables of all providers. */
export const PROVIDER_VARIABLES: Record<never, z.ZodType> = Object.fromEntries(
  PROVIDERS.flatMap(({ variables }) => Object.entries(variables)),
);

/** The problems of one provider in a configuration that has at least one of its credentials. */
function ownProblems(provider: DeclaredProvider, config: ProviderConfig, given: string[]): Problems {
  const [first = '', ...rest] = provider.credentials;
  const isIncomplete = given.length < provider.credentials.length;
  const isForbidden = provider.isPlayMoney && config.NODE_ENV === 'production';
  return [
    ...(isIncomplete ? [[first, `and ${rest.join(', ')} belong together: set both or neither`] as const] : []),
    ...(isForbidden ? [[first, 'must not be set in production: it would let play money in'] as const] : []),
    ...provider.problems(config),
  ];
}

/** The credentials, each of a provider, of which one must be set. */
const firstCredentials = (isPlayMoney: boolean) =>
  PROVIDERS.filter((provider) => (provider.isPlayMoney ?? false) === isPlayMoney).map(
    ({ credentials }) => credentials[0] ?? '',
  );

/** Why deposits would have no provider; no problem if one has credentials. Play money does not count in production. */
function absence(configured: DeclaredProvider[], { NODE_ENV }: ProviderConfig): Problems {
  const [real, play] = [firstCredentials(false), firstCredentials(true)];
  const isProduction = NODE_ENV === 'production';
  if (configured.some(({ isPlayMoney }) => !isProduction || !isPlayMoney)) return [];
  const others = real.slice(1).map((name) => `or ${name} `);
  return isProduction
    ? [[real[0] ?? '', `${others.join('')}is required in production (the sandbox provider pays with play money)`]]
    : [[play[0] ?? '', `is required unless ${real.join(' or ')} is set`]];
}

/** Methods whose provider is unknown or has no credentials. */
function methodProblems({ PAYMENT_METHODS = {} }: ProviderConfig, configured: DeclaredProvider[]): Problems {
  const names = configured.map(({ name }) => name);
  const isKnown = (named: string) => PROVIDERS.some(({ name }) => name === named);
  return Object.entries(PAYMENT_METHODS)
    .filter(([, provider]) => !names.includes(provider))
    .map(([method, provider]) => [
      'PAYMENT_METHODS',
      isKnown(provider)
        ? `names ${provider} for ${method}, which has no credentials`
        : `names ${provider} for ${method}: the providers are ${PROVIDERS.map(({ name }) => name).join(', ')}`,
    ]);
}

const methodNames = z.record(z.string().min(1).max(64), z.string());

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The variable `PAYMENT_METHODS`: the provider of each method. */
export const paymentMethodsVariable = () =>
  z.string().transform((text, context) => {
    const result = methodNames.safeParse(parsed(text));
    if (result.success) return result.data;
    context.addIssue({ code: 'custom', message: 'must be a JSON object of methods, each with the name of a provider' });
    return z.NEVER;
  });

/** The problems of all providers. */
export function providerProblems(config: ProviderConfig): Problems {
  const isGiven = (name: string) => config[name as keyof ProviderConfig] !== undefined;
  const given = PROVIDERS.map((provider) => [provider, provider.credentials.filter(isGiven)] as const).filter(
    ([, names]) => names.length > 0,
  );
  const configured = given.map(([provider]) => provider);
  return [
    ...given.flatMap(([provider, names]) => ownProblems(provider, config, names)),
    ...absence(configured, config),
    ...methodProblems(config, configured),
  ];
}
