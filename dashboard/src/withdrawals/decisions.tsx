import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useState } from 'react';
import { useGetIdentity } from 'ra-core';
import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';
import { DetailsField, useDecisions } from '../shared/record/decision.tsx';
import { Field } from '../shared/forms/field.tsx';
import { useSubmissionState } from '../shared/forms/submission.ts';
import { useRights } from '../shared/queries/rights.ts';
import { Facts } from '../shared/record/facts.tsx';
import { Account } from '../shared/money/account.tsx';

export type WithdrawalRow = RowOf<'withdrawals'>;

/** The payment method and account. */
function PayoutTarget({ row: { method, account } }: { row: WithdrawalRow }) {
  const t = useText();
  return (
    <Facts
      of={[
        [t('decision.method'), method],
        [t('decision.account'), account !== null && <Account of={account} />],
      ]}
    />
  );
}

/** The payment reference, required unless the checkbox says that there is none. */
function Reference() {
  const t = useText();
  const { isRunning } = useSubmissionState();
  const [isNone, setNone] = useState(false);
  return (
    <>
      {!isNone && (
        <Field
          name="ref"
          label={t('decision.reference')}
          hint={t('decision.referenceHint')}
          autoComplete="off"
          read={(text) =>
            text.trim() === '' ? { error: t('resources.withdrawals.pay.needsReference') } : { value: text }
          }
        />
      )}
      <FormControlLabel
        label={t('resources.withdrawals.pay.withoutReference')}
        disabled={isRunning}
        control={<Checkbox size="small" checked={isNone} onChange={(_event, isChecked) => setNone(isChecked)} />}
      />
    </>
  );
}

/** The decisions that the administrator can make about a withdrawal now. */
export function useWithdrawalDecisions(row: WithdrawalRow) {
  const t = useText();
  const isOpen = row.status === 'initiated' || row.status === 'pending';
  const { has, canDo, isSuper } = useRights();
  const { identity } = useGetIdentity();
  const isClaimedByOther = row.claimed_by !== null && identity !== undefined && row.claimed_by.id !== identity.id;
  // Whoever may not pay out alone confirms what another administrator has claimed.
  const canPay = has('payout') || (canDo('withdrawals', 'update') && row.status === 'pending' && isClaimedByOther);
  return useDecisions('withdrawals', row, [
    {
      to: 'pending',
      isOffered: has('payout') && row.status === 'initiated',
      texts: 'resources.withdrawals.claim',
      meaning: t('resources.withdrawals.claim.meaning'),
    },
    {
      to: 'success',
      isOffered: isOpen && canPay,
      texts: 'resources.withdrawals.pay',
      color: 'success',
      children: (
        <>
          <PayoutTarget row={row} />
          <Reference />
        </>
      ),
    },
    {
      to: 'failed',
      isOffered: isOpen && has('payout'),
      texts: 'resources.withdrawals.refuse',
      color: 'error',
      meaning: t('resources.withdrawals.refuse.meaning'),
      children: <DetailsField />,
    },
    {
      to: 'failed',
      isOffered: row.status === 'success' && isSuper,
      isRare: true,
      texts: 'resources.withdrawals.reverse',
      color: 'error',
      meaning: t('resources.withdrawals.reverse.meaning'),
      children: <DetailsField />,
    },
  ]);
}
