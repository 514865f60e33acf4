import { RefetchOnChange } from '../live/refetch-on-change.tsx';
import { Column } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Listing, NoRows, Table } from '../shared/lists/listing.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import type { Report } from './report.ts';
import { ReportPage } from './report-page.tsx';

const filters = [
  choiceFilter('status', 'filters.status', ['open', 'resolved', 'rejected'], 'status', 'resources.reports.all'),
  personFilter('resources.reports.fields.user'),
  ...dayFilters,
];

/** The default filter: only reports that need a decision. */
const OPEN = { status: 'open' };

const needsAttention = ({ status }: Record<string, unknown>) => status === OPEN.status;

function ReportList() {
  const t = useText();
  return (
    <Listing
      filters={filters}
      filterDefaultValues={OPEN}
      needsAttention={needsAttention}
      liveUpdates={<RefetchOnChange />}
    >
      <Table
        rowClick="show"
        empty={<NoRows under={OPEN} text="resources.reports.noneOpen" />}
        card={['user status', 'reason created_at', 'details', 'reporter']}
        named={['reporter']}
        sx={{ '& .column-details': { minWidth: { md: 160 }, maxWidth: { md: 'none' } } }}
      >
        <Column
          source="created_at"
          render={({ id, created_at: at }: Report) => (
            <RecordLink resource="reports" id={id}>
              <Time at={at} />
            </RecordLink>
          )}
        />
        <Column disableSort source="reason" render={({ reason }: Report) => t(`resources.reports.reasons.${reason}`)} />
        <Column disableSort source="details" />
        <Column
          disableSort
          source="user"
          render={({ user }: Report) => (
            <RecordLink resource="people" id={user.id}>
              {user.name === '' ? `#${user.id}` : user.name}
            </RecordLink>
          )}
        />
        <Column
          disableSort
          source="reporter"
          render={({ reporter }: Report) => (
            <RecordLink resource="people" id={reporter.id}>
              {reporter.name === '' ? `#${reporter.id}` : reporter.name}
            </RecordLink>
          )}
        />
        <Column disableSort source="status" render={({ status }: Report) => <Status of={status} />} />
      </Table>
    </Listing>
  );
}

export default { list: ReportList, show: ReportPage } satisfies Pages;
