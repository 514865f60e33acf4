import { useText, type TextName } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { formatMoney, Money } from '../shared/money/money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RelatedRows } from '../shared/record/related-rows.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import type { DisputeRow } from './dispute.ts';
import { useDisputeWords } from './words.ts';

interface DisputesOfProps {
  user: number;
  /** Only those of one deposit of the user. */
  deposit?: number;
  title: TextName;
}

/** A student's newest disputes, with what is owed. */
export function DisputesOf({ user, deposit, title }: DisputesOfProps) {
  const t = useText();
  const region = useRegion();
  const words = useDisputeWords();
  const cells = (row: DisputeRow) => [
    <RecordLink resource="disputes" id={row.id}>
      <Time at={row.created_at} />
    </RecordLink>,
    <Money amount={row.amount} currency={row.currency} />,
    <Status of={row.status} />,
    words.reason(row.reason),
    row.owed > 0 ? t('resources.disputes.owes', { amount: formatMoney(row.owed, row.currency, region) }) : '–',
  ];
  return (
    <RelatedRows
      resource="disputes"
      title={title}
      filter={{ user_id: user, ...(deposit !== undefined && { deposit_id: deposit }) }}
      cells={cells}
    />
  );
}
