import { z } from 'zod';
import { ITEM_STATUSES } from '@tutoring/shared/contract/payout';
import { contactOrNull } from '@tutoring/shared/kit/http/declare/contacts';
import { text, times, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { pageFields } from '@tutoring/shared/kit/http/declare/page';

/** One payout of a batch. */
export const itemSchema = z
  .strictObject({
    id: z.int().meta({ example: 77 }),
    batch_id: z.int().meta({ example: 12 }),
    withdrawal_id: z.int().meta({ example: 41 }),
    reference: z.string().meta({ example: 'W41-12' }),
    amount: z.int().meta({ example: 5000 }),
    method: z.string().nullable().meta({ example: 'tmoney' }),
    account: contactOrNull('account'),
    holder_name: z.string().nullable().meta({ example: 'Kossi Mensah' }),
    user: z
      .strictObject({ id: z.int().meta({ example: 12 }), name: z.string().meta({ example: 'Kossi Mensah' }) })
      .meta({ id: 'PayoutPayee' }),
    status: z.enum(ITEM_STATUSES).meta({ example: 'paid' }),
    provider_ref: z.string().nullable().meta({ example: 'BANK-77' }),
    message: z.string().nullable().meta({ example: 'The account is closed.' }),
    settled_by: z
      .strictObject({ id: z.int().meta({ example: 3 }), name: z.string().meta({ example: 'Ada Mensah' }) })
      .meta({ id: 'PayoutSettler' })
      .nullable()
      .meta({ description: 'Null while it is open, and for a provider.' }),
    settled_at: timestamp().nullable(),
    ...times,
  })
  .meta({ id: 'PayoutItem' });
export type Item = z.infer<typeof itemSchema>;

export interface ItemRow extends Omit<Item, 'user' | 'settled_by'> {
  user_id: number;
  settler_id: number | null;
  settler_name: string | null;
}

export const showItem = ({
  user_id,
  settler_id,
  settler_name,
  ...item
}: ItemRow & { user: { name: string } }): Item => ({
  ...item,
  user: { id: user_id, name: item.user.name },
  settled_by: settler_id === null ? null : { id: settler_id, name: settler_name ?? '' },
});

/** The part of an item that the audit log stores: without the payout account. */
export const auditedItem = ({ status, provider_ref, message }: ItemRow) => ({ status, provider_ref, message });

const { pageItems, page, order } = pageFields;
export const itemFilter = z.object({
  ...{ pageItems, page, order },
  status: z.enum(ITEM_STATUSES).optional().meta({ example: 'uncertain' }),
});
export type ItemFilter = z.output<typeof itemFilter>;

/** What an administrator says about a payout. */
export const settlement = z.object({
  status: z.enum(['paid', 'failed', 'returned']).meta({ example: 'paid' }),
  provider_ref: text().optional().meta({ example: 'BANK-77' }),
  message: text(1000).meta({ example: 'The bank confirmed it by phone.' }),
});
export type Settlement = z.output<typeof settlement>;
