import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  updated_at: string;
}

const SkillList = () => (
  <Listing>
    <Table>
      <DataTable.Col source="name" />
      <DataTable.Col source="updated_at" render={({ updated_at }: Row) => <Time at={updated_at} />} />
    </Table>
  </Listing>
);

export default { list: SkillList } satisfies Pages;
