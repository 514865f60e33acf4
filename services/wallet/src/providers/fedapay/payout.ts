import { z } from 'zod';
import { ASK_MS } from '../../deadlines.ts';
import { records } from '../../texts.ts';
import { NotSent, type PayoutOutcome, type Payouts, type ProviderPayout, type WantedPayout } from '../provider.ts';
import { isRefused, isTurnedAway, moneyFields, unless, type Fedapay } from './connection.ts';

/* Payouts by FedaPay. A payout is created, which moves no money, and then started. Its merchant reference is our key. */

const payoutSchema = z.object({
  ...moneyFields,
  last_error_code: z.string().nullish().catch(undefined),
  last_error_message: z.string().nullish().catch(undefined),
  deleted_at: z.string().nullish().catch(undefined),
});
type Payout = z.output<typeof payoutSchema>;

const OUTCOMES = new Map<string, PayoutOutcome>([
  ['pending', 'pending'],
  ['scheduled', 'pending'],
  ['started', 'pending'],
  ['processing', 'pending'],
  ['sent', 'paid'],
  ['failed', 'failed'],
]);

const started = z.array(payoutSchema).catch([]);
const balances = z.array(z.object({ amount: z.number() }));

/** FedaPay documents no length of names; its text fields hold 255 characters. */
const NAME_LENGTH = 255;
const cut = (text: string) => [...text].slice(0, NAME_LENGTH).join('');

/** First name and family name, both of which FedaPay requires; a name of one word is both. */
function namesOf(holder: string): { firstname: string; lastname: string } {
  const [first = '', ...rest] = holder.trim().split(/\s+/u);
  return { firstname: cut(first), lastname: cut(rest.join(' ') || first) };
}

/** The recipient as FedaPay wants it; undefined unless the account is a phone number with its country code. */
async function recipientOf({ account, method, holder_name: holder }: WantedPayout) {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const phone = parsePhoneNumberFromString(account);
  if (!phone?.isPossible() || phone.country === undefined || method === null) return undefined;
  const phone_number = { number: phone.number, country: phone.country.toLowerCase() };
  return { mode: method, customer: { ...namesOf(holder), phone_number } };
}

function shown(payout: Payout, currency: string | null): ProviderPayout {
  const { id, status, amount, last_error_message: message, last_error_code: code, deleted_at: deleted } = payout;
  // Nothing is documented about a payout that was deleted: a person has to look.
  const outcome = deleted ? undefined : OUTCOMES.get(status);
  const reason = outcome === 'failed' ? (message ?? code) : undefined;
  return { ref: String(id), outcome, money: { amount, currency }, ...(reason && { message: reason }) };
}

/** Throws when FedaPay's payout is not the one that we want: it must not be started. */
function assertSame({ money }: ProviderPayout, wanted: WantedPayout): void {
  const isSame = money?.amount === wanted.amount && (money.currency ?? wanted.currency) === wanted.currency;
  if (!isSame) throw new Error(`FedaPay has another amount or currency for the payout ${wanted.reference}`);
}

/** FedaPay was not asked to pay. */
function throwNotSent(error: Error): never {
  throw new NotSent(error.message, { cause: error });
}

export function fedapayPayouts(fedapay: Fedapay): Payouts {
  const { request } = fedapay;
  const limit = () => AbortSignal.timeout(ASK_MS);

  const currencyOf = (payout: Payout) => fedapay.currencyOf(payout, limit());

  async function find({ key, provider_ref: ref }: WantedPayout): Promise<Payout | undefined> {
    const named = ref === null ? `merchant/${encodeURIComponent(key)}` : encodeURIComponent(ref);
    const path = `/payouts/${named}?include=currency`;
    const asked = request({ method: 'GET', path, signal: limit(), name: 'payout', answer: payoutSchema });
    const payout = await unless([404], asked);
    if (payout && (payout.merchant_reference ?? key) !== key) throw new Error('FedaPay returned another payout');
    return payout;
  }

  /** Creates the payout; resolves to the message instead when FedaPay refuses it for good. */
  async function create(wanted: WantedPayout, recipient: object): Promise<Payout | string> {
    const { key, reference, amount, currency } = wanted;
    const description = `${records.payoutTitle} ${reference}`;
    const money = { amount, currency: { iso: currency } };
    const body = { ...money, ...recipient, description, merchant_reference: key, custom_metadata: { reference } };
    const asked = { method: 'POST', path: '/payouts', body, signal: limit(), name: 'payout' } as const;
    try {
      return await request({ ...asked, answer: payoutSchema });
    } catch (error) {
      // Nothing was started. A merchant reference that is taken is no refusal: a payout with our key exists.
      if (isRefused(error) && !error.fields.includes('merchant_reference')) return error.message;
      if (isTurnedAway(error)) throwNotSent(error);
      throw error;
    }
  }

  async function start({ id }: Payout): Promise<Payout | undefined> {
    const body = { payouts: [{ id }] };
    const asked = { method: 'PUT', path: '/payouts/start', body, signal: limit(), name: 'payouts' } as const;
    const answer = await request({ ...asked, answer: started });
    return answer.find((payout) => String(payout.id) === String(id));
  }

  return {
    async send(wanted): Promise<ProviderPayout> {
      const recipient = await recipientOf(wanted);
      if (!recipient) return { outcome: 'failed', message: records.noMobileMoney };
      // Until FedaPay has said whether it has the payout, it was not asked to pay.
      let payout = await find(wanted).catch(throwNotSent);
      if (!payout && wanted.provider_ref !== null) throw new Error('FedaPay does not know its payout any more');
      if (!payout) {
        const created = await create(wanted, recipient);
        // If two were created at once, only the one that the key finds is started, and the other is no refusal.
        const found = await find(wanted);
        if (!found && typeof created === 'string') return { outcome: 'failed', message: created };
        payout = found ?? (created as Payout);
      }
      const currency = await currencyOf(payout);
      const found = shown(payout, currency);
      if (payout.status !== 'pending' || found.outcome === undefined) return found;
      assertSame(found, wanted);
      const begun = await start(payout);
      return begun?.status ? shown({ ...begun, amount: payout.amount }, currency) : found;
    },

    async find(wanted) {
      const payout = await find(wanted);
      if (!payout) return undefined;
      const found = shown(payout, await currencyOf(payout));
      // Created by a call that did not return, and not started: a person has to look.
      const isLeft = payout.status === 'pending' && wanted.provider_ref === null;
      return isLeft ? { ...found, outcome: undefined } : found;
    },

    // A phone number with its country code: the only accounts that FedaPay is known to pay to.
    pays: (account) => account.startsWith('+'),

    async balance() {
      const asked = { method: 'GET', path: '/balances', signal: limit(), name: 'balances' } as const;
      const all = await request({ ...asked, answer: balances });
      return all.reduce((sum, { amount }) => sum + amount, 0);
    },
  };
}
