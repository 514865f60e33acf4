import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Status, type StatusName } from '../shared/status.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  status: StatusName;
  created_at: string;
}

const PeopleList = () => (
  <Listing>
    <Table>
      <DataTable.Col disableSort source="name" />
      <DataTable.Col disableSort source="email" />
      <DataTable.Col disableSort source="platform" />
      <DataTable.Col disableSort source="status" render={({ status }: Row) => <Status of={status} />} />
      <DataTable.Col disableSort source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
    </Table>
  </Listing>
);

export default { list: PeopleList } satisfies Pages;
