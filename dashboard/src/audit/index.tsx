import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  created_at: string;
}

const AuditList = () => (
  <Listing>
    <Table>
      <DataTable.Col disableSort source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
      <DataTable.Col disableSort source="admin_name" />
      <DataTable.Col disableSort source="action" />
      <DataTable.Col disableSort source="subject" />
    </Table>
  </Listing>
);

export default { list: AuditList } satisfies Pages;
