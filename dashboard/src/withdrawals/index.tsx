import { RefetchOnChange } from '../live/refetch-on-change.tsx';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { Column, idColumn } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { useText } from '../i18n/i18n.ts';
import { Actions } from '../shared/forms/action.tsx';
import { STATUSES } from '../shared/record/decision.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { Facts } from '../shared/record/facts.tsx';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { Money } from '../shared/money/money.tsx';
import { amountColumn, csvColumns, personColumn, timeColumn } from '../shared/lists/money-columns.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { RecordPage } from '../shared/record/record-page.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { Account } from '../shared/money/account.tsx';
import { ClaimSelected } from './claim-selected.tsx';
import { PayOutSelected } from './pay-out-selected.tsx';
import { useWithdrawalDecisions, type WithdrawalRow } from './decisions.tsx';
import { useRow } from '../shared/record/row.ts';

const filters = [
  choiceFilter('status', 'filters.status', STATUSES, 'status'),
  choiceFilter('claimed_by', 'resources.withdrawals.fields.claimed_by', ['me'], 'resources.withdrawals.claimers'),
  personFilter(),
  ...dayFilters,
];
/** Whether a filter selects withdrawals that need to be paid. */
const needsAttention = ({ status }: Record<string, unknown>) => status === 'initiated' || status === 'pending';

const csv: Columns<WithdrawalRow> = {
  ...csvColumns,
  method: ({ method }) => method,
  account: ({ account }) => account,
  claimed_by: ({ claimed_by }) => claimed_by?.name,
  claimed_at: ({ claimed_at }) => claimed_at,
  decided_by: ({ decided_by }) => decided_by?.name,
  decided_at: ({ decided_at }) => decided_at,
};

/** Who claimed the withdrawal and who decided it, with the times. */
function ClaimAndDecision() {
  const row = useRow<WithdrawalRow>();
  const t = useText();
  const decided = row.status === 'success' ? 'success' : 'other';
  const events = [
    ['resources.withdrawals.claimedBy', row.claimed_by, row.claimed_at],
    [`resources.withdrawals.decidedBy.${decided}`, row.decided_by, row.decided_at],
  ] as const;
  return events.map(
    ([text, by, at]) =>
      by !== null &&
      at !== null && (
        <Typography key={text} variant="caption" color="textSecondary" component="p">
          {t(text, { name: by.name })} <Time at={at} />
        </Typography>
      ),
  );
}

/** The payment method and account. */
const PayoutTarget = ({ method, account }: WithdrawalRow) => (
  <>
    <Typography variant="caption" color="textSecondary" component="p">
      {method}
    </Typography>
    {account !== null && <Account of={account} />}
  </>
);

function RowDecisions() {
  return (
    <span style={{ whiteSpace: 'nowrap' }}>
      <Actions of={useWithdrawalDecisions(useRow())} isFolded />
    </span>
  );
}

const WithdrawalList = () => (
  <Listing
    filters={filters}
    actions={<Export columns={csv} />}
    needsAttention={needsAttention}
    liveUpdates={<RefetchOnChange />}
  >
    <Table
      rowClick="show"
      card={['user_id amount', 'status', 'id created_at', 'account', 'decisions']}
      named={['id']}
      bulk={
        <>
          <PayOutSelected />
          <ClaimSelected />
          <SelectedExport columns={csv} />
        </>
      }
    >
      {idColumn('withdrawals')}
      {amountColumn<WithdrawalRow>(() => 'out')}
      <Column
        disableSort
        source="status"
        render={(row: WithdrawalRow) => (
          <>
            <Status of={row.status} />
            <ClaimAndDecision />
          </>
        )}
      />
      {personColumn}
      <Column disableSort source="account" render={PayoutTarget} />
      {timeColumn}
      <Column disableSort source="decisions" children={<RowDecisions />} />
    </Table>
  </Listing>
);

function WithdrawalFacts() {
  const row = useRow<WithdrawalRow>();
  const t = useText();
  const decided = row.status === 'success' ? 'paid' : 'decided';
  return (
    <Card sx={{ padding: 2, marginTop: 2 }}>
      <Facts
        of={[
          [
            t('resources.withdrawals.fields.amount'),
            <Money amount={row.amount} currency={row.currency} direction="out" />,
          ],
          [t('resources.withdrawals.fields.status'), <Status of={row.status} />],
          [t('resources.withdrawals.fields.claimed_by'), row.claimed_by?.name],
          [t('resources.withdrawals.fields.claimed_at'), row.claimed_at !== null && <Time at={row.claimed_at} />],
          [t(`resources.withdrawals.fields.${decided}_by`), row.decided_by?.name],
          [t(`resources.withdrawals.fields.${decided}_at`), row.decided_at !== null && <Time at={row.decided_at} />],
          [
            t('resources.withdrawals.fields.user_id'),
            <RecordLink resource="people" id={row.user.id}>
              {row.user.name}
            </RecordLink>,
          ],
          [t('resources.withdrawals.fields.method'), row.method],
          [t('resources.withdrawals.fields.account'), row.account !== null && <Account of={row.account} />],
          [t('resources.withdrawals.fields.ref'), row.ref],
          [t('resources.withdrawals.fields.details'), row.details],
          [t('resources.withdrawals.fields.created_at'), <Time at={row.created_at} />],
          [t('resources.withdrawals.fields.updated_at'), <Time at={row.updated_at} />],
        ]}
      />
    </Card>
  );
}

const PageDecisions = () => <Actions of={useWithdrawalDecisions(useRow())} />;

function WithdrawalPage() {
  const t = useText();
  return (
    <RecordPage<WithdrawalRow> title={({ id }) => t('resources.withdrawals.title', { id })} actions={<PageDecisions />}>
      <WithdrawalFacts />
    </RecordPage>
  );
}

export default { list: WithdrawalList, show: WithdrawalPage } satisfies Pages;
