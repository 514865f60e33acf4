import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  updated_at: string;
}

const ServiceList = () => (
  <Listing>
    <Table>
      <DataTable.Col source="name" />
      <DataTable.Col source="iterator" align="right" />
      <DataTable.Col source="base_cost" align="right" />
      <DataTable.Col source="iterator_cost" align="right" />
      <DataTable.Col source="updated_at" render={({ updated_at }: Row) => <Time at={updated_at} />} />
    </Table>
  </Listing>
);

export default { list: ServiceList } satisfies Pages;
