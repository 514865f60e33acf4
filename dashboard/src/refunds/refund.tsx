import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';
import type { ActionProps } from '../shared/forms/action.tsx';
import { DetailsField, ReferenceField, RequiredField, useDecisions } from '../shared/record/decision.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { usePersonName } from '../shared/record/person-name.tsx';

export type RefundRow = RowOf<'refunds'>;

export const STATUSES = [
  'requested',
  'sent',
  'success',
  'failed',
  'canceled',
  'rejected',
] as const satisfies RefundRow['status'][];

function RejectionReason() {
  const t = useText();
  return (
    <RequiredField
      name="details"
      label={t('resources.refunds.reject.reason')}
      hint={t('resources.refunds.reject.reasonHint')}
    />
  );
}

/** The decisions that the administrator can make about a refund now. */
export function useRefundDecisions(row: RefundRow): ActionProps[] {
  const t = useText();
  const name = usePersonName(row.user_id);
  const canDecide = useRights().canDo('refunds', 'update');
  const isRequested = canDecide && row.status === 'requested';
  const isSent = canDecide && row.status === 'sent';
  return useDecisions('refunds', { ...row, user: { name } }, [
    {
      to: 'sent',
      isOffered: isRequested,
      texts: 'resources.refunds.send',
      color: 'success',
      meaning: t('resources.refunds.send.meaning'),
    },
    {
      to: 'rejected',
      isOffered: isRequested,
      texts: 'resources.refunds.reject',
      color: 'error',
      meaning: t('resources.refunds.reject.meaning'),
      children: <RejectionReason />,
    },
    {
      to: 'success',
      isOffered: isSent,
      texts: 'resources.refunds.succeed',
      color: 'success',
      meaning: t('resources.refunds.succeed.meaning'),
      children: (
        <>
          <ReferenceField />
          <DetailsField />
        </>
      ),
    },
    {
      to: 'failed',
      isOffered: isSent,
      texts: 'resources.refunds.fail',
      color: 'error',
      meaning: t('resources.refunds.fail.meaning'),
      children: <DetailsField />,
    },
  ]);
}
