import { useRegion } from '../i18n/region.ts';
import type { ActionProps } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { formatMoney } from '../shared/money/money.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { RequiredField } from '../shared/record/decision.tsx';
import { statesBefore, type Batch, type Item, type Settlement } from './payout.ts';
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

/** How the administrator can settle payouts of the batch. */
function useSettlements(): Settlement[] {
  const { can, isSuper } = useRights();
  if (!can(`PUT ${ITEM}`)) return [];
  return isSuper ? ['paid', 'failed', 'returned'] : ['paid', 'failed'];
}

/** Whether the administrator can do something with any payout of the batch now. */
export function useCanDecide(batch: Batch): boolean {
  const { can } = useRights();
  const settlements = useSettlements();
  return (
    (can(`DELETE ${ITEM}`) && batch.status === 'draft' && batch.items.waiting > 0) ||
    settlements.some((status) => statesBefore(status, batch).some((from) => batch.items[from] > 0))
  );
}

/** What the administrator can do with a payout now: remove it from a draft, or settle it by hand. */
export function useItemActions(batch: Batch, item: Item): ActionProps[] {
  const word = usePayoutText();
  const region = useRegion();
  const settlements = useSettlements();
  const change = useRefetchOnConflict();
  const removal = useRemoval(batch, item);
  const settle = (status: Settlement): ActionProps => {
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
  const offered = settlements.filter((status) => statesBefore(status, batch).includes(item.status));
  return [...removal, ...offered.map(settle)];
}
