import { Route } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { Column, idColumn } from '../shared/lists/column.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { amountColumn } from '../shared/lists/money-columns.tsx';
import { decimalOf } from '../shared/money/money.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { BatchPage } from './batch-page.tsx';
import { LivePayouts } from './live-payouts.tsx';
import { FORMATS, statesOf, STATUSES, type Batch } from './payout.ts';
import { ResultsPage } from './results-page.tsx';
import { usePayoutText } from './words.ts';

const filters = [
  choiceFilter('status', 'filters.status', STATUSES, 'status'),
  choiceFilter('format', 'resources.payouts.fields.format', FORMATS, 'resources.payouts.formats'),
  ...dayFilters,
];
/** Whether a filter selects batches that are not finished. */
const needsAttention = ({ status }: Record<string, unknown>) =>
  status === 'draft' || status === 'approved' || status === 'exported';

/** The CSV columns. Times are in UTC. */
const csv: Columns<Batch> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  format: ({ format }) => format,
  count: ({ count }) => count,
  amount: ({ amount, currency }) => decimalOf(amount, currency),
  currency: ({ currency }) => currency,
  paid: ({ items }) => items.paid,
  failed: ({ items }) => items.failed,
  uncertain: ({ items }) => items.uncertain,
  returned: ({ items }) => items.returned,
  created_by: ({ created_by }) => created_by.name,
  approved_by: ({ approved_by }) => approved_by?.name,
  exported_at: ({ exported_at }) => exported_at,
  closed_at: ({ closed_at }) => closed_at,
  note: ({ note }) => note,
};

function BatchList() {
  const t = useText();
  const word = usePayoutText();
  const region = useRegion();
  const states = (batch: Batch) =>
    statesOf(batch)
      .map(([status, number]) =>
        word('counted', { number: number.toLocaleString(region), name: t(`status.${status}`) }),
      )
      .join(' · ');
  return (
    <Listing
      filters={filters}
      actions={<Export columns={csv} />}
      needsAttention={needsAttention}
      liveUpdates={<LivePayouts />}
    >
      <Table
        rowClick="show"
        card={['id amount', 'status format', 'items', 'created_by created_at', 'note']}
        named={['id']}
        bulk={<SelectedExport columns={csv} />}
        sx={{ '& .column-note': { overflowWrap: 'anywhere', maxWidth: { md: 200 } } }}
      >
        {idColumn('payouts')}
        <Column disableSort source="status" render={({ status }: Batch) => <Status of={status} />} />
        <Column disableSort source="format" render={({ format }: Batch) => t(`resources.payouts.formats.${format}`)} />
        <Column disableSort source="count" align="right" />
        {amountColumn<Batch>(() => undefined)}
        <Column disableSort source="items" render={states} />
        <Column disableSort source="created_by" render={({ created_by: { name } }: Batch) => <bdi>{name}</bdi>} />
        <Column disableSort source="note" />
        <Column source="created_at" render={({ created_at: at }: Batch) => <Time at={at} />} />
      </Table>
    </Listing>
  );
}

export default {
  list: BatchList,
  show: BatchPage,
  children: <Route path=":id/results" element={<ResultsPage />} />,
} satisfies Pages;
