import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../areas.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Money } from '../shared/money.tsx';
import { Status, type StatusName } from '../shared/status.tsx';
import { Time } from '../shared/time.tsx';

interface Row {
  amount: number;
  currency: string;
  status: StatusName;
  user: { name: string };
  created_at: string;
}

const DepositList = () => (
  <Listing>
    <Table>
      <DataTable.Col
        disableSort
        source="amount"
        align="right"
        render={(row: Row) => <Money amount={row.amount} currency={row.currency} />}
      />
      <DataTable.Col disableSort source="status" render={({ status }: Row) => <Status of={status} />} />
      <DataTable.Col disableSort source="user_id" render={({ user }: Row) => user.name} />
      <DataTable.Col disableSort source="method" />
      <DataTable.Col disableSort source="ref" />
      <DataTable.Col disableSort source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
    </Table>
  </Listing>
);

export default { list: DepositList } satisfies Pages;
