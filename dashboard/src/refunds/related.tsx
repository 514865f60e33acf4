import type { TextName } from '../i18n/i18n.ts';
import { Money } from '../shared/money/money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RelatedRows } from '../shared/record/related-rows.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import type { RefundRow } from './refund.tsx';

interface RefundsOfProps {
  user: number;
  /** Only those of one deposit of the user. */
  deposit?: number;
  title: TextName;
}

const cells = (row: RefundRow) => [
  <RecordLink resource="refunds" id={row.id}>
    <Time at={row.created_at} />
  </RecordLink>,
  <Money amount={row.amount} currency={row.currency} direction="out" />,
  <Status of={row.status} />,
  row.details ?? '–',
];

/** A student's newest refunds of deposits. */
export const RefundsOf = ({ user, deposit, title }: RefundsOfProps) => (
  <RelatedRows
    resource="refunds"
    title={title}
    filter={{ user_id: user, ...(deposit !== undefined && { deposit_id: deposit }) }}
    cells={cells}
  />
);
