import { useCanAccess } from 'ra-core';
import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';
import { DetailsField, ReferenceField, useDecisions } from '../shared/forms/decision.tsx';
import { Facts } from '../shared/record/facts.tsx';

export type WithdrawalRow = RowOf<'withdrawals'>;

/** Where the money goes. */
function Target({ row: { method, account } }: { row: WithdrawalRow }) {
  const t = useText();
  return (
    <Facts
      of={[
        [t('decision.method'), method],
        [t('decision.account'), account],
      ]}
    />
  );
}

/** What an administrator can decide about a withdrawal now. */
export function useWithdrawalDecisions(row: WithdrawalRow) {
  const t = useText();
  const isOpen = row.status === 'initiated' || row.status === 'pending';
  // Only for super administrators: a payout that has come back.
  const { canAccess } = useCanAccess({ resource: 'withdrawals', action: 'reverse' });
  return useDecisions('withdrawals', row, [
    {
      to: 'pending',
      isOffered: row.status === 'initiated',
      texts: 'resources.withdrawals.claim',
      children: t('resources.withdrawals.claim.meaning'),
    },
    {
      to: 'success',
      isOffered: isOpen,
      texts: 'resources.withdrawals.pay',
      color: 'success',
      children: (
        <>
          <Target row={row} />
          <ReferenceField />
        </>
      ),
    },
    {
      to: 'failed',
      isOffered: isOpen,
      texts: 'resources.withdrawals.refuse',
      color: 'error',
      children: (
        <>
          {t('resources.withdrawals.refuse.meaning')}
          <DetailsField />
        </>
      ),
    },
    {
      to: 'failed',
      isOffered: row.status === 'success' && canAccess === true,
      texts: 'resources.withdrawals.reverse',
      color: 'error',
      children: (
        <>
          {t('resources.withdrawals.reverse.meaning')}
          <DetailsField />
        </>
      ),
    },
  ]);
}
