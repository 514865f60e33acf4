import { Column } from './column.tsx';
import type { RowOf } from '../../data/bindings.ts';
import type { Columns } from './export.tsx';
import { decimalOf, Money, type Direction } from '../money/money.tsx';
import { RecordLink } from '../record/record-link.tsx';
import { Time } from '../time/time.tsx';

/** The fields that deposits, withdrawals and payments share. */
type Row = Omit<RowOf<'deposits'>, 'method'>;

/** The amount, with a plus or minus sign for its effect on the person's balance, if it has one. */
export const amountColumn = <Of extends Pick<Row, 'id' | 'amount' | 'currency'>>(
  directionOf: (row: Of) => Direction | undefined,
) => (
  <Column
    key="amount"
    disableSort
    source="amount"
    align="right"
    render={(row: Of) => <Money amount={row.amount} currency={row.currency} direction={directionOf(row)} />}
  />
);

export const personColumn = (
  <Column
    key="user_id"
    disableSort
    source="user_id"
    render={({ user }: Row) => (
      <RecordLink resource="people" id={user.id}>
        {user.name}
      </RecordLink>
    )}
  />
);

export const timeColumn = (
  <Column key="created_at" source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
);

/** The CSV columns that they share. Times are in UTC. */
export const csvColumns: Columns<Row> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  amount: ({ amount, currency }) => decimalOf(amount, currency),
  currency: ({ currency }) => currency,
  person_id: ({ user_id }) => user_id,
  name: ({ user }) => user.name,
  email: ({ user }) => user.email,
  phone_number: ({ user }) => user.phone_number,
  ref: ({ ref }) => ref,
  details: ({ details }) => details,
};
