import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { signatureWrong } from '../errors.ts';
import { eventOf, eventText, type PaymentProvider, type ProviderOutcome } from './provider.ts';

const WINDOW_SECONDS = 300;

const eventSchema = z.object({ id: eventText, type: eventText, deposit_id: z.int().min(1) });

const OUTCOMES = new Map<string, ProviderOutcome>([
  ['deposit.succeeded', 'success'],
  ['deposit.failed', 'failed'],
  ['deposit.canceled', 'canceled'],
]);

const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

const sameBytes = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b);

/** `t=<unix seconds>,v1=<hex hmac-sha256(secret, "<t>.<raw body>")>` */
export function signSandbox(secret: string, rawBody: string, now = Date.now()): string {
  const t = Math.floor(now / 1000);
  return `t=${t},v1=${mac(secret, `${t}.${rawBody}`).toString('hex')}`;
}

function verifySignature(secret: string, rawBody: Buffer, header: string | undefined): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (!match?.[1] || !match[2]) return false;
  if (Math.abs(Math.floor(Date.now() / 1000) - Number(match[1])) > WINDOW_SECONDS) return false;
  return sameBytes(Buffer.from(match[2], 'hex'), mac(secret, `${match[1]}.${rawBody.toString('utf8')}`));
}

/** The embedded provider: test money, our own checkout page, and webhooks signed like a real provider's. */
export function createSandbox({ secret, publicUrl }: { secret: string; publicUrl: string }) {
  const refOf = (depositId: number) => `sandbox-${depositId}`;
  /**
   * The key keeps the link of a deposit lost by a restore from opening a new deposit with the same id. Deposits of
   * earlier releases have no key.
   */
  const tokenOf = (depositId: number, key: string | null) =>
    mac(secret, key === null ? `checkout:${depositId}` : `checkout:${depositId}:${key}`).toString('base64url');

  const provider: PaymentProvider = {
    name: 'sandbox',
    open: async ({ id, key }) => ({
      ref: refOf(id),
      checkoutUrl: `${publicUrl}/api/checkout/${id}/${tokenOf(id, key)}`,
    }),
    read: async (rawBody, header) => {
      if (!verifySignature(secret, rawBody, header('x-signature'))) throw signatureWrong();
      const { id, type, deposit_id: depositId } = eventOf(eventSchema, () => JSON.parse(rawBody.toString('utf8')));
      const outcome = OUTCOMES.get(type);
      const ref = refOf(depositId);
      return outcome && { id, type, ref, payment: { ref, depositId, outcome } };
    },
  };

  return {
    provider,
    /** True when `token` is that of the link of the deposit with this id and key. */
    ownsCheckout: (depositId: number, key: string | null, token: string) =>
      sameBytes(Buffer.from(token), Buffer.from(tokenOf(depositId, key))),
    /** A signed webhook, as sent after a payment, failure or cancellation on the page. */
    webhook(depositId: number, type: 'deposit.succeeded' | 'deposit.failed' | 'deposit.canceled') {
      const rawBody = JSON.stringify({ id: `evt_${randomUUID()}`, type, deposit_id: depositId });
      return { rawBody: Buffer.from(rawBody), signature: signSandbox(secret, rawBody) };
    },
  };
}
