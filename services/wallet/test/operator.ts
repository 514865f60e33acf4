import { z } from 'zod';
import { declareProvider, NotSent, type ProviderPayout, type WantedPayout } from '../src/providers/provider.ts';

/* A provider of the tests that pays out over HTTP; `operator-stand-in.ts` is its other end. */

const payoutSchema = z.object({
  ref: z.string(),
  status: z.string(),
  amount: z.int(),
  currency: z.string(),
  message: z.string().optional(),
});
const OUTCOMES = ['pending', 'paid', 'failed', 'returned'] as const;

function payoutOf(body: unknown): ProviderPayout {
  const { ref, status, amount, currency, message } = payoutSchema.parse(body);
  const outcome = OUTCOMES.find((known) => known === status);
  return { ref, outcome, money: { amount, currency }, ...(message !== undefined && { message }) };
}

export const operator = declareProvider({
  name: 'operator',
  account: -13,
  credentials: { OPERATOR_KEY: z.string().describe('Signs the webhooks of the operator') },
  options: { OPERATOR_URL: z.url().describe('The operator') },
  create: ({ OPERATOR_KEY: key, OPERATOR_URL: url = '' }) => {
    const call = (path: string, init: RequestInit = {}) =>
      fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(300_000) });
    const jsonOf = async (answer: Response): Promise<unknown> => {
      if (answer.status === 401) throw new NotSent('the operator turns us away');
      if (!answer.ok) throw new Error(`the operator answered ${answer.status}`);
      return answer.json();
    };
    return {
      name: 'operator',
      open: () => Promise.reject(new Error('the operator takes no deposits')),
      read: async (rawBody, header) => {
        if (header('operator-key') !== key) return undefined;
        const payout = z.object({ key: z.string().optional(), ref: z.string().optional() });
        const event = payout.parse(JSON.parse(rawBody.toString()));
        return { id: 'event', type: 'payout', ref: '', payment: undefined, payout: event };
      },
      payouts: {
        send: async (wanted: WantedPayout) =>
          payoutOf(await jsonOf(await call('/payouts', { method: 'POST', body: JSON.stringify(wanted) }))),
        find: async (wanted: WantedPayout) => {
          const answer = await call(`/payouts/${wanted.provider_ref ?? wanted.key}`);
          return answer.status === 404 ? undefined : payoutOf(await jsonOf(answer));
        },
        balance: async () => z.int().parse(await jsonOf(await call('/balance'))),
      },
    };
  },
});
