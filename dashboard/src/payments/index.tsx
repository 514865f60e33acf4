import { Column } from '../shared/lists/column.tsx';
import type { RowOf } from '../data/bindings.ts';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { STATUSES } from '../shared/record/decision.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { amountColumn, csvColumns, personColumn, timeColumn } from '../shared/lists/money-columns.tsx';
import { Status } from '../shared/record/status.tsx';
import { Source } from './source.tsx';

type Row = RowOf<'payments'>;
const TYPES = ['deposit', 'withdrawal', 'call', 'refund'] as const satisfies Row['type'][];
const DIRECTIONS = ['in', 'out'] as const satisfies Row['direction'][];

const filters = [
  choiceFilter('status', 'filters.status', STATUSES, 'status'),
  choiceFilter('type', 'resources.payments.fields.type', TYPES, 'resources.payments.types'),
  choiceFilter('direction', 'resources.payments.fields.direction', DIRECTIONS, 'resources.payments.directions'),
  personFilter(),
  ...dayFilters,
];
const csv: Columns<Row> = {
  ...csvColumns,
  type: ({ type }) => type,
  direction: ({ direction }) => direction,
  source: ({ source }) => source,
};

function PaymentList() {
  const t = useText();
  return (
    <Listing filters={filters} actions={<Export columns={csv} />}>
      <Table
        card={['user_id amount', 'type direction', 'status created_at']}
        bulk={<SelectedExport columns={csv} />}
        sx={{ '& .column-ref': { display: { md: 'none', xl: 'table-cell' } } }}
      >
        <Column disableSort source="id" />
        {amountColumn<Row>(({ direction }) => direction)}
        <Column disableSort source="type" render={(row: Row) => <Source of={row} />} />
        <Column
          disableSort
          source="direction"
          render={({ direction }: Row) => t(`resources.payments.directions.${direction}`)}
        />
        <Column disableSort source="status" render={({ status }: Row) => <Status of={status} />} />
        {personColumn}
        <Column disableSort source="ref" />
        {timeColumn}
      </Table>
    </Listing>
  );
}

export default { list: PaymentList } satisfies Pages;
