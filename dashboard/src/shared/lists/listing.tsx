import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import ClearIcon from '@mui/icons-material/FilterAltOffOutlined';
import { cloneElement, useEffect, useEffectEvent, useRef, type ReactElement, type ReactNode } from 'react';
import { useListContext, useResourceContext, useTranslate, type SortPayload } from 'ra-core';
import { useLocation } from 'react-router-dom';
import {
  DataTable,
  FilterButton,
  List,
  Pagination,
  TopToolbar,
  SearchInput,
  type DataTableProps,
} from 'ra-ui-materialui';
import { cards } from './cards.ts';
import { Column } from './column.tsx';
import { PageTitle } from '../page/page-title.tsx';
import { SelectAll, Selection, SelectRow, useShownSelection } from './selection.tsx';
import { Empty, Failure, Loading } from '../page/states.tsx';
import { useText } from '../../i18n/i18n.ts';

export interface ListingProps {
  /** Besides the search, which stands first. */
  filters?: ReactElement<{ alwaysOn?: boolean }>[];
  /** Without: the server cannot search this list. */
  search?: boolean;
  /** Fetches the list again when others have changed it. */
  followed?: ReactNode;
  /** The list's own buttons. */
  actions?: ReactNode;
  /** Instead of a table. */
  children: ReactNode;
  perPage?: number;
  /** Until the address says otherwise. */
  filterDefaultValues?: Record<string, unknown>;
  sort?: SortPayload;
  /** Whether what these filters leave waits for somebody: then what has waited longest comes first. */
  isWork?: (filter: Filter) => boolean;
}

type Filter = Record<string, unknown>;

const NARROW = { '& .RaList-main, & .RaList-content': { minWidth: 0 } };
const NEWEST: SortPayload = { field: 'created_at', order: 'DESC' };
const OLDEST: SortPayload = { field: 'created_at', order: 'ASC' };

/** A page with a list that the server filters and pages; what is asked for stands in the address. */
export function Listing({
  filters = [],
  search = true,
  actions,
  children,
  perPage = 25,
  filterDefaultValues,
  sort,
  isWork,
  followed,
}: ListingProps) {
  const resource = useResourceContext();
  const translate = useTranslate();
  const given = useGivenFilter() ?? filterDefaultValues ?? {};
  // On a phone filters are folded away: one that is set is seen, the others are behind the button.
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const own = isPhone ? filters.map((filter) => cloneElement(filter, { alwaysOn: false })) : filters;
  const all = search ? [<SearchInput key="q" source="q" alwaysOn />, ...own] : own;
  const toolbar = all.length > 0 && (
    <TopToolbar>
      <Clear />
      {actions}
      {filters.length > 0 && <FilterButton disableSaveQuery />}
    </TopToolbar>
  );
  return (
    <>
      <PageTitle title={translate(`resources.${resource}.name`, { smart_count: 2 })} />
      <List
        filters={all}
        actions={toolbar}
        perPage={perPage}
        filterDefaultValues={filterDefaultValues}
        sort={sort ?? (isWork?.(given) === true ? OLDEST : NEWEST)}
        exporter={false}
        title={false}
        empty={false}
        error={<Failed />}
        pagination={<Pages />}
        queryOptions={{ onError: () => undefined }}
        sx={NARROW}
      >
        {isWork && <OrderOfWork isWork={isWork} />}
        {followed}
        <Loaded>{children}</Loaded>
      </List>
    </>
  );
}

/** The filter in the address; undefined: there is none. */
function useGivenFilter(): Filter | undefined {
  const text = new URLSearchParams(useLocation().search).get('filter');
  try {
    return text === null ? undefined : (JSON.parse(text) as Filter);
  } catch {
    return undefined;
  }
}

/** Turns the order round when filters lead to a list of work, or away from it. */
function OrderOfWork({ isWork }: { isWork: (filter: Filter) => boolean }) {
  const { setSort, ...list } = useListContext();
  const isNow = isWork(list.filterValues as Filter);
  const was = useRef(isNow);
  const turn = useEffectEvent(() => setSort(isNow ? OLDEST : NEWEST));
  useEffect(() => {
    if (was.current === isNow) return;
    was.current = isNow;
    turn();
  }, [isNow]);
  return null;
}

