import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';

interface Row {
  user: { name: string };
  last_message: { message: string; created_at: string } | null;
}

const RoomList = () => (
  <Listing search={false}>
    <Table>
      <DataTable.Col disableSort source="user" render={({ user }: Row) => user.name} />
      <DataTable.Col disableSort source="last_message" render={({ last_message }: Row) => last_message?.message} />
    </Table>
  </Listing>
);

export default { list: RoomList } satisfies Pages;
