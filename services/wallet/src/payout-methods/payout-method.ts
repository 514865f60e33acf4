import { z } from 'zod';

export const ACCOUNT_KINDS = ['phone', 'iban', 'text'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** A way in which teachers are paid. */
export const payoutMethod = z
  .strictObject({
    method: z.string().min(1).max(64).meta({ example: 'tmoney' }),
    kind: z.enum(ACCOUNT_KINDS).meta({ example: 'phone' }),
    name: z.string().min(1).max(255).meta({ example: 'T-Money' }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .meta({ description: 'Of the phone numbers; null but for phones.', example: 'TG' }),
  })
  .meta({ id: 'PayoutMethod' });
export type PayoutMethod = z.infer<typeof payoutMethod>;

const methods = z
  .array(payoutMethod)
  .refine((all) => new Set(all.map(({ method }) => method)).size === all.length)
  .refine((all) => all.every(({ kind, country }) => (kind === 'phone') === (country !== null)));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The variable `PAYOUT_METHODS`. */
export const methodsVariable = () =>
  z.string().transform((text, context) => {
    const result = methods.safeParse(parsed(text));
    if (result.success) return result.data;
    const message =
      'must be a JSON array of {method, kind, name, country}, country a code of two letters for phones, else null';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
