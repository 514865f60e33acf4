import { z } from 'zod';
import { contact } from '@tutoring/shared/kit/http/declare/contacts';
import { pickFields, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { ibanOf, isWritable, mobileOf } from '../payout-methods/account-number.ts';
import { ACCOUNT_KINDS, type PayoutMethod } from '../payout-methods/payout-method.ts';

/** A person's payout accounts at once. */
export const MAX_ACCOUNTS = 5;
/** Longest name that a bank's file holds. */
const MAX_NAME = 140;

/** Where a teacher wants to be paid. */
export const payoutAccount = z
  .strictObject({
    id: z.int().meta({ example: 3 }),
    method: z.string().meta({ example: 'tmoney' }),
    kind: z.enum(ACCOUNT_KINDS).meta({ example: 'phone' }),
    account: contact('account'),
    holder_name: z.string().meta({ example: 'Kossi Mensah' }),
    usable_at: timestamp(),
    last_used_at: timestamp().nullable(),
    created_at: timestamp(),
  })
  .meta({ id: 'PayoutAccount' });
export type PayoutAccount = z.infer<typeof payoutAccount>;

export interface PayoutAccountRow extends PayoutAccount {
  user_id: number;
}

export const showAccount = (row: PayoutAccountRow): PayoutAccount => pickFields(payoutAccount, row);

export const newAccount = z
  .object({
    method: text(64).meta({ example: 'tmoney' }),
    account: text().meta({ example: '+22890445566' }),
    holder_name: text(MAX_NAME).meta({ example: 'Kossi Mensah' }),
    current_password: z.string().max(1_000).optional().meta({ example: 'a good secret' }),
    code: text(50).optional().meta({ example: '493021' }),
  })
  .meta({
    example: {
      method: 'tmoney',
      account: '+22890445566',
      holder_name: 'Kossi Mensah',
      current_password: 'a good secret',
    },
  });
export type NewAccount = z.output<typeof newAccount>;

/** An account in the form in which it is kept. */
export type AccountParts = Pick<PayoutAccountRow, 'user_id' | 'method' | 'kind' | 'account' | 'holder_name'>;

/** The account as it is kept; undefined when it is none of this method. */
export async function keptAccount({ kind, country }: PayoutMethod, given: string): Promise<string | undefined> {
  if (kind === 'iban') return ibanOf(given);
  if (kind === 'phone') return mobileOf(given, country ?? '');
  return isWritable(given) ? given : undefined;
}
