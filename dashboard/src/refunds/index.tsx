import Card from '@mui/material/Card';
import type { Pages } from '../shared/page/pages.ts';
import type { refunds } from '../i18n/texts/refunds.ts';
import { useText } from '../i18n/i18n.ts';
import { RefetchOnChange } from '../live/refetch-on-change.tsx';
import { Actions } from '../shared/forms/action.tsx';
import { Column, idColumn } from '../shared/lists/column.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters, depositFilter, personFilter } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { amountColumn, timeColumn } from '../shared/lists/money-columns.tsx';
import { decimalOf, Money } from '../shared/money/money.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { Facts } from '../shared/record/facts.tsx';
import { PersonName } from '../shared/record/person-name.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { useRow } from '../shared/record/row.ts';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { STATUSES, useRefundDecisions, type RefundRow } from './refund.tsx';

const filters = [
  choiceFilter('status', 'filters.status', STATUSES, 'status'),
  personFilter(),
  depositFilter,
  ...dayFilters,
];
/** Whether a filter selects refunds that are not finished. */
const needsAttention = ({ status }: Record<string, unknown>) => status === 'requested' || status === 'sent';

/** The CSV columns. Times are in UTC. */
const csv: Columns<RefundRow> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  amount: ({ amount, currency }) => decimalOf(amount, currency),
  currency: ({ currency }) => currency,
  person_id: ({ user_id }) => user_id,
  deposit_id: ({ deposit_id }) => deposit_id,
  ref: ({ ref }) => ref,
  details: ({ details }) => details,
};

const Deposit = ({ of: { deposit_id: id } }: { of: RefundRow }) => (
  <RecordLink resource="deposits" id={id}>
    {id}
  </RecordLink>
);

const RowDecisions = () => (
  <span style={{ whiteSpace: 'nowrap' }}>
    <Actions of={useRefundDecisions(useRow())} isFolded />
  </span>
);

function RefundList() {
  const canDecide = useRights().canDo('refunds', 'update');
  return (
    <Listing
      filters={filters}
      actions={<Export columns={csv} />}
      needsAttention={needsAttention}
      liveUpdates={<RefetchOnChange />}
    >
      <Table
        rowClick="show"
        card={['user_id amount', 'status created_at', 'id deposit_id', 'details', ...(canDecide ? ['decisions'] : [])]}
        named={['id', 'deposit_id']}
        bulk={<SelectedExport columns={csv} />}
      >
        {idColumn('refunds')}
        {amountColumn<RefundRow>(() => 'out')}
        <Column disableSort source="status" render={({ status }: RefundRow) => <Status of={status} />} />
        <Column disableSort source="user_id" render={({ user_id: id }: RefundRow) => <PersonName id={id} />} />
        <Column disableSort source="deposit_id" render={(row: RefundRow) => <Deposit of={row} />} />
        <Column disableSort source="details" />
        {timeColumn}
        {canDecide && <Column disableSort source="decisions" children={<RowDecisions />} />}
      </Table>
    </Listing>
  );
}

function RefundFacts() {
  const row = useRow<RefundRow>();
  const t = useText();
  const field = (name: keyof typeof refunds.en.fields) => t(`resources.refunds.fields.${name}`);
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [field('amount'), <Money amount={row.amount} currency={row.currency} direction="out" />],
          [field('status'), <Status of={row.status} />],
          [field('user_id'), <PersonName id={row.user_id} />],
          [field('deposit_id'), <Deposit of={row} />],
          [field('ref'), row.ref],
          [field('details'), row.details],
          [field('created_at'), <Time at={row.created_at} />],
          [field('updated_at'), <Time at={row.updated_at} />],
        ]}
      />
    </Card>
  );
}

const PageDecisions = () => <Actions of={useRefundDecisions(useRow())} />;

function RefundPage() {
  const t = useText();
  return (
    <RecordPage<RefundRow> title={({ id }) => t('resources.refunds.title', { id })} actions={<PageDecisions />}>
      <RefundFacts />
    </RecordPage>
  );
}

export default { list: RefundList, show: RefundPage } satisfies Pages;
