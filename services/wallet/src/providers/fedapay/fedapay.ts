import { z } from 'zod';
import { declareProvider } from '../provider.ts';

const LIVE = 'https://api.fedapay.com/v1';
const SANDBOX = 'https://sandbox-api.fedapay.com/v1';

const isSandboxKey = (secretKey: string) => secretKey.startsWith('sk_sandbox_');

/** FedaPay: mobile money and cards in West Africa, for deposits and payouts. */
export const fedapay = declareProvider({
  name: 'fedapay',
  account: -12,
  credentials: {
    FEDAPAY_SECRET_KEY: z.string().describe('Deposits and payouts by FedaPay; production needs Stripe or FedaPay'),
    FEDAPAY_WEBHOOK_SECRET: z.string().describe('Verifies what FedaPay sends; production needs it with FedaPay'),
  },
  options: {
    FEDAPAY_API_URL: z
      .url()
      .describe(
        `Base URL of FedaPay's API (\`/v1\` is added to an address without a path); unless it is set, \`${LIVE}\`, or \`${SANDBOX}\` with a sandbox key`,
      ),
  },
  problems({ FEDAPAY_SECRET_KEY: secretKey = '', CURRENCY, NODE_ENV }) {
    const isOther = CURRENCY !== 'XOF';
    const isTestKey = NODE_ENV === 'production' && isSandboxKey(secretKey);
    return [
      ...(isOther ? [['CURRENCY', 'must be XOF with FedaPay'] as const] : []),
      ...(isTestKey ? [['FEDAPAY_SECRET_KEY', 'is a sandbox key: production takes real money'] as const] : []),
    ];
  },
  webhookNote:
    'FedaPay sends `{"id", "name": "transaction.approved", "entity": {"id"}}` with `X-FEDAPAY-SIGNATURE: t=<unix ' +
    'seconds>,s=<hex HMAC-SHA256 of "<t>.<body>">`; what the event is about is fetched.',
  create: async (config) =>
    (await import('./transaction.ts')).createFedapay({
      secretKey: config.FEDAPAY_SECRET_KEY,
      webhookSecret: config.FEDAPAY_WEBHOOK_SECRET,
      apiUrl: config.FEDAPAY_API_URL ?? (isSandboxKey(config.FEDAPAY_SECRET_KEY) ? SANDBOX : LIVE),
      publicUrl: config.PUBLIC_URL,
    }),
});
