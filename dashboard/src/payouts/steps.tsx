import { useRefresh } from 'ra-core';
import { idOf } from '../data/binding.ts';
import type { Operation } from '../data/rights.ts';
import type { ServerProvider } from '../data-provider.ts';
import { Refusal } from '../server/server.ts';
import type { ActionProps } from '../shared/forms/action.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { useRights } from '../shared/queries/rights.ts';
import type { Batch } from './payout.ts';
import { usePayoutText } from './words.ts';

type Run = (provider: ServerProvider) => Promise<unknown>;

/** Runs a change; when somebody else was faster, fetches the page again behind the dialog, which shows the refusal. */
export function useRefetchOnConflict() {
  const refresh = useRefresh();
  return async (change: Promise<unknown>) => {
    try {
      await change;
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) refresh();
      throw error;
    }
  };
}

/**
 * The steps of a batch that the administrator can take now. Approval and cancellation are about the version that is shown;
 * export is of an approved batch, whose payouts no longer change.
 */
export function useBatchSteps({ id, status, format, amount, currency, version }: Batch): ActionProps[] {
  const word = usePayoutText();
  const { can } = useRights();
  const change = useRefetchOnConflict();
  const body = { expected_version: version };
  const step = (
    texts: 'approve' | 'cancel' | 'export' | 'send',
    needs: Operation,
    from: Batch['status'][],
    run: Run,
  ): ActionProps[] =>
    can(needs) && from.includes(status)
      ? [
          {
            label: word(`${texts}.label`),
            title: word(`${texts}.title`, { id }),
            done: word(`${texts}.done`),
            button: texts === 'cancel' ? { color: 'error' } : { color: 'success', variant: 'contained' },
            run: (provider) => change(run(provider)),
            children: (
              <>
                <Amount amount={amount} currency={currency} />
                {word(`${texts}.meaning`)}
              </>
            ),
          },
        ]
      : [];
  return [
    ...step('approve', 'POST /api/admin/payout-batches/{id}/approve', ['draft'], (provider) =>
      provider.request((client) => client.POST('/api/admin/payout-batches/{id}/approve', { ...idOf(id), body })),
    ),
    ...step(
      format === 'provider' ? 'send' : 'export',
      'POST /api/admin/payout-batches/{id}/export',
      ['approved'],
      (provider) => provider.request((client) => client.POST('/api/admin/payout-batches/{id}/export', idOf(id))),
    ),
    ...step('cancel', 'POST /api/admin/payout-batches/{id}/cancel', ['draft', 'approved'], (provider) =>
      provider.request((client) => client.POST('/api/admin/payout-batches/{id}/cancel', { ...idOf(id), body })),
    ),
  ];
}
