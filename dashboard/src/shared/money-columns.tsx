import { DataTable } from 'ra-ui-materialui';
import { type MoneyRow, type Status as StatusOf } from './decision.tsx';
import type { Columns } from './export.tsx';
import { fractionDigits } from './fraction-digits.ts';
import { Money } from './money.tsx';
import { RecordLink } from './record-link.tsx';
import { Time } from './time.tsx';

type Row = Pick<MoneyRow, 'id' | 'amount' | 'currency' | 'user' | 'user_id' | 'ref' | 'details' | 'created_at'> & {
  status: StatusOf;
};

/* The columns that deposits, withdrawals and payments have in common. */

export const amountColumn = (
  <DataTable.Col
    key="amount"
    disableSort
    source="amount"
    align="right"
    render={({ amount, currency }: Row) => <Money amount={amount} currency={currency} />}
  />
);

export const personColumn = (
  <DataTable.Col
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
  <DataTable.Col key="created_at" source="created_at" render={({ created_at }: Row) => <Time at={created_at} />} />
);

/** Columns that a phone's width leaves out: the record's page has them. */
export const onlyWide = (...sources: string[]) =>
  Object.fromEntries(sources.map((source) => [`& .column-${source}`, { display: { xs: 'none', md: 'table-cell' } }]));

/** The amount in the currency's unit: an amount of the server is in its smallest. */
function decimal({ amount, currency }: Row): string {
  const digits = fractionDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
}

/** What their files have in common; the times are UTC. */
export const csvColumns: Columns<Row> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  status: ({ status }) => status,
  amount: decimal,
  currency: ({ currency }) => currency,
  person_id: ({ user_id }) => user_id,
  name: ({ user }) => user.name,
  email: ({ user }) => user.email,
  phone_number: ({ user }) => user.phone_number,
  ref: ({ ref }) => ref,
  details: ({ details }) => details,
};
