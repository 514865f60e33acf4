import { serviceConfig, currency, serviceUrl, integerVariable } from '@tutoring/shared/process/config';
import { z } from 'zod';

/**
 * Currencies whose unit at Stripe is not the ISO 4217 minor unit, or whose amounts Stripe takes only in steps of ten.
 */
const OTHER_UNITS_AT_STRIPE = ['ISK', 'UGX', 'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];

/**
 * Deposits go to Stripe if its keys are set, else to the embedded sandbox with play money. Production refuses the
 * sandbox.
 */
export const walletConfig = serviceConfig
  .extend({
    IDENTITY_URL: serviceUrl().describe('Where identity answers'),
    CURRENCY: currency(),
    AUDIT_HOUR: integerVariable(0, 23)
      .default(3)
      .describe('Hour (UTC) from which the whole ledger is checked each night: the quietest'),
    SANDBOX_WEBHOOK_SECRET: z
      .string()
      .min(16, 'must have at least 16 characters')
      .optional()
      .describe('Signs the play money of the sandbox; production refuses it'),
    STRIPE_SECRET_KEY: z.string().optional().describe('Payments by Stripe; required in production'),
    STRIPE_WEBHOOK_SECRET: z.string().optional().describe('Verifies what Stripe sends; required in production'),
    STRIPE_API_URL: z.url().optional().describe("A stand-in for Stripe's API"),
  })
  .superRefine((config, context) => {
    const problem = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
    const stripe = [config.STRIPE_SECRET_KEY, config.STRIPE_WEBHOOK_SECRET].filter((value) => value !== undefined);
    if (stripe.length === 1)
      problem('STRIPE_SECRET_KEY', 'and STRIPE_WEBHOOK_SECRET belong together: set both or neither');
    if (stripe.length > 0 && OTHER_UNITS_AT_STRIPE.includes(config.CURRENCY))
      problem('CURRENCY', 'is counted in other units by Stripe: people would pay another amount than they are shown');
    if (config.NODE_ENV === 'production') {
      if (stripe.length === 0)
        problem('STRIPE_SECRET_KEY', 'is required in production (the sandbox provider pays with play money)');
      if (config.SANDBOX_WEBHOOK_SECRET !== undefined)
        problem('SANDBOX_WEBHOOK_SECRET', 'must not be set in production: it would let play money in');
      if (/^\w+_test_/.test(config.STRIPE_SECRET_KEY ?? ''))
        problem('STRIPE_SECRET_KEY', 'is a test key: production takes real money');
    } else if (stripe.length === 0 && config.SANDBOX_WEBHOOK_SECRET === undefined) {
      problem('SANDBOX_WEBHOOK_SECRET', 'is required unless STRIPE_SECRET_KEY is set');
    }
  });

export type WalletConfig = z.infer<typeof walletConfig>;
