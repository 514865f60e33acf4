import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { choiceFilter, dayFilters, personFilter } from '../shared/filters.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { onlyWide } from '../shared/money-columns.tsx';
import { PlainMoney } from '../shared/plain-money.tsx';
import { RecordLink } from '../shared/record-link.tsx';
import { Time } from '../shared/time.tsx';
import { CALL_STATES, CALL_TYPES, CallState, durationOf, type CallRow } from './call.tsx';
import { CallPage } from './call-page.tsx';

const filters = [
  choiceFilter('state', 'resources.calls.fields.state', CALL_STATES, 'resources.calls.states'),
  choiceFilter('call_type', 'resources.calls.fields.call_type', CALL_TYPES, 'resources.calls.types'),
  personFilter,
  ...dayFilters,
];

function CallList() {
  const t = useText();
  return (
    <Listing filters={filters}>
      <Table rowClick="show" sx={onlyWide('call_type', 'total_duration', 'refunded')}>
        <DataTable.Col
          source="created_at"
          render={({ identifier, created_at }: CallRow) => (
            <RecordLink resource="calls" id={identifier}>
              <Time at={created_at} />
            </RecordLink>
          )}
        />
        <DataTable.Col disableSort source="student_name" />
        <DataTable.Col disableSort source="teacher_name" />
        <DataTable.Col
          disableSort
          source="call_type"
          render={({ call_type }: CallRow) => t(`resources.calls.types.${call_type}`)}
        />
        <DataTable.Col disableSort source="state" render={({ state }: CallRow) => <CallState of={state} />} />
        <DataTable.Col
          disableSort
          source="total_duration"
          align="right"
          render={({ total_duration }: CallRow) => total_duration !== null && durationOf(total_duration)}
        />
        <DataTable.Col
          disableSort
          source="total_cost"
          align="right"
          render={({ total_cost }: CallRow) => <PlainMoney amount={total_cost} />}
        />
        <DataTable.Col
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
