import { useCanAccess } from 'ra-core';
import { useText } from '../i18n/i18n.ts';
import { Decision, DetailsField, ReferenceField, type MoneyRow, type Status } from '../shared/decision.tsx';
import { Facts } from '../shared/facts.tsx';

export type WithdrawalRow = MoneyRow & { account: string | null };

/** Whoever claims a withdrawal pays it out: `pending` says that somebody is on it. */
export const wordOf = (status: Status) => (status === 'pending' ? 'claimed' : status);

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

function useCommon(row: WithdrawalRow) {
  const t = useText();
  return { resource: 'withdrawals', row, word: (status: Status) => t(`status.${wordOf(status)}`) } as const;
}

/** Only for super administrators: a payout that has come back. */
function Reversal({ row }: { row: WithdrawalRow }) {
  const t = useText();
  const { canAccess } = useCanAccess({ resource: 'withdrawals', action: 'reverse' });
  return (
    <Decision
      {...useCommon(row)}
      to="failed"
      isOffered={row.status === 'success' && canAccess === true}
      label="resources.withdrawals.reverse.label"
      title="resources.withdrawals.reverse.title"
      done="resources.withdrawals.reverse.done"
      color="error"
    >
      {t('resources.withdrawals.reverse.meaning')}
      <DetailsField />
    </Decision>
  );
}

/** What an administrator can decide about a withdrawal now. */
export function Decisions({ row }: { row: WithdrawalRow }) {
  const t = useText();
  const isOpen = row.status === 'initiated' || row.status === 'pending';
  const common = useCommon(row);
  return (
    <>
      <Decision
        {...common}
        to="pending"
        isOffered={row.status === 'initiated'}
        label="resources.withdrawals.claim.label"
        title="resources.withdrawals.claim.title"
        done="resources.withdrawals.claim.done"
      >
        {t('resources.withdrawals.claim.meaning')}
      </Decision>
      <Decision
        {...common}
        to="success"
        isOffered={isOpen}
        label="resources.withdrawals.pay.label"
        title="resources.withdrawals.pay.title"
        done="resources.withdrawals.pay.done"
        color="success"
      >
        <Target row={row} />
        <ReferenceField />
      </Decision>
      <Decision
        {...common}
        to="failed"
        isOffered={isOpen}
        label="resources.withdrawals.refuse.label"
        title="resources.withdrawals.refuse.title"
        done="resources.withdrawals.refuse.done"
        color="error"
      >
        {t('resources.withdrawals.refuse.meaning')}
        <DetailsField />
      </Decision>
      <Reversal row={row} />
    </>
  );
}
