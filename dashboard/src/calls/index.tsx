import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  created_at: string;
}

const CallList = () => (
  <Listing>
    <Table>
      <DataTable.Col disableSort source="student_name" />
      <DataTable.Col disableSort source="teacher_name" />
      <DataTable.Col disableSort source="call_type" />
      <DataTable.Col disableSort source="state" />
      <DataTable.Col disableSort source="total_cost" align="right" />
      <DataTable.Col disableSort source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
    </Table>
  </Listing>
);

export default { list: CallList } satisfies Pages;
