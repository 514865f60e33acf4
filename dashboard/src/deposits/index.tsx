import Card from '@mui/material/Card';
import { DisputesOf } from '../disputes/related.tsx';
import { RefundsOf } from '../refunds/related.tsx';
import { Column, idColumn } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Actions } from '../shared/forms/action.tsx';
import { DetailsField, ReferenceField, STATUSES, useDecisions, type MoneyRow } from '../shared/record/decision.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { Money } from '../shared/money/money.tsx';
import { amountColumn, csvColumns, personColumn, timeColumn } from '../shared/lists/money-columns.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { useRow } from '../shared/record/row.ts';

const filters = [choiceFilter('status', 'filters.status', STATUSES, 'status'), personFilter(), ...dayFilters];
const csv: Columns<MoneyRow> = { ...csvColumns, method: ({ method }) => method };

const DepositList = () => (
  <Listing filters={filters} actions={<Export columns={csv} />}>
    <Table
      rowClick="show"
      card={['user_id amount', 'status created_at', 'id method']}
      named={['id']}
      bulk={<SelectedExport columns={csv} />}
    >
      {idColumn('deposits')}
      {amountColumn<MoneyRow>(() => 'in')}
      <Column disableSort source="status" render={({ status }: MoneyRow) => <Status of={status} />} />
      {personColumn}
      <Column disableSort source="method" />
      <Column disableSort source="ref" />
      {timeColumn}
    </Table>
  </Listing>
);

/** Decisions of super administrators, for cases that the payment provider does not settle. */
function Decisions() {
  const row = useRow<MoneyRow>();
  const t = useText();
  const canDecide = useRights().canDo('deposits', 'update');
  const isPaid = row.status === 'success';
  const isOpen = row.status === 'initiated' || row.status === 'pending';
  const decisions = useDecisions('deposits', row, [
    {
      to: 'success',
      isOffered: canDecide && !isPaid,
      texts: 'resources.deposits.pay',
      color: 'success',
      meaning: t('resources.deposits.pay.meaning'),
      children: (
        <>
          <ReferenceField />
          <DetailsField />
        </>
      ),
    },
    {
      to: 'canceled',
      isOffered: canDecide && isOpen,
      texts: 'resources.deposits.refuse',
      color: 'error',
      meaning: t('resources.deposits.refuse.meaning'),
      children: <DetailsField />,
    },
    {
      to: 'failed',
      isOffered: canDecide && isPaid,
      texts: 'resources.deposits.reverse',
      color: 'error',
      meaning: t('resources.deposits.reverse.meaning'),
      children: <DetailsField />,
    },
  ]);
  return <Actions of={decisions} />;
}

function DepositFacts() {
  const row = useRow<MoneyRow>();
  const t = useText();
  const field = (name: keyof MoneyRow & ('amount' | 'status' | 'method' | 'ref' | 'details')) =>
    t(`resources.deposits.fields.${name}`);
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [field('amount'), <Money amount={row.amount} currency={row.currency} direction="in" />],
          [field('status'), <Status of={row.status} />],
          [
            t('resources.deposits.fields.user_id'),
            <RecordLink resource="people" id={row.user.id}>
              {row.user.name}
            </RecordLink>,
          ],
          [field('method'), row.method],
          [field('ref'), row.ref],
          [field('details'), row.details],
          [t('resources.deposits.fields.created_at'), <Time at={row.created_at} />],
          [t('resources.deposits.fields.updated_at'), <Time at={row.updated_at} />],
        ]}
      />
    </Card>
  );
}

function MoneyBack() {
  const { id, user } = useRow<MoneyRow>();
  return (
    <>
      <DisputesOf user={user.id} deposit={id} title="resources.disputes.ofDeposit" />
      <RefundsOf user={user.id} deposit={id} title="resources.refunds.ofDeposit" />
    </>
  );
}

function DepositPage() {
  const t = useText();
  return (
    <RecordPage<MoneyRow> title={({ id }) => t('resources.deposits.title', { id })} actions={<Decisions />}>
      <DepositFacts />
      <MoneyBack />
    </RecordPage>
  );
}

export default { list: DepositList, show: DepositPage } satisfies Pages;
