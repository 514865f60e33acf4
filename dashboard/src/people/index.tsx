import { Column } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { useCurrency } from '../shared/queries/currency.ts';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { decimalOf } from '../shared/money/money.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import type { Person } from './person.ts';
import { Profile } from './profile.tsx';

const filters = [
  choiceFilter('platform', 'resources.people.fields.platform', ['student', 'teacher'], 'resources.people.platforms'),
  choiceFilter('status', 'filters.status', ['active', 'banned'], 'status'),
  choiceFilter('verified', 'resources.people.fields.verified', ['true', 'false'], 'resources.people.verifications'),
  ...dayFilters,
];

/** The CSV columns. Times are in UTC; the balance is in the currency's main unit once the currency is known. */
const csvOf = (currency: string | undefined): Columns<Person> => ({
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone_number: ({ phone_number }) => phone_number,
  role: ({ platform }) => platform,
  status: ({ status }) => status,
  verified: ({ verified }) => verified,
  available: ({ solde }) => (currency === undefined ? solde : decimalOf(solde, currency)),
  currency: () => currency,
  city: ({ city }) => city,
  country: ({ country }) => country,
});

function PeopleList() {
  const t = useText();
  const csv = csvOf(useCurrency());
  return (
    <Listing filters={filters} actions={<Export columns={csv} />}>
      <Table
        rowClick="show"
        card={['name status', 'email platform', 'phone_number verified', 'created_at']}
        bulk={<SelectedExport columns={csv} />}
      >
        <Column disableSort source="id" />
        <Column
          disableSort
          source="name"
          render={({ id, name }: Person) => (
            <RecordLink resource="people" id={id}>
              {name}
            </RecordLink>
          )}
        />
        <Column disableSort source="email" />
        <Column disableSort source="phone_number" />
        <Column
          disableSort
          source="platform"
          render={({ platform }: Person) => t(`resources.people.platforms.${platform}`)}
        />
        <Column disableSort source="status" render={({ status }: Person) => <Status of={status} />} />
        <Column
          disableSort
          source="verified"
          render={({ platform, verified }: Person) =>
            platform === 'teacher' && t(`resources.people.verifications.${verified === '1' ? 'true' : 'false'}`)
          }
        />
        <Column source="created_at" render={({ created_at }: Person) => <Time at={created_at} />} />
      </Table>
    </Listing>
  );
}

export default { list: PeopleList, show: Profile } satisfies Pages;
