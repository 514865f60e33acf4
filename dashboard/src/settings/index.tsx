import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  updated_at: string;
}

const SettingList = () => (
  <Listing>
    <Table>
      <DataTable.Col disableSort source="name" />
      <DataTable.Col disableSort source="value" align="right" />
      <DataTable.Col disableSort source="description" />
      <DataTable.Col disableSort source="updated_at" render={({ updated_at }: Row) => <Time at={updated_at} />} />
    </Table>
  </Listing>
);

export default { list: SettingList } satisfies Pages;
