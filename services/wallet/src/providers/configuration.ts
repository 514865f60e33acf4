import type { z } from 'zod';
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

/** The problems of all providers. */
export function providerProblems(config: ProviderConfig): Problems {
  const isGiven = (name: string) => config[name as keyof ProviderConfig] !== undefined;
  const given = PROVIDERS.map((provider) => [provider, provider.credentials.filter(isGiven)] as const).filter(
    ([, names]) => names.length > 0,
  );
  return [
    ...given.flatMap(([provider, names]) => ownProblems(provider, config, names)),
    ...absence(
      given.map(([provider]) => provider),
      config,
    ),
  ];
}
