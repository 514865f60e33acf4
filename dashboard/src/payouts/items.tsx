import MenuItem from '@mui/material/MenuItem';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { ActionButtons, useConfirmation, type ActionProps } from '../shared/forms/action.tsx';
import { Pager } from '../shared/lists/pager.tsx';
import { Money } from '../shared/money/money.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { RecordLink } from '../shared/record/record-link.tsx';
import { useRow } from '../shared/record/row.ts';
import { Section, SmallTable } from '../shared/record/section.tsx';
import { Status } from '../shared/record/status.tsx';
import { Time } from '../shared/time/time.tsx';
import { Account } from '../shared/money/account.tsx';
import { ITEMS } from './live-payouts.tsx';
import { ITEM_STATUSES, type Batch, type Item, type ItemStatus } from './payout.ts';
import { useCanDecide, useItemActions } from './settle.tsx';
import { usePayoutText } from './words.ts';

const PER_PAGE = 50;

const isStatus = (name: string | null): name is ItemStatus => ITEM_STATUSES.some((status) => status === name);

/** The filter and the page, which are in the address. */
function useSelection() {
  const [search, setSearch] = useSearchParams();
  const named = search.get('status');
  const status = isStatus(named) ? named : undefined;
  const page = Math.max(1, Math.trunc(Number(search.get('page'))) || 1);
  return {
    status,
    page,
    select: (chosen: string, to = 1, replace = false) => {
      const next = new URLSearchParams();
      if (chosen !== '') next.set('status', chosen);
      if (to > 1) next.set('page', String(to));
      setSearch(next, { replace });
    },
  };
}

function StatusFilter({ status, select }: { status: ItemStatus | undefined; select: (chosen: string) => void }) {
  const t = useText();
  const word = usePayoutText();
  return (
    <TextField
      select
      size="small"
      label={t('filters.status')}
      value={status ?? ''}
      onChange={({ target }) => select(target.value)}
      fullWidth={false}
      sx={{ width: 170 }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{word('item.all')}</MenuItem>
      {ITEM_STATUSES.map((name) => (
        <MenuItem key={name} value={name}>
          {t(`status.${name}`)}
        </MenuItem>
      ))}
    </TextField>
  );
}

const Small = ({ children }: { children: ReactNode }) => (
  <Typography variant="caption" component="p" color="textSecondary" dir="auto">
    {children}
  </Typography>
);

/** What the bank said, and who settled the payout when. */
function Result({ of: { provider_ref: ref, message, settled_by: by, settled_at: at } }: { of: Item }) {
  const word = usePayoutText();
  return (
    <>
      {ref}
      {message !== null && <Small>{message}</Small>}
      {at !== null && (
        <Small>
          {by !== null && word('item.settledBy', { name: by.name })} <Time at={at} />
        </Small>
      )}
    </>
  );
}

function Target({ of: { method, account, holder_name: holder } }: { of: Item }) {
  const word = usePayoutText();
  return (
    <>
      {method !== null && <Small>{method}</Small>}
      {account !== null && <Account of={account} />}
      {holder !== null && <Small>{word('item.holder', { name: holder })}</Small>}
    </>
  );
}

interface ItemRowProps {
  item: Item;
  heads: string[];
  choose: (action: ActionProps) => void;
}

function ItemRow({ item, heads, choose }: ItemRowProps) {
  const batch = useRow<Batch>();
  const actions = useItemActions(batch, item);
  const cells = [
    <RecordLink resource="withdrawals" id={item.withdrawal_id}>
      {item.reference}
    </RecordLink>,
    <RecordLink resource="people" id={item.user.id}>
      {item.user.name}
    </RecordLink>,
    <Money amount={item.amount} currency={batch.currency} />,
    <Target of={item} />,
    <Status of={item.status} />,
    <Result of={item} />,
    <span style={{ whiteSpace: 'nowrap' }}>
      <ActionButtons of={actions} isFolded choose={choose} />
    </span>,
  ];
  return (
    <TableRow>
      {heads.map((head, column) => (
        <TableCell key={head} dir="auto" data-name={column === cells.length - 1 ? undefined : head}>
          {cells[column]}
        </TableCell>
      ))}
    </TableRow>
  );
}

function ItemTable({ items, choose }: { items: Item[]; choose: (action: ActionProps) => void }) {
  const t = useText();
  const word = usePayoutText();
  const { isMasked } = useRights();
  const canDecide = useCanDecide(useRow<Batch>());
  const account = word('item.account');
  const heads = [
    word('item.reference'),
    word('item.person'),
    word('item.amount'),
    isMasked('GET /api/admin/payout-batches/{id}/items', 'data.account') ? t('masked', { field: account }) : account,
    word('item.status'),
    word('item.result'),
    ...(canDecide ? [word('item.decide')] : []),
  ];
  return (
    <SmallTable label={word('item.title')}>
      <TableHead>
        <TableRow>
          {heads.map((head) => (
            <TableCell key={head}>{head}</TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody sx={{ '& td': { overflowWrap: 'anywhere' } }}>
        {items.map((item) => (
          <ItemRow key={item.id} item={item} heads={heads} choose={choose} />
        ))}
      </TableBody>
    </SmallTable>
  );
}

/** The payouts of a batch, with a filter by status. */
export function Items() {
  const { id } = useRow<Batch>();
  return <ItemsOf key={id} id={id} />;
}

function ItemsOf({ id }: { id: Batch['id'] }) {
  const t = useText();
  const word = usePayoutText();
  const { status, page, select } = useSelection();
  const query = { page, pageItems: PER_PAGE, order: 'asc' as const, ...(status && { status }) };
  const { data, error, refetch, isPlaceholderData } = useApiQuery(
    [ITEMS, id, query],
    (client) => client.GET('/api/admin/payout-batches/{id}/items', { params: { path: { id: String(id) }, query } }),
    { keepsPrevious: true },
  );
  // The dialog stays open when its row leaves the filter.
  const { choose, dialog } = useConfirmation();
  const last = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / PER_PAGE)) : page;
  const goTo = useEffectEvent((to: number) => select(status ?? '', to, true));
  useEffect(() => {
    if (page > last) goTo(last);
  }, [page, last]);
  const found = () => {
    if (!data) return error === null && <Loading />;
    if (data.total === 0)
      return (
        <Typography color="textSecondary">{status === undefined ? word('none') : t('states.nothingFound')}</Typography>
      );
    return (
      <>
        <ItemTable items={data.data} choose={choose} />
        <Pager page={page} perPage={PER_PAGE} total={data.total} go={(to) => select(status ?? '', to)} />
      </>
    );
  };
  return (
    <Section title={word('item.title')} aside={<StatusFilter status={status} select={select} />}>
      {error !== null && <Failure error={error} retry={refetch} />}
      {found()}
      {dialog}
    </Section>
  );
}
