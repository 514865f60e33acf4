import { useQueryClient } from '@tanstack/react-query';
import { useListContext } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import type { ServerProvider } from '../data-provider.ts';
import { payoutFormats } from '../generated/operations.ts';
import { Refusal } from '../server/server.ts';
import { Actions } from '../shared/forms/action.tsx';
import type { Fields } from '../shared/forms/submission.ts';
import { useSelected } from '../shared/lists/selection.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { pathOf } from '../shared/record/record-link.tsx';
import type { WithdrawalRow } from './decisions.tsx';
import { PayoutForm, PREVIEW } from './payout-form.tsx';
import { usePayoutText } from '../payouts/words.ts';

const PATH = '/api/admin/payout-batches';

/** The statuses of refusals after which the preview may be out of date. */
const REFUSED = [409, 422];

/**
 * Makes a batch of the payouts of the preview, and opens its page. The preview is fetched again after a refusal. When the
 * answer was lost, the batch may have been made: the form stays as it is, so that another try repeats the same request.
 */
function useMaking() {
  const word = usePayoutText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { onUnselectItems } = useListContext();
  return async (provider: ServerProvider, { withdrawal_ids: ids, format: chosen, note = '' }: Fields, key: string) => {
    if (ids === undefined) throw new Refusal(word('create.loading'), 0);
    if (ids === '') throw new Refusal(word('create.nothing'), 0);
    const format = payoutFormats.find((name) => name === chosen) ?? payoutFormats[0];
    const body = { withdrawal_ids: ids.split(',').map(Number), format, ...(note.trim() !== '' && { note }) };
    const params = { header: { 'Idempotency-Key': key } };
    try {
      const { id } = await provider.request((client) => client.POST(PATH, { params, body }));
      onUnselectItems();
      await navigate(pathOf('payouts', id));
    } catch (error) {
      if (error instanceof Refusal && REFUSED.includes(error.status))
        void queries.invalidateQueries({ queryKey: [PREVIEW] });
      throw error;
    }
  };
}

/** Makes a batch of payouts of the selected new withdrawals. */
export function PayOutSelected() {
  const word = usePayoutText();
  const { can } = useRights();
  const rows = useSelected<WithdrawalRow>().filter(({ status }) => status === 'initiated');
  const make = useMaking();
  const action = {
    label: word('create.label', { count: rows.length }),
    title: word('create.title'),
    done: word('create.done'),
    button: { variant: 'contained' as const },
    run: make,
    children: <PayoutForm rows={rows} />,
  };
  return <Actions of={rows.length > 0 && can(`POST ${PATH}`) ? [action] : []} />;
}
