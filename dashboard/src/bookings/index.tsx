import { Route } from 'react-router-dom';
import { Column, participantColumn } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { Time } from '../shared/time/time.tsx';
import { BOOKING_STATUSES, BookingStatus, type Booking } from './booking.tsx';
import { LessonTime } from './lesson-time.tsx';
import { Week } from './week-page.tsx';

const filters = [
  choiceFilter('status', 'filters.status', BOOKING_STATUSES, 'resources.bookings.statuses'),
  personFilter(),
  ...dayFilters,
];

/** The CSV columns. Times are in UTC. */
const csv: Columns<Booking> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  starts_at: ({ starts_at }) => starts_at,
  ends_at: ({ ends_at }) => ends_at,
  status: ({ status }) => status,
  call_type: ({ call_type }) => call_type,
  student_id: ({ student_id }) => student_id,
  student_name: ({ student_name }) => student_name,
  teacher_id: ({ teacher_id }) => teacher_id,
  teacher_name: ({ teacher_name }) => teacher_name,
  note: ({ note }) => note,
};

function BookingList() {
  const t = useText();
  return (
    <Listing filters={filters} actions={<Export columns={csv} />}>
      <Table
        card={['starts_at status', 'student_name', 'teacher_name', 'note', 'created_at call_type']}
        named={['student_name', 'teacher_name', 'created_at']}
        bulk={<SelectedExport columns={csv} />}
        sx={{ '& .column-note': { overflowWrap: 'anywhere', maxWidth: { md: 260 } } }}
      >
        <Column disableSort source="starts_at" render={(row: Booking) => <LessonTime of={row} />} />
        {participantColumn('student')}
        {participantColumn('teacher')}
        <Column
          disableSort
          source="call_type"
          render={({ call_type: type }: Booking) => t(`resources.calls.types.${type}`)}
        />
        <Column disableSort source="note" />
        <Column disableSort source="status" render={({ status }: Booking) => <BookingStatus of={status} />} />
        <Column source="created_at" render={({ created_at: at }: Booking) => <Time at={at} />} />
      </Table>
    </Listing>
  );
}

export default { list: BookingList, children: <Route path=":id/week" element={<Week />} /> } satisfies Pages;
