import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Status, type StatusName } from '../shared/status.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  status: StatusName;
  user: { name: string };
  created_at: string;
  reporter: { name: string };
}

const ReportList = () => (
  <Listing>
    <Table>
      <DataTable.Col disableSort source="reason" />
      <DataTable.Col disableSort source="status" render={({ status }: Row) => <Status of={status} />} />
      <DataTable.Col disableSort source="user" render={({ user }: Row) => user.name} />
      <DataTable.Col disableSort source="reporter" render={({ reporter }: Row) => reporter.name} />
      <DataTable.Col disableSort source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
    </Table>
  </Listing>
);

export default { list: ReportList } satisfies Pages;
