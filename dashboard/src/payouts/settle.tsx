import { useRegion } from '../i18n/region.ts';
import type { ActionProps } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { formatMoney } from '../shared/money/money.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { RequiredField } from '../shared/record/decision.tsx';
import type { Batch, Item, ItemStatus } from './payout.ts';
import { useRefetchOnConflict } from './steps.tsx';
import { usePayoutText } from './words.ts';

const ITEM = '/api/admin/payout-batches/{id}/items/{item_id}';
const pathOf = ({ batch_id: id, id: item }: Item) => ({ params: { path: { id: String(id), item_id: String(item) } } });

function useRemoval(batch: Batch, item: Item): ActionProps[] {
  const word = usePayoutText();
  const { can } = useRights();
  const change = useRefetchOnConflict();
  if (!can(`DELETE ${ITEM}`) || batch.status !== 'draft' || item.status !== 'waiting') return [];
  return [
    {
      label: word('remove.label'),
      title: word('remove.title', { name: item.user.name }),
      done: word('remove.done'),
      run: (provider) => change(provider.request((client) => client.DELETE(ITEM, pathOf(item)))),
      children: (
        <>
          <Amount amount={item.amount} currency={batch.currency} />
          {word('remove.meaning')}
        </>
      ),
    },
  ];
}

const FROM: Record<'paid' | 'failed' | 'returned', ItemStatus[]> = {
  paid: ['sent', 'uncertain'],
  failed: ['sent', 'uncertain'],
  returned: ['paid'],
};

/** What the administrator can do with a payout now: remove it from a draft, or settle it by hand. */
export function useItemActions(batch: Batch, item: Item): ActionProps[] {
  const word = usePayoutText();
  const region = useRegion();
  const { can, isSuper } = useRights();
  const change = useRefetchOnConflict();
  const removal = useRemoval(batch, item);
  const settle = (status: keyof typeof FROM): ActionProps => {
    const texts = `settle.${status}` as const;
    const values = { amount: formatMoney(item.amount, batch.currency, region), name: item.user.name };
    return {
      label: word(`${texts}.label`),
      title: word(`${texts}.title`, values),
      done: word(`${texts}.done`),
      button: { color: status === 'paid' ? 'success' : 'error' },
      isRare: status === 'returned',
      run: (provider, { provider_ref: ref = '', message = '' }) => {
        const body = { status, message, ...(ref.trim() !== '' && { provider_ref: ref }) };
        return change(provider.request((client) => client.PUT(ITEM, { ...pathOf(item), body })));
      },
      children: (
        <>
          <Amount amount={item.amount} currency={batch.currency} />
          {word(`${texts}.meaning`)}
          {status === 'paid' && <Field name="provider_ref" label={word('settle.reference')} autoComplete="off" />}
          <RequiredField name="message" label={word('settle.message')} hint={word(`${texts}.hint`)} />
        </>
      ),
    };
  };
  const offered = (['paid', 'failed', 'returned'] as const).filter(
    (status) => FROM[status].includes(item.status) && (status !== 'returned' || isSuper),
  );
  return [...removal, ...(can(`PUT ${ITEM}`) ? offered.map(settle) : [])];
}
