import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useTranslate } from 'ra-core';
import { Link as RouterLink } from 'react-router-dom';
import { Column } from '../shared/lists/column.tsx';
import type { RowOf } from '../data/bindings.ts';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { isSwitch } from '../settings/limits.ts';
import { useSettingWords } from '../settings/words.ts';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { Money } from '../shared/money/money.tsx';
import { useCurrency } from '../shared/queries/currency.ts';
import { Time } from '../shared/time/time.tsx';
import { differences, isMoney, pathOf } from './difference.ts';
import { filters } from './filters.tsx';
import { useWords } from './words.ts';
import { useRow } from '../shared/record/row.ts';

type Row = RowOf<'audit'>;

const asJson = (state: Row['before']) => (state === null ? null : JSON.stringify(state));
const csv: Columns<Row> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  admin_id: ({ admin_id }) => admin_id,
  admin_name: ({ admin_name }) => admin_name,
  action: ({ action }) => action,
  subject: ({ subject }) => subject,
  before: ({ before }) => asJson(before),
  after: ({ after }) => asJson(after),
  request_id: ({ request_id }) => request_id,
};

function useLabels() {
  const translate = useTranslate();
  const wordFor = useWords();
  const settingWord = useSettingWords();
  /** Fields whose values have labels in the shared texts, with the prefix of their text keys. */
  const shared: Record<string, string> = {
    status: 'status',
    level: 'resources.administrators.levels',
    roles: 'resources.administrators.roles',
    type: 'resources.support.kinds',
  };
  return {
    action: (action: string) => wordFor('actions', action) ?? action,
    field: (field: string) => wordFor('facts', field) ?? field,
    value: (field: string, value: string) => {
      if (field === 'totp' || field === 'password' || field === 'lockout') return wordFor(field, value) ?? value;
      return Object.hasOwn(shared, field) ? translate(`${shared[field]}.${value}`, { _: value }) : value;
    },
    /** `user:12` as `Person 12`, or as `Person “name”` if the entry has the name. */
    subject: ({ subject, before, after }: Row) => {
      const [kind = '', id = ''] = subject.split(':');
      const word = wordFor('subjects', kind);
      const name = after?.['name'] ?? before?.['name'];
      if (word === undefined) return subject;
      if (typeof name !== 'string') return `${word} ${id}`;
      return `${word} ${translate('resources.audit.quoted', { name: settingWord('names', name) ?? name })}`;
    },
  };
}

interface ValueProps {
  field: string;
  of: unknown;
}

function Value({ field, of }: ValueProps) {
  const row = useRow<Row>();
  const t = useText();
  const names = useLabels();
  const system = useCurrency();
  const { currency = system } = { ...row.before, ...row.after };
  /** A setting that is only on (1) or off (0). */
  const isOnOff = field === 'value' && isSwitch(String(row.after?.['name']));
  if (typeof of === 'number' && typeof currency === 'string' && isMoney(row, field))
    return <Money amount={of} currency={currency} />;
  if (of === null || of === '') return t('resources.audit.empty');
  if (isOnOff) return t(`resources.settings.${of === 1 ? 'on' : 'off'}`);
  if (typeof of === 'boolean') return t(`resources.audit.${of ? 'yes' : 'no'}`);
  if (Array.isArray(of)) return of.map((each) => names.value(field, String(each))).join(', ');
  return typeof of === 'string' ? names.value(field, of) : JSON.stringify(of);
}

/** Each changed field with its old value, crossed out, and its new value. */
function Difference() {
  const { before, after } = useRow<Row>();
  const t = useText();
  const names = useLabels();
  return (
    <Box component="dl" sx={{ margin: 0, display: 'grid', gap: 0.5, minWidth: { xs: 160, md: 260 } }}>
      {differences(before, after).map((change) => (
        <Box key={change.field} sx={{ overflowWrap: 'anywhere' }}>
          <Box component="dt" sx={{ display: 'inline', color: 'text.secondary' }}>
            {names.field(change.field)}:{' '}
          </Box>
          <Box component="dd" sx={{ display: 'inline', margin: 0 }}>
            {change.before !== undefined && (
              <Box component="del" dir="auto" sx={{ color: 'error.main' }}>
                <Value field={change.field} of={change.before} />
              </Box>
            )}
            {change.before !== undefined && change.after !== undefined && ` ${t('resources.audit.becomes')} `}
            {change.after !== undefined && (
              <Box component="ins" dir="auto" sx={{ color: 'success.main', textDecoration: 'none' }}>
                <Value field={change.field} of={change.after} />
              </Box>
            )}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Subject() {
  const row = useRow<Row>();
  const name = useLabels().subject(row);
  const path = pathOf(row.subject, row.after);
  if (path === undefined) return name;
  return (
    <Link component={RouterLink} to={path}>
      {name}
    </Link>
  );
}

/** The `admin_id` of entries by the command-line tool, which has no account. */
const OPERATOR = 0;

function Actor() {
  const { admin_id: id, admin_name: name } = useRow<Row>();
  const t = useText();
  return id === OPERATOR ? t('resources.audit.operator') : name;
}

const ActionName = () => useLabels().action(useRow<Row>().action);

const AuditList = () => (
  <Listing filters={filters} actions={<Export columns={csv} />}>
    <Table
      card={['action created_at', 'subject admin_name', 'changes']}
      bulk={<SelectedExport columns={csv} />}
      sx={{ '& td': { verticalAlign: 'top' } }}
    >
      <Column source="created_at" render={({ created_at: at }: Row) => <Time at={at} />} />
      <Column disableSort source="admin_name" children={<Actor />} />
      <Column disableSort source="action" children={<ActionName />} />
      <Column disableSort source="subject" children={<Subject />} />
      <Column disableSort source="changes" children={<Difference />} />
    </Table>
  </Listing>
);

export default { list: AuditList } satisfies Pages;