function Loaded({ children }: { children: ReactNode }) {
  const { isPending } = useListContext();
  useShownSelection();
  return isPending ? <Loading /> : children;
}

/** Takes all filters away, wherever they came from. */
function Clear() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  if (Object.keys(list.filterValues as object).length === 0) return null;
  return (
    <Button size="small" startIcon={<ClearIcon />} onClick={() => setFilters({}, {}, false)}>
      {t('filters.clear')}
    </Button>
  );
}

/** Of a list that could not be loaded nothing is known. */
const Pages = () => (useListContext().error === null ? <Pagination slotProps={useArrows()} /> : null);

/** On a phone react-admin leaves it to MUI to name them, in English. */
function useArrows() {
  const translate = useTranslate();
  const named = (name: string) => ({ 'aria-label': translate(name), title: translate(name) });
  return {
    actions: { previousButton: named('ra.navigation.previous'), nextButton: named('ra.navigation.next') },
  };
}

/** In place of the list; nothing else tells of it. */
function Failed() {
  const { error, refetch } = useListContext();
  return (
    <Card>
      <Failure error={error} retry={refetch} />
    </Card>
  );
}

function NoRows() {
  const filters: unknown = useListContext().filterValues;
  const t = useText();
  const isFiltered = Object.keys(filters ?? {}).length > 0;
  return <Empty text={t(isFiltered ? 'states.nothingFound' : 'states.empty')} />;
}

interface TableProps extends Omit<DataTableProps, 'rowClick'> {
  /** A click on a row leads to its page; dragging over its text selects that. */
  rowClick?: 'show';
  /** The lines of a card, which a row is on a phone: each names one column, or one at each end. Others are left out. */
  card: string[];
  /** The columns of the card that do not speak for themselves: their names stand before them. */
  named?: string[];
  /** Buttons for the rows that are selected. Without: none can be. */
  bulk?: ReactNode;
  /** Where a list has several tables. */
  label?: string;
}

const isSelecting = () => window.getSelection()?.type === 'Range';

/** The table of a listing. One that the server pages is sorted by its time alone: any other `Column` of it is `disableSort`. */
export function Table({ card, named = [], bulk, label, sx, rowClick, children, ...props }: TableProps) {
  const translate = useTranslate();
  const resource = useResourceContext();
  const nameOf = (field: string) => translate(`resources.${resource}.fields.${field}`);
  return (
    <>
      {bulk !== undefined && <Selection>{bulk}</Selection>}
      {/* A table that is wider than the window scrolls, not the page; by keys too. */}
      <Box
        role="group"
        tabIndex={0}
        aria-label={label ?? translate(`resources.${resource}.name`, { smart_count: 2 })}
        sx={{ overflowX: 'auto', ...cards(card, Object.fromEntries(named.map((field) => [field, nameOf(field)]))) }}
      >
        <DataTable
          bulkActionButtons={false}
          empty={<NoRows />}
          sx={{ ...LONG, ...sx }}
          {...(rowClick && { rowClick: () => !isSelecting() && rowClick })}
          {...props}
        >
          {bulk !== undefined && (
            <Column disableSort source="selected" label={<SelectAll />} render={() => <SelectRow />} />
          )}
          {children}
        </DataTable>
      </Box>
    </>
  );
}

/** Without spaces and of any length: broken anywhere, so that no other column is pushed off. */
const LONG = {
  // What can be done with a row stays in sight where the table is wider than the window.
  '& .column-actions, & .column-decisions': {
    position: { md: 'sticky' },
    right: { md: 0 },
    backgroundColor: { md: 'background.paper' },
    zIndex: { md: 1 },
  },
  // Above the other heads, which react-admin keeps in sight too.
  '& th.column-actions, & th.column-decisions': { zIndex: { md: 3 } },
  '& .column-selected': { width: 42, padding: 0 },
  '& .column-email, & .column-account, & .column-ref, & .column-details': {
    overflowWrap: 'anywhere',
    minWidth: { md: 90 },
    maxWidth: { md: 230 },
  },
  '& .column-email': { minWidth: { md: 150 } },
};
