import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { signatureWrong } from '../../errors.ts';
import {
  declareProvider,
  eventOf,
  eventText,
  type CheckoutAction,
  type Claim,
  type PaymentProvider,
  type ProviderOutcome,
  type RefundOutcome,
  type SignedWebhook,
} from '../provider.ts';
import { sandboxPayouts } from './payout.ts';

const WINDOW_SECONDS = 300;

const name = z.union([eventText, z.int()]).transform(String).optional();
const eventSchema = z.object({
  id: eventText,
  type: eventText,
  deposit_id: z.int().min(1),
  amount: z.int().min(1).optional(),
  dispute_id: name,
  refund_id: name,
});
type SandboxEvent = z.output<typeof eventSchema>;

/** A hint that there is news of a payout. */
const payoutSchema = z.object({ id: eventText, type: z.literal('payout.updated'), payout_key: eventText });

const OUTCOMES = new Map<string, ProviderOutcome>([
  ['deposit.succeeded', 'success'],
  ['deposit.failed', 'failed'],
  ['deposit.canceled', 'canceled'],
]);

const DISPUTES = new Map<string, Claim['status']>([
  ['dispute.opened', 'needs_response'],
  ['dispute.won', 'won'],
  ['dispute.lost', 'lost'],
]);

const REFUNDS = new Map<string, { status: Claim['status']; outcome: RefundOutcome }>([
  ['refund.created', { status: 'lost', outcome: 'success' }],
  ['refund.failed', { status: 'won', outcome: 'failed' }],
]);

/**
 * The dispute or refund of an event; undefined when it is about neither. Without a `dispute_id` a deposit has one. An
 * unknown word about a dispute or refund has no status.
 */
function claimOf({ id, type, deposit_id, amount, dispute_id, refund_id }: SandboxEvent): Claim | undefined {
  const payment = { ref: refOf(deposit_id), depositId: deposit_id };
  const common = { ...(amount !== undefined && { amount }), isCurrent: false, payment };
  if (type.startsWith('dispute.')) {
    const ref = dispute_id ?? `sandbox-dispute-${deposit_id}`;
    return { ...common, ref, reason: 'general', status: DISPUTES.get(type) };
  }
  if (!type.startsWith('refund.')) return undefined;
  const known = REFUNDS.get(type);
  const mayBeOurs = /^[1-9]\d{0,14}$/.test(refund_id ?? '');
  return {
    ...common,
    ref: refund_id ?? `sandbox-refund-${id}`,
    reason: 'refund',
    status: known?.status,
    ...(known && { refund: { id: mayBeOurs ? Number(refund_id) : undefined, outcome: known.outcome } }),
  };
}

const refOf = (depositId: number) => `sandbox-${depositId}`;

const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest();

/** A webhook with this body, signed. */
function signed(secret: string, body: object): SignedWebhook {
  const rawBody = JSON.stringify(body);
  const signature = signSandbox(secret, rawBody);
  return { rawBody: Buffer.from(rawBody), header: (name) => (name === 'x-signature' ? signature : undefined) };
}

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

const EVENTS = {
  pay: 'deposit.succeeded',
  fail: 'deposit.failed',
  cancel: 'deposit.canceled',
  dispute: 'dispute.opened',
  win: 'dispute.won',
  lose: 'dispute.lost',
  refund: 'refund.created',
} satisfies Record<CheckoutAction, string>;

function createSandbox({ secret, publicUrl }: { secret: string; publicUrl: string }): PaymentProvider {
  /**
   * The key keeps the link of a deposit lost by a restore from opening a new deposit with the same id. Deposits of
   * earlier releases have no key.
   */
  const tokenOf = (depositId: number, key: string | null) =>
    mac(secret, key === null ? `checkout:${depositId}` : `checkout:${depositId}:${key}`).toString('base64url');

  return {
    name: 'sandbox',
    isOwnAccount: true,
    open: async ({ id, key }) => ({
      ref: refOf(id),
      checkoutUrl: `${publicUrl}/api/checkout/${id}/${tokenOf(id, key)}`,
    }),
    read: async (rawBody, header) => {
      if (!verifySignature(secret, rawBody, header('x-signature'))) throw signatureWrong();
      const event = eventOf(z.union([payoutSchema, eventSchema]), () => JSON.parse(rawBody.toString('utf8')));
      if ('payout_key' in event)
        return { id: event.id, type: event.type, ref: '', payment: undefined, payout: { key: event.payout_key } };
      const { id, type, deposit_id: depositId } = event;
      const claim = claimOf(event);
      if (claim) return { id, type, ref: claim.ref, payment: undefined, claims: [claim] };
      const outcome = OUTCOMES.get(type);
      const ref = refOf(depositId);
      return outcome && { id, type, ref, payment: { ref, depositId, outcome } };
    },
    payouts: sandboxPayouts((payout_key) =>
      signed(secret, { id: `evt_${randomUUID()}`, type: 'payout.updated', payout_key }),
    ),
    checkout: {
      ownsLink: (depositId, key, token) => sameBytes(Buffer.from(token), Buffer.from(tokenOf(depositId, key))),
      webhook({ id: deposit_id, amount }, action) {
        return signed(secret, { id: `evt_${randomUUID()}`, type: EVENTS[action], deposit_id, amount });
      },
    },
  };
}

/** The embedded provider: play money, our own checkout page, and webhooks signed like a real provider's. */
export const sandbox = declareProvider({
  name: 'sandbox',
  account: -10,
  isPlayMoney: true,
  credentials: {
    SANDBOX_WEBHOOK_SECRET: z
      .string()
      .min(16, 'must have at least 16 characters')
      .describe('Signs the play money of the sandbox; production refuses it'),
  },
  webhookNote:
    'The sandbox sends `{"id", "type": "deposit.succeeded", "deposit_id"}` with `X-Signature: t=<unix seconds>,v1=<hex ' +
    'HMAC-SHA256 of "<t>.<body>">`; `dispute.opened`, `dispute.won`, `dispute.lost` and `refund.created` have `amount` ' +
    'too, and may have `dispute_id` or `refund_id`. `{"id", "type": "payout.updated", "payout_key"}` makes the wallet ask ' +
    'about a payout.',
  create: ({ SANDBOX_WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl }) => createSandbox({ secret, publicUrl }),
});
