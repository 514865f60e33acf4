import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import ReportIcon from '@mui/icons-material/CompareArrowsOutlined';
import { useTranslate } from 'ra-core';
import { Link, Route } from 'react-router-dom';
import type { RowOf } from '../data/bindings.ts';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { RefetchOnChange } from '../live/refetch-on-change.tsx';
import { sourceOf } from '../payments/source.tsx';
import { useSettingWords } from '../settings/words.ts';
import { Action } from '../shared/forms/action.tsx';
import { RequiredField } from '../shared/record/decision.tsx';
import { Column } from '../shared/lists/column.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { choiceFilter, dayFilters } from '../shared/lists/filters.tsx';
import { Listing, NoRows, Table } from '../shared/lists/listing.tsx';
import { PlainMoney } from '../shared/money/plain-money.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { RecordLink } from '../shared/record/record-link.tsx';
import { useRow } from '../shared/record/row.ts';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { ReconcilePage } from './reconcile-page.tsx';
import { useReconciliationText } from './words.ts';

type Break = RowOf<'breaks'>;
const KINDS = [
  'only_ours',
  'only_theirs',
  'amount',
  'status',
  'returned',
  'over_limit',
] as const satisfies Break['kind'][];

/** The default filter: only breaks that are not resolved. */
const OPEN = { status: 'open' };

const filters = [
  choiceFilter('status', 'filters.status', ['open', 'resolved'], 'status', 'resources.breaks.all'),
  choiceFilter('kind', 'resources.breaks.fields.kind', KINDS, 'resources.breaks.kinds'),
  ...dayFilters,
];
const needsAttention = ({ status }: Record<string, unknown>) => status === OPEN.status;

/** The CSV columns. Times are in UTC, amounts in the currency's smallest unit. */
const csv: Columns<Break> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  kind: ({ kind }) => kind,
  status: ({ status }) => status,
  provider: ({ provider }) => provider,
  reference: ({ reference }) => reference,
  ours: ({ ours }) => ours,
  amount_ours: ({ amount_ours }) => amount_ours,
  theirs: ({ theirs }) => theirs,
  amount_theirs: ({ amount_theirs }) => amount_theirs,
  note: ({ note }) => note,
};

function Reference({ of }: { of: string }) {
  const found = sourceOf(of);
  return found ? <RecordLink {...found}>{of}</RecordLink> : of;
}

interface SideProps {
  /** A status, or the setting whose limit was passed. */
  value: string | null;
  amount: number | null;
}

/** What one side recorded. */
function Side({ value, amount }: SideProps) {
  const translate = useTranslate();
  const settingWord = useSettingWords();
  if (value === null && amount === null) return '–';
  const word = value !== null && translate(`status.${value}`, { _: settingWord('names', value) ?? value });
  return (
    <>
      {word}
      {amount !== null && (
        <Typography variant="body2" component="p">
          <PlainMoney amount={amount} />
        </Typography>
      )}
    </>
  );
}

/** Resolves a break, or opens it again. */
function Decide() {
  const row = useRow<Break>();
  const t = useText();
  const isOpen = row.status === 'open';
  const texts = `resources.breaks.${isOpen ? 'resolve' : 'reopen'}` as const;
  const status = isOpen ? 'resolved' : 'open';
  return (
    <Action
      label={t(`${texts}.label`)}
      title={t(`${texts}.title`, { id: row.id })}
      done={t('states.saved')}
      run={(provider, { note }) => provider.update('breaks', { id: row.id, data: { status, note }, previousData: row })}
    >
      {t(`${texts}.meaning`)}
      <RequiredField
        name="note"
        label={t('resources.breaks.fields.note')}
        hint={t('resources.breaks.noteHint')}
        initial={row.note}
      />
    </Action>
  );
}

/** Leads to the comparison of a report. */
function Reconcile() {
  const word = useReconciliationText();
  const { can } = useRights();
  if (!can('POST /api/admin/reconciliations')) return null;
  return (
    <Button component={Link} to="/breaks/reconcile" size="small" startIcon={<ReportIcon />}>
      {word('button')}
    </Button>
  );
}

function BreakList() {
  const t = useText();
  const canDecide = useRights().canDo('breaks', 'update');
  return (
    <Listing
      filters={filters}
      filterDefaultValues={OPEN}
      actions={
        <>
          <Reconcile />
          <Export columns={csv} />
        </>
      }
      needsAttention={needsAttention}
      liveUpdates={<RefetchOnChange />}
    >
      <Table
        empty={<NoRows under={OPEN} text="resources.breaks.noneOpen" />}
        card={['kind status', 'reference created_at', 'ours', 'theirs', 'note', ...(canDecide ? ['decisions'] : [])]}
        named={['ours', 'theirs', 'note']}
        bulk={<SelectedExport columns={csv} />}
        sx={{ '& .column-reference, & .column-note': { overflowWrap: 'anywhere', maxWidth: { md: 230 } } }}
      >
        <Column disableSort source="id" />
        <Column disableSort source="kind" render={({ kind }: Break) => t(`resources.breaks.kinds.${kind}`)} />
        <Column
          disableSort
          source="reference"
          render={({ provider, reference }: Break) => (
            <>
              <Reference of={reference} />
              <Typography variant="caption" component="p" color="textSecondary">
                {provider}
              </Typography>
            </>
          )}
        />
        <Column
          disableSort
          source="ours"
          render={({ ours, amount_ours: amount }: Break) => <Side value={ours} amount={amount} />}
        />
        <Column
          disableSort
          source="theirs"
          render={({ theirs, amount_theirs: amount }: Break) => <Side value={theirs} amount={amount} />}
        />
        <Column disableSort source="status" render={({ status }: Break) => <Status of={status} />} />
        <Column disableSort source="note" />
        <Column source="created_at" render={({ created_at: at }: Break) => <Time at={at} />} />
        {canDecide && <Column disableSort source="decisions" children={<Decide />} />}
      </Table>
    </Listing>
  );
}

export default {
  list: BreakList,
  children: <Route path="reconcile" element={<ReconcilePage />} />,
} satisfies Pages;
