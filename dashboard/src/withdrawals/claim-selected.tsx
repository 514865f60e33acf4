import { useListContext } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Refusal } from '../server/server.ts';
import { Actions } from '../shared/forms/action.tsx';
import { Money, formatMoney } from '../shared/money/money.tsx';
import { useRegion } from '../i18n/region.ts';
import { useRights } from '../shared/queries/rights.ts';
import { useSelected } from '../shared/lists/selection.tsx';
import type { WithdrawalRow } from './decisions.tsx';

/** Claims withdrawals one after the other. Throws Refusal if the status of some had already changed. */
function useClaim(rows: WithdrawalRow[]) {
  const t = useText();
  return async (provider: ServerProvider) => {
    let done = 0;
    for (const row of rows) {
      const data = { status: 'pending', expected_status: row.status };
      try {
        await provider.update('withdrawals', { id: row.id, data, previousData: row });
        done += 1;
      } catch (error) {
        if (!(error instanceof Refusal) || error.status !== 409) throw error;
      }
    }
    if (done < rows.length)
      throw new Refusal(t('resources.withdrawals.claimAll.partly', { done, count: rows.length }), 409);
  };
}

export function ClaimSelected() {
  const t = useText();
  const region = useRegion();
  const rows = useSelected<WithdrawalRow>().filter(({ status }) => status === 'initiated');
  const { onUnselectItems } = useListContext();
  const claim = useClaim(rows);
  const canClaim = useRights().has('payout');
  const [first] = rows;
  const total = rows.reduce((sum, { amount }) => sum + amount, 0);
  const amount = first ? formatMoney(total, first.currency, region) : '';
  const action = {
    label: t('resources.withdrawals.claimAll.label', { count: rows.length }),
    title: t('resources.withdrawals.claimAll.title', { smart_count: rows.length, amount }),
    done: t('resources.withdrawals.claimAll.done'),
    run: async (provider: ServerProvider) => {
      await claim(provider);
      onUnselectItems();
    },
    children: (
      <>
        {t('resources.withdrawals.claim.meaning')}
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <bdi>{row.user.name}</bdi>: <Money amount={row.amount} currency={row.currency} />
            </li>
          ))}
        </ul>
      </>
    ),
  };
  return <Actions of={first && canClaim ? [action] : []} />;
}
