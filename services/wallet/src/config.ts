import { serviceConfig, currency } from '@tutoring/shared/contract/config';
import { serviceUrl, integerVariable } from '@tutoring/shared/kit/process/config';
import { z } from 'zod';
import type { Debtor } from './payout-methods/debtor.ts';
import { ibanOf } from './payout-methods/account-number.ts';
import { methodsVariable } from './payout-methods/payout-method.ts';
import { paymentMethodsVariable, PROVIDER_VARIABLES, providerProblems } from './providers/configuration.ts';

/** Deposits go to a payment provider with credentials, else to the embedded sandbox. Production refuses the sandbox. */
export const walletConfig = serviceConfig
  .extend({
    IDENTITY_URL: serviceUrl().describe('Where identity answers'),
    CURRENCY: currency(),
    AUDIT_HOUR: integerVariable(0, 23)
      .default(3)
      .describe('Hour (UTC) from which the whole ledger is checked each night: the quietest'),
    PAYMENT_METHODS: paymentMethodsVariable()
      .default({})
      .describe(
        'Which provider takes which method of deposits and payouts: a JSON object like `{"mtn_open": "fedapay"}`; all other methods go to the first of Stripe, FedaPay and the sandbox that has credentials',
      ),
    PAYOUT_METHODS: methodsVariable()
      .default([])
      .describe(
        'How teachers are paid: a JSON array of `{method, kind, name, country}`; `kind` is `phone`, `iban` or `text`, `country` a code of two letters for phones, else null',
      ),
    PAYOUT_DEBTOR_NAME: z
      .string()
      .min(1)
      .max(140)
      .optional()
      .describe('Name of the holder of the account from which a bank pays; for files in `pain.001`'),
    PAYOUT_DEBTOR_IBAN: z
      .string()
      .refine((text) => ibanOf(text) !== undefined, 'must be an IBAN')
      .transform((text) => ibanOf(text) ?? text)
      .optional()
      .describe('IBAN of that account'),
    PAYOUT_DEBTOR_BIC: z
      .string()
      .regex(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'must be a BIC')
      .optional()
      .describe('BIC of its bank'),
  })
  // Only the declaration of a provider knows the types of its variables.
  .extend(PROVIDER_VARIABLES)
  .superRefine((config, context) => {
    for (const [variable, message] of providerProblems(config))
      context.addIssue({ code: 'custom', path: [variable], message });
  });

/** The account from which a bank pays; undefined unless name, IBAN and BIC are set. */
export function debtorOf(config: Pick<WalletConfig, `PAYOUT_DEBTOR_${'NAME' | 'IBAN' | 'BIC'}`>): Debtor | undefined {
  const { PAYOUT_DEBTOR_NAME: name, PAYOUT_DEBTOR_IBAN: iban, PAYOUT_DEBTOR_BIC: bic } = config;
  return name !== undefined && iban !== undefined && bic !== undefined ? { name, iban, bic } : undefined;
}

export type WalletConfig = z.infer<typeof walletConfig>;
