import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { signatureWrong } from '../../errors.ts';
import { declareProvider, eventOf, eventText, type PaymentProvider, type ProviderOutcome } from '../provider.ts';

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

const EVENTS = { pay: 'deposit.succeeded', fail: 'deposit.failed', cancel: 'deposit.canceled' } as const;

function createSandbox({ secret, publicUrl }: { secret: string; publicUrl: string }): PaymentProvider {
  const refOf = (depositId: number) => `sandbox-${depositId}`;
  /**
   * The key keeps the link of a deposit lost by a restore from opening a new deposit with the same id. Deposits of
   * earlier releases have no key.
   */
  const tokenOf = (depositId: number, key: string | null) =>
    mac(secret, key === null ? `checkout:${depositId}` : `checkout:${depositId}:${key}`).toString('base64url');

  return {
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
    checkout: {
      ownsLink: (depositId, key, token) => sameBytes(Buffer.from(token), Buffer.from(tokenOf(depositId, key))),
      webhook(depositId, action) {
        const rawBody = JSON.stringify({ id: `evt_${randomUUID()}`, type: EVENTS[action], deposit_id: depositId });
        const signature = signSandbox(secret, rawBody);
        return {
          rawBody: Buffer.from(rawBody),
          header: (name) => (name === 'x-signature' ? signature : undefined),
        };
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
    'HMAC-SHA256 of "<t>.<body>">`.',
  create: ({ SANDBOX_WEBHOOK_SECRET: secret, PUBLIC_URL: publicUrl }) => createSandbox({ secret, publicUrl }),
});
