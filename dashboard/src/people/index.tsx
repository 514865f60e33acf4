import { DataTable } from 'ra-ui-materialui';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { choiceFilter, dayFilters } from '../shared/filters.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { onlyWide } from '../shared/money-columns.tsx';
import { RecordLink } from '../shared/record-link.tsx';
import { Status } from '../shared/status.tsx';
import { Time } from '../shared/time.tsx';
import type { Person } from './person.ts';
import { Profile } from './profile.tsx';

const filters = [
  choiceFilter('platform', 'resources.people.fields.platform', ['student', 'teacher'], 'resources.people.platforms'),
  choiceFilter('status', 'filters.status', ['active', 'banned'], 'status'),
  choiceFilter('verified', 'resources.people.fields.verified', ['true', 'false'], 'resources.people.verifications'),
  ...dayFilters,
];

function PeopleList() {
  const t = useText();
  return (
    <Listing filters={filters}>
      <Table rowClick="show" sx={onlyWide('id', 'email', 'phone_number', 'verified', 'created_at')}>
        <DataTable.Col disableSort source="id" />
        <DataTable.Col
          disableSort
          source="name"
          render={({ id, name }: Person) => (
            <RecordLink resource="people" id={id}>
              {name}
            </RecordLink>
          )}
        />
        <DataTable.Col disableSort source="email" />
        <DataTable.Col disableSort source="phone_number" />
        <DataTable.Col
          disableSort
          source="platform"
          render={({ platform }: Person) => t(`resources.people.platforms.${platform}`)}
        />
        <DataTable.Col disableSort source="status" render={({ status }: Person) => <Status of={status} />} />
        <DataTable.Col
          disableSort
          source="verified"
          render={({ platform, verified }: Person) =>
            platform === 'teacher' && t(`resources.people.verifications.${verified === '1' ? 'true' : 'false'}`)
          }
        />
        <DataTable.Col source="created_at" render={({ created_at }: Person) => <Time at={created_at} />} />
      </Table>
    </Listing>
  );
}

export default { list: PeopleList, show: Profile } satisfies Pages;
