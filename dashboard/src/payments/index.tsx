import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { STATUSES, type MoneyRow } from '../shared/decision.tsx';
import { Export } from '../shared/export.tsx';
import { choiceFilter, dayFilters, personFilter } from '../shared/filters.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { amountColumn, csvColumns, onlyWide, personColumn, timeColumn } from '../shared/money-columns.tsx';
import { Status } from '../shared/status.tsx';

const TYPES = ['deposit', 'withdrawal', 'call', 'refund'] as const;
const DIRECTIONS = ['in', 'out'] as const;

type Row = Omit<MoneyRow, 'method'> & { type: (typeof TYPES)[number]; direction: (typeof DIRECTIONS)[number] };

const filters = [
  choiceFilter('status', 'filters.status', STATUSES, 'status'),
  choiceFilter('type', 'resources.payments.fields.type', TYPES, 'resources.payments.types'),
  choiceFilter('direction', 'resources.payments.fields.direction', DIRECTIONS, 'resources.payments.directions'),
  personFilter,
  ...dayFilters,
];
const csv = { ...csvColumns, type: ({ type }: Row) => type, direction: ({ direction }: Row) => direction };

function PaymentList() {
  const t = useText();
  return (
    <Listing filters={filters} actions={<Export<Row> columns={csv} />}>
      <Table sx={onlyWide('ref', 'direction')}>
        <DataTable.Col disableSort source="id" />
        {amountColumn}
        <DataTable.Col disableSort source="type" render={({ type }: Row) => t(`resources.payments.types.${type}`)} />
        <DataTable.Col
          disableSort
          source="direction"
          render={({ direction }: Row) => t(`resources.payments.directions.${direction}`)}
        />
        <DataTable.Col disableSort source="status" render={({ status }: Row) => <Status of={status} />} />
        {personColumn}
        <DataTable.Col disableSort source="ref" />
        {timeColumn}
      </Table>
    </Listing>
  );
}

export default { list: PaymentList } satisfies Pages;
