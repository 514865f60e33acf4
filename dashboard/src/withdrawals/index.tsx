import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { STATUSES } from '../shared/decision.tsx';
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
import { Decisions, wordOf, type WithdrawalRow } from './decisions.tsx';

const filters = [
  choiceFilter('status', 'filters.status', STATUSES, 'resources.withdrawals.statuses'),
  personFilter,
  ...dayFilters,
];
const csv = {
  ...csvColumns,
  method: ({ method }: WithdrawalRow) => method,
  account: ({ account }: WithdrawalRow) => account,
};

const WithdrawalList = () => (
  <Listing filters={filters} actions={<Export<WithdrawalRow> columns={csv} />}>
    <Table
      rowClick="show"
      sx={{
        ...onlyWide('decisions'),
        // The decisions need the room; they show the account themselves.
        '& .column-account': { display: 'none', '@media (min-width: 1400px)': { display: 'table-cell' } },
        '& .column-method': { display: { xs: 'none', xl: 'table-cell' } },
      }}
    >
      <DataTable.Col
        disableSort
        source="id"
        render={({ id }: WithdrawalRow) => (
          <RecordLink resource="withdrawals" id={id}>
            {id}
          </RecordLink>
        )}
      />
      {amountColumn}
      <DataTable.Col
        disableSort
        source="status"
        render={({ status }: WithdrawalRow) => <Status of={wordOf(status)} />}
      />
      {personColumn}
      <DataTable.Col disableSort source="method" />
      <DataTable.Col disableSort source="account" />
      {timeColumn}
      <DataTable.Col
        disableSort
        source="decisions"
        render={(row: WithdrawalRow) => (
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            <Decisions row={row} />
          </Box>
        )}
      />
    </Table>
  </Listing>
);

function WithdrawalFacts({ row }: { row: WithdrawalRow }) {
  const t = useText();
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [t('resources.withdrawals.fields.amount'), <Money amount={row.amount} currency={row.currency} />],
          [t('resources.withdrawals.fields.status'), <Status of={wordOf(row.status)} />],
          [
            t('resources.withdrawals.fields.user_id'),
            <RecordLink resource="people" id={row.user.id}>
              {row.user.name}
            </RecordLink>,
          ],
          [t('resources.withdrawals.fields.method'), row.method],
          [t('resources.withdrawals.fields.account'), row.account],
          [t('resources.withdrawals.fields.ref'), row.ref],
          [t('resources.withdrawals.fields.details'), row.details],
          [t('resources.withdrawals.fields.created_at'), <Time at={row.created_at} />],
          [t('resources.withdrawals.fields.updated_at'), <Time at={row.updated_at} />],
        ]}
      />
    </Card>
  );
}

function WithdrawalPage() {
  const t = useText();
  return (
    <RecordPage<WithdrawalRow>
      title={({ id }) => t('resources.withdrawals.one', { id })}
      actions={(row) => <Decisions row={row} />}
    >
      {(row) => <WithdrawalFacts row={row} />}
    </RecordPage>
  );
}

export default { list: WithdrawalList, show: WithdrawalPage } satisfies Pages;
