import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { signatureWrong, webhookMalformed } from '../../errors.ts';
import { eventOf, eventText, type ProviderEvent } from '../provider.ts';

const WINDOW_SECONDS = 300;

const name = z.union([eventText, z.int().transform(String)]);
const typeSchema = z
  .object({ name: eventText.optional(), type: eventText.optional() })
  .transform((event) => event.name ?? event.type ?? '')
  .pipe(eventText);
const eventSchema = z.object({
  id: name.optional(),
  object_id: name.optional(),
  entity: z.object({ id: name, merchant_reference: eventText.nullish().catch(undefined) }).optional(),
});

/** `t=<unix seconds>,s=<hex hmac-sha256(secret, "<t>.<raw body>")>`; one of several `s` must be right. */
function isSigned(secret: string, rawBody: Buffer, header: string): boolean {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([field]) => field === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(Math.floor(Date.now() / 1000) - Number(time)) > WINDOW_SECONDS) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  return parts
    .filter(([field, value]) => field === 's' && /^[0-9a-f]{64}$/.test(value ?? ''))
    .some(([, value]) => timingSafeEqual(Buffer.from(value!, 'hex'), expected));
}

/**
 * The signed event, whose payment is not fetched yet; undefined when it is about neither a transaction nor a payout.
 * Throws malformed for a signature that is missing, wrong or old, and for an unreadable event.
 */
export function readEvent(secret: string, rawBody: Buffer, signature: string | undefined): ProviderEvent | undefined {
  if (!isSigned(secret, rawBody, signature ?? '')) throw signatureWrong();
  const body = () => JSON.parse(rawBody.toString('utf8')) as unknown;
  const type = eventOf(typeSchema, body);
  if (!/^(?:transaction|payout)\./.test(type)) return undefined;
  const { id, object_id: objectId, entity } = eventOf(eventSchema, body);
  const ref = entity?.id ?? objectId;
  if (ref === undefined) throw webhookMalformed();
  // The documentation does not say that every event has an id; what is sent again has the same bytes.
  const event = { id: id ?? createHash('sha256').update(rawBody).digest('hex'), type, ref, payment: undefined };
  return type.startsWith('payout.')
    ? { ...event, payout: { ref, key: entity?.merchant_reference ?? undefined } }
    : event;
}
