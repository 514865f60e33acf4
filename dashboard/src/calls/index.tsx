import { Column, participantColumn } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { useCurrency } from '../shared/queries/currency.ts';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { decimalOf } from '../shared/money/money.tsx';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { Time } from '../shared/time/time.tsx';
import { CALL_STATES, CALL_TYPES, CallState, durationOf, type CallRow } from './call.tsx';
import { CallPage } from './call-page.tsx';

const filters = [
  choiceFilter('state', 'resources.calls.fields.state', CALL_STATES, 'resources.calls.states'),
  choiceFilter('call_type', 'resources.calls.fields.call_type', CALL_TYPES, 'resources.calls.types'),
  personFilter(),
  ...dayFilters,
];

/** The CSV columns. Times are in UTC; amounts are in the currency's main unit once the currency is known. */
const csvOf = (currency: string | undefined): Columns<CallRow> => {
  const money = (amount: number) => (currency === undefined ? amount : decimalOf(amount, currency));
  return {
    identifier: ({ identifier }) => identifier,
    created_at: ({ created_at }) => created_at,
    state: ({ state }) => state,
    call_type: ({ call_type }) => call_type,
    student_id: ({ student_id }) => student_id,
    student_name: ({ student_name }) => student_name,
    teacher_id: ({ teacher_id }) => teacher_id,
    teacher_name: ({ teacher_name }) => teacher_name,
    steps: ({ steps }) => steps,
    total_cost: ({ total_cost }) => money(total_cost),
    refunded: ({ refunded }) => money(refunded),
    currency: () => currency,
    total_duration: ({ total_duration }) => total_duration,
    accepted_at: ({ accepted_at }) => accepted_at,
    ended_at: ({ ended_at }) => ended_at,
    ended_by: ({ ended_by }) => ended_by,
  };
};

function CallList() {
  const t = useText();
  const csv = csvOf(useCurrency());
  return (
    <Listing filters={filters} actions={<Export columns={csv} />}>
      <Table
        rowClick="show"
        card={['student_name total_cost', 'teacher_name state', 'created_at total_duration']}
        named={['student_name', 'teacher_name']}
        bulk={<SelectedExport columns={csv} />}
      >
        <Column
          source="created_at"
          render={({ identifier, created_at }: CallRow) => (
            <RecordLink resource="calls" id={identifier}>
              <Time at={created_at} />
            </RecordLink>
          )}
        />
        {participantColumn('student')}
        {participantColumn('teacher')}
        <Column
          disableSort
          source="call_type"
          render={({ call_type }: CallRow) => t(`resources.calls.types.${call_type}`)}
        />
        <Column disableSort source="state" render={({ state }: CallRow) => <CallState of={state} />} />
        <Column
          disableSort
          source="total_duration"
          align="right"
          render={({ total_duration }: CallRow) => total_duration !== null && durationOf(total_duration)}
        />
        <Column
          disableSort
          source="total_cost"
          align="right"
          render={({ total_cost }: CallRow) => <PlainMoney amount={total_cost} />}
        />
        <Column
          disableSort
          source="refunded"
          align="right"
          render={({ refunded }: CallRow) => refunded > 0 && <PlainMoney amount={refunded} />}
        />
      </Table>
    </Listing>
  );
}

export default { list: CallList, show: CallPage } satisfies Pages;
