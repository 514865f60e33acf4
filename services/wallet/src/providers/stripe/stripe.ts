import { z } from 'zod';
import { declareProvider } from '../provider.ts';

/**
 * Currencies whose unit at Stripe is not the ISO 4217 minor unit, or whose amounts Stripe takes only in steps of ten.
 */
const OTHER_UNITS = ['ISK', 'UGX', 'BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];

/** Stripe Checkout. Its library is loaded only when its credentials are set. */
export const stripe = declareProvider({
  name: 'stripe',
  account: -11,
  credentials: {
    STRIPE_SECRET_KEY: z.string().describe('Payments by Stripe; production needs Stripe or FedaPay'),
    STRIPE_WEBHOOK_SECRET: z.string().describe('Verifies what Stripe sends; production needs it with Stripe'),
  },
  options: { STRIPE_API_URL: z.url().describe("A stand-in for Stripe's API") },
  problems({ STRIPE_SECRET_KEY: secretKey = '', CURRENCY, NODE_ENV }) {
    const isOtherUnit = OTHER_UNITS.includes(CURRENCY);
    const isTestKey = NODE_ENV === 'production' && /^\w+_test_/.test(secretKey);
    const units = 'is counted in other units by Stripe: people would pay another amount than they are shown';
    return [
      ...(isOtherUnit ? [['CURRENCY', units] as const] : []),
      ...(isTestKey ? [['STRIPE_SECRET_KEY', 'is a test key: production takes real money'] as const] : []),
    ];
  },
  create: async (config) =>
    (await import('./checkout-session.ts')).createStripe({
      secretKey: config.STRIPE_SECRET_KEY,
      webhookSecret: config.STRIPE_WEBHOOK_SECRET,
      apiUrl: config.STRIPE_API_URL,
      publicUrl: config.PUBLIC_URL,
    }),
});
