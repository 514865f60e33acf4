import { useRefresh } from 'ra-core';
import { idOf } from '../data/binding.ts';
import type { Operation } from '../data/rights.ts';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Refusal } from '../server/server.ts';
import type { ActionProps } from '../shared/forms/action.tsx';
import { Amount } from '../shared/money/amount.tsx';
import { useRights } from '../shared/queries/rights.ts';
import type { Batch } from './payout.ts';

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

/** The steps of a batch that the administrator can take now. Each is about the version that is shown. */
export function useBatchSteps({ id, status, format, amount, currency, version }: Batch): ActionProps[] {
  const t = useText();
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
            label: t(`resources.payouts.${texts}.label`),
            title: t(`resources.payouts.${texts}.title`, { id }),
            done: t(`resources.payouts.${texts}.done`),
            button: texts === 'cancel' ? { color: 'error' } : { color: 'success', variant: 'contained' },
            run: (provider) => change(run(provider)),
            children: (
              <>
                <Amount amount={amount} currency={currency} />
                {t(`resources.payouts.${texts}.meaning`)}
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
