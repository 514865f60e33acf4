import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Status, type StatusName } from '../shared/status.tsx';

interface Row {
  status: StatusName;
}

const AdministratorList = () => (
  <Listing>
    <Table>
      <DataTable.Col source="name" />
      <DataTable.Col source="email" />
      <DataTable.Col source="level" />
      <DataTable.Col source="status" render={({ status }: Row) => <Status of={status} />} />
    </Table>
  </Listing>
);

export default { list: AdministratorList } satisfies Pages;
