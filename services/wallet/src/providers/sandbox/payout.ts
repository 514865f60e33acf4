import { records } from '../../texts.ts';
import type { Payouts, ProviderPayout, SignedWebhook, WantedPayout } from '../provider.ts';

/** After it a payout is paid, or comes back. */
const LATER_SECONDS = 30;
/** What the sandbox has for payouts. */
const BALANCE = 1_000_000_000;

/**
 * What has become of a payout, by the last digit of its amount; undefined: nobody knows. It depends on nothing else but
 * its age, so that all replicas say the same, also after a restart.
 */
function stateOf({ amount, currency, reference, age = 0 }: WantedPayout): ProviderPayout | undefined {
  const isLater = age >= LATER_SECONDS;
  const known = { ref: `sandbox-${reference}`, money: { amount, currency } };
  switch (amount % 10) {
    case 1:
      return { outcome: 'failed', message: records.sandboxRefuses };
    case 2:
      return undefined;
    case 3:
      return { ...known, outcome: isLater ? 'returned' : 'paid', ...(isLater && { message: records.sandboxReturns }) };
    case 4:
      return { ...known, outcome: isLater ? 'paid' : 'pending' };
    default:
      return { ...known, outcome: 'paid' };
  }
}

/** Payouts of play money. `webhook` signs the one about the payout with this key. */
export const sandboxPayouts = (webhook: (key: string) => SignedWebhook): Payouts => ({
  send: async (payout) => {
    const state = stateOf(payout);
    if (!state) throw new Error('the sandbox does not answer about this amount');
    if (payout.amount % 10 !== 5) return state;
    const hook = webhook(payout.key);
    return { ...state, outcome: 'pending', webhooks: [hook, hook] };
  },
  find: async (payout) => stateOf(payout),
  balance: async () => BALANCE,
});
