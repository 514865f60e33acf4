import { Route } from 'react-router-dom';
import type { Pages } from '../shared/page/pages.ts';
import { RefetchOnChange } from '../live/refetch-on-change.tsx';
import { Column, idColumn } from '../shared/lists/column.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters, depositFilter, personFilter } from '../shared/lists/filters.tsx';
import { Listing, NoRows, Table } from '../shared/lists/listing.tsx';
import { amountColumn, personColumn } from '../shared/lists/money-columns.tsx';
import { decimalOf, Money } from '../shared/money/money.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { STATUSES, type DisputeRow } from './dispute.ts';
import { DisputePage } from './dispute-page.tsx';
import { EvidencePage } from './evidence-page.tsx';
import { useDisputeWords } from './words.ts';

/** The default filter: only disputes that wait for an answer, the earliest deadline first. */
const DUE = { status: 'due' };

const filters = [
  choiceFilter('status', 'filters.status', ['due', ...STATUSES], 'status', 'resources.disputes.all'),
  personFilter(),
  depositFilter,
  ...dayFilters,
];

/** The CSV columns. Times are in UTC. */
const csv: Columns<DisputeRow> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  evidence_due_at: ({ evidence_due_at }) => evidence_due_at,
  reason: ({ reason }) => reason,
  amount: ({ amount, currency }) => decimalOf(amount, currency),
  taken: ({ taken, currency }) => decimalOf(taken, currency),
  owed: ({ owed, currency }) => decimalOf(owed, currency),
  currency: ({ currency }) => currency,
  person_id: ({ user }) => user.id,
  name: ({ user }) => user.name,
  deposit_id: ({ deposit_id }) => deposit_id,
  provider: ({ provider }) => provider,
  provider_ref: ({ provider_ref }) => provider_ref,
};

function DisputeList() {
  const words = useDisputeWords();
  return (
    <Listing
      filters={filters}
      filterDefaultValues={DUE}
      actions={<Export columns={csv} />}
      liveUpdates={<RefetchOnChange />}
    >
      <Table
        rowClick="show"
        empty={<NoRows under={DUE} text="resources.disputes.noneDue" />}
        card={['user_id amount', 'status id', 'evidence_due_at', 'reason', 'owed']}
        named={['id', 'evidence_due_at', 'owed']}
        bulk={<SelectedExport columns={csv} />}
      >
        {idColumn('disputes')}
        {amountColumn<DisputeRow>(() => undefined)}
        <Column disableSort source="status" render={({ status }: DisputeRow) => <Status of={status} />} />
        <Column
          disableSort
          source="evidence_due_at"
          render={({ evidence_due_at: at }: DisputeRow) => (at === null ? '–' : <Time at={at} />)}
        />
        <Column disableSort source="reason" render={({ reason }: DisputeRow) => words.reason(reason)} />
        {personColumn}
        <Column
          disableSort
          source="owed"
          align="right"
          render={({ owed, currency }: DisputeRow) => <Money amount={owed} currency={currency} />}
        />
        <Column disableSort source="created_at" render={({ created_at: at }: DisputeRow) => <Time at={at} />} />
      </Table>
    </Listing>
  );
}

export default {
  list: DisputeList,
  show: DisputePage,
  children: <Route path=":id/evidence" element={<EvidencePage />} />,
} satisfies Pages;
