import { serviceConfig, currency } from '@tutoring/shared/contract/config';
import { serviceUrl, integerVariable } from '@tutoring/shared/kit/process/config';
import type { z } from 'zod';
import { PROVIDER_VARIABLES, providerProblems } from './providers/configuration.ts';

/** Deposits go to a payment provider with credentials, else to the embedded sandbox. Production refuses the sandbox. */
export const walletConfig = serviceConfig
  .extend({
    IDENTITY_URL: serviceUrl().describe('Where identity answers'),
    CURRENCY: currency(),
    AUDIT_HOUR: integerVariable(0, 23)
      .default(3)
      .describe('Hour (UTC) from which the whole ledger is checked each night: the quietest'),
  })
  // Only the declaration of a provider knows the types of its variables.
  .extend(PROVIDER_VARIABLES)
  .superRefine((config, context) => {
    for (const [variable, message] of providerProblems(config))
      context.addIssue({ code: 'custom', path: [variable], message });
  });

export type WalletConfig = z.infer<typeof walletConfig>;
