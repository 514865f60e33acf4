import Card from '@mui/material/Card';
import { useCanAccess } from 'ra-core';
import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Decision, DetailsField, ReferenceField, STATUSES, type MoneyRow } from '../shared/decision.tsx';
import { Export } from '../shared/export.tsx';
import { Facts } from '../shared/facts.tsx';
import { choiceFilter, dayFilters, personFilter } from '../shared/filters.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Money } from '../shared/money.tsx';
import { amountColumn, csvColumns, onlyWide, personColumn, timeColumn } from '../shared/money-columns.tsx';
import { RecordLink } from '../shared/record-link.tsx';
import { RecordPage } from '../shared/record-page.tsx';
import { Status } from '../shared/status.tsx';
import { Time } from '../shared/time.tsx';

const filters = [choiceFilter('status', 'filters.status', STATUSES, 'status'), personFilter, ...dayFilters];
const csv = { ...csvColumns, method: ({ method }: MoneyRow) => method };

const DepositList = () => (
  <Listing filters={filters} actions={<Export<MoneyRow> columns={csv} />}>
    <Table rowClick="show" sx={onlyWide('method', 'ref')}>
      <DataTable.Col
        disableSort
        source="id"
        render={({ id }: MoneyRow) => (
          <RecordLink resource="deposits" id={id}>
            {id}
          </RecordLink>
        )}
      />
      {amountColumn}
      <DataTable.Col disableSort source="status" render={({ status }: MoneyRow) => <Status of={status} />} />
      {personColumn}
      <DataTable.Col disableSort source="method" />
      <DataTable.Col disableSort source="ref" />
      {timeColumn}
    </Table>
  </Listing>
);

/** What a super administrator can decide where the payment provider cannot. */
function Decisions({ row }: { row: MoneyRow }) {
  const t = useText();
  const { canAccess } = useCanAccess({ resource: 'deposits', action: 'edit' });
  if (!canAccess) return null;
  const isPaid = row.status === 'success';
  const isOpen = row.status === 'initiated' || row.status === 'pending';
  const common = { resource: 'deposits', row, word: (status: MoneyRow['status']) => t(`status.${status}`) } as const;
  return (
    <>
      <Decision
        {...common}
        to="success"
        isOffered={!isPaid}
        label="resources.deposits.pay.label"
        title="resources.deposits.pay.title"
        done="resources.deposits.pay.done"
        color="success"
      >
        {t('resources.deposits.pay.meaning')}
        <ReferenceField />
        <DetailsField />
      </Decision>
      <Decision
        {...common}
        to="canceled"
        isOffered={isOpen}
        label="resources.deposits.refuse.label"
        title="resources.deposits.refuse.title"
        done="resources.deposits.refuse.done"
        color="error"
      >
        {t('resources.deposits.refuse.meaning')}
        <DetailsField />
      </Decision>
      <Decision
        {...common}
        to="failed"
        isOffered={isPaid}
        label="resources.deposits.reverse.label"
        title="resources.deposits.reverse.title"
        done="resources.deposits.reverse.done"
        color="error"
      >
        {t('resources.deposits.reverse.meaning')}
        <DetailsField />
      </Decision>
    </>
  );
}

function DepositFacts({ row }: { row: MoneyRow }) {
  const t = useText();
  const field = (name: keyof MoneyRow & ('amount' | 'status' | 'method' | 'ref' | 'details')) =>
    t(`resources.deposits.fields.${name}`);
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [field('amount'), <Money amount={row.amount} currency={row.currency} />],
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

function DepositPage() {
  const t = useText();
  return (
    <RecordPage<MoneyRow>
      title={({ id }) => t('resources.deposits.one', { id })}
      actions={(row) => <Decisions row={row} />}
    >
      {(row) => <DepositFacts row={row} />}
    </RecordPage>
  );
}

export default { list: DepositList, show: DepositPage } satisfies Pages;
