import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { DataTable, ReferenceInput, SelectInput } from 'ra-ui-materialui';
import { Link as RouterLink } from 'react-router-dom';
import type { Pages } from '../shared/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { dayFilters } from '../shared/filters.tsx';
import { Listing, Table } from '../shared/listing.tsx';
import { Time } from '../shared/time.tsx';
import { differences, pathOf } from './difference.ts';

interface Row {
  action: string;
  subject: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  created_at: string;
}

const filters = [
  <ReferenceInput key="admin_id" source="admin_id" reference="administrators" perPage={100} alwaysOn>
    <SelectInput label="resources.audit.fields.admin_name" optionText="name" sx={{ minWidth: 180 }} />
  </ReferenceInput>,
  ...dayFilters,
];

function Value({ of }: { of: unknown }) {
  const t = useText();
  if (of === null || of === '') return t('resources.audit.empty');
  if (typeof of === 'boolean') return t(`resources.audit.${of ? 'yes' : 'no'}`);
  return typeof of === 'string' ? of : JSON.stringify(of);
}

/** Each field that changed: what it was, crossed out, and what it is. */
function Difference({ row: { before, after } }: { row: Row }) {
  const t = useText();
  return (
    <Box component="dl" sx={{ margin: 0, display: 'grid', gap: 0.5, minWidth: { xs: 160, md: 260 } }}>
      {differences(before, after).map((change) => (
        <Box key={change.field} sx={{ overflowWrap: 'anywhere' }}>
          <Box component="dt" sx={{ display: 'inline', color: 'text.secondary' }}>
            {change.field}:{' '}
          </Box>
          <Box component="dd" sx={{ display: 'inline', margin: 0 }}>
            {change.before !== undefined && (
              <Box component="del" sx={{ color: 'error.main' }}>
                <Value of={change.before} />
              </Box>
            )}
            {change.before !== undefined && change.after !== undefined && ` ${t('resources.audit.becomes')} `}
            {change.after !== undefined && (
              <Box component="ins" sx={{ color: 'success.main', textDecoration: 'none' }}>
                <Value of={change.after} />
              </Box>
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Subject({ row: { subject, after } }: { row: Row }) {
  const path = pathOf(subject, after);
  if (path === undefined) return subject;
  return (
    <Link component={RouterLink} to={path}>
      {subject}
    </Link>
  );
}

/** On a phone the cells of an entry stand below each other. */
const stacked = {
  '& .RaDataTable-thead': { display: { xs: 'none', md: 'table-header-group' } },
  '& td': { verticalAlign: 'top', display: { xs: 'block', md: 'table-cell' } },
  '& td:not(:last-of-type)': { borderBottomWidth: { xs: 0, md: 1 }, paddingBottom: { xs: 0, md: '6px' } },
};

const AuditList = () => (
  <Listing filters={filters}>
    <Table sx={stacked}>
      <DataTable.Col source="created_at" render={({ created_at: at }: Row) => <Time at={at} />} />
      <DataTable.Col disableSort source="admin_name" />
      <DataTable.Col disableSort source="action" />
      <DataTable.Col disableSort source="subject" render={(row: Row) => <Subject row={row} />} />
      <DataTable.Col disableSort source="changes" render={(row: Row) => <Difference row={row} />} />
    </Table>
  </Listing>
);

export default { list: AuditList } satisfies Pages;
