import { z } from 'zod';
import { AppError } from '@tutoring/shared/kit/errors';
import { ASK_MS, PROVIDER_MS } from '../../deadlines.ts';
import { amountRefused, providerUnavailable } from '../../errors.ts';
import { records } from '../../texts.ts';
import type { Payment, PaymentProvider, ProviderOutcome } from '../provider.ts';
import { connectFedapay, isRefused, moneyFields, unless, type Fedapay } from './connection.ts';
import { fedapayPayouts } from './payout.ts';
import { readEvent } from './webhook.ts';

/** The modes of FedaPay's documentation. Of all other methods the student chooses on its payment page. */
const MODES = ['mtn_open', 'moov', 'sbin', 'moov_tg', 'togocel', 'mtn_ci', 'airtel_ne', 'free_sn', 'momo_test'];

/** A payment that was declined or canceled may still be approved: `canceled` would end the asking. */
const OUTCOMES = new Map<string, ProviderOutcome>([
  ['approved', 'success'],
  ['transferred', 'success'],
  ['declined', 'failed'],
  ['canceled', 'failed'],
]);

const transactionSchema = z.object({
  ...moneyFields,
  custom_metadata: z.object({ deposit_id: z.string(), deposit_key: z.string() }).partial().nullish().catch(undefined),
});
type Transaction = z.output<typeof transactionSchema>;

const tokenSchema = z.object({ url: z.url() });

interface Options {
  secretKey: string;
  webhookSecret: string;
  apiUrl: string;
  publicUrl: string;
}

async function paymentOf({ currencyOf }: Fedapay, transaction: Transaction, signal: AbortSignal): Promise<Payment> {
  const { id, status, amount, merchant_reference: reference, custom_metadata: metadata } = transaction;
  const named = metadata?.deposit_id ?? '';
  return {
    ref: String(id),
    depositId: /^\d{1,15}$/.test(named) ? Number(named) : undefined,
    key: metadata?.deposit_key ?? reference ?? undefined,
    money: { amount, currency: await currencyOf(transaction, signal) },
    outcome: OUTCOMES.get(status),
  };
}

/** The payment was given back, in whole or in part. */
const isRefunded = ({ status }: Transaction) => /(?:^|_)refunded$/.test(status);

/** A transaction at this path; undefined when FedaPay does not know it under our key. */
const find = ({ request }: Fedapay, path: string, signal: AbortSignal, unknown = [403, 404]) =>
  unless(unknown, request({ method: 'GET', path, signal, name: 'transaction', answer: transactionSchema }));

/**
 * Deposits and payouts by FedaPay. A webhook is only a hint: what it is about is always fetched. The metadata of a
 * transaction carry the deposit's id and key, and its merchant reference is the key.
 */
export function createFedapay(options: Options): PaymentProvider {
  const fedapay = connectFedapay(options);
  const { request } = fedapay;

  async function fetchTransaction(ref: string, within: number) {
    const signal = AbortSignal.timeout(within);
    const transaction = await find(fedapay, `/transactions/${encodeURIComponent(ref)}?include=currency`, signal);
    return transaction && { transaction, payment: await paymentOf(fedapay, transaction, signal) };
  }

  return {
    name: 'fedapay',
    async open({ id, key, amount, currency, method }) {
      // As long as the two tries of Stripe's library: both are within the gateway's time limit.
      const signal = AbortSignal.timeout(2 * PROVIDER_MS);
      const body = {
        description: records.depositTitle,
        amount,
        currency: { iso: currency },
        callback_url: `${options.publicUrl}/api/checkout/returned`,
        merchant_reference: key,
        custom_metadata: { deposit_id: String(id), deposit_key: key },
        ...(method !== null && MODES.includes(method) && { mode: method }),
      };
      const create = () =>
        request({
          method: 'POST',
          path: '/transactions',
          body,
          signal,
          name: 'transaction',
          answer: transactionSchema,
        });
      // A crashed request may have created it: a deposit must not have two transactions that can be paid. Whether FedaPay
      // can look it up is not documented.
      const lookUp = `/transactions/merchant/${encodeURIComponent(key)}`;
      const existing = await find(fedapay, lookUp, signal, [400, 403, 404, 405]);
      const transaction =
        existing ??
        (await create().catch((error: unknown) => {
          throw isRefused(error) && error.fields.includes('amount') ? amountRefused() : error;
        }));
      const ref = String(transaction.id);
      const path = `/transactions/${encodeURIComponent(ref)}/token`;
      const { url } = await request({ method: 'POST', path, body: {}, signal, name: 'token', answer: tokenSchema });
      return { ref, checkoutUrl: url };
    },

    async read(rawBody, header) {
      const event = readEvent(options.webhookSecret, rawBody, header('x-fedapay-signature'));
      if (!event || event.payout) return event;
      const fetched = await fetchTransaction(event.ref, PROVIDER_MS).catch((error: unknown) => {
        throw error instanceof AppError ? error : providerUnavailable(error);
      });
      if (!fetched || !isRefunded(fetched.transaction)) return { ...event, payment: fetched?.payment };
      // FedaPay does not say how much was given back: it is a break, and a person decides.
      const { payment } = fetched;
      const claim = { ref: payment.ref, reason: 'refund', status: undefined, isCurrent: true, payment };
      return { ...event, payment: undefined, claims: [claim] };
    },

    ask: async (ref) => (await fetchTransaction(ref, ASK_MS))?.payment,

    payouts: fedapayPayouts(fedapay),
  };
}
