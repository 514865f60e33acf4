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
import { useText, type TextName } from '../../i18n/i18n.ts';

export interface ListingProps {
  /** Filters after the search field. */
  filters?: ReactElement<{ alwaysOn?: boolean }>[];
  /** False if the server cannot search this list. */
  search?: boolean;
  /** A component that fetches the list again when others have changed it. */
  liveUpdates?: ReactNode;
  /** The list's own buttons. */
  actions?: ReactNode;
  /** Usually a `Table`. */
  children: ReactNode;
  perPage?: number;
  /** Filters that apply while the address has none. */
  filterDefaultValues?: Record<string, unknown>;
  sort?: SortPayload;
  /** Whether a filter selects items that need attention. They are sorted oldest first. */
  needsAttention?: (filter: Filter) => boolean;
}

type Filter = Record<string, unknown>;

const NARROW = { '& .RaList-main, & .RaList-content': { minWidth: 0 } };
const NEWEST: SortPayload = { field: 'created_at', order: 'DESC' };
const OLDEST: SortPayload = { field: 'created_at', order: 'ASC' };

/** A page with a list that the server filters and pages. Filters, order and page are in the address. */
export function Listing({
  filters = [],
  search = true,
  actions,
  children,
  perPage = 25,
  filterDefaultValues,
  sort,
  needsAttention,
  liveUpdates,
}: ListingProps) {
  const resource = useResourceContext();
  const translate = useTranslate();
  const filter = useAddressFilter() ?? filterDefaultValues ?? {};
  // On a phone only the filters that are set are shown; the others are added with the filter button.
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('md'));
  const inputs = isPhone ? filters.map((input) => cloneElement(input, { alwaysOn: false })) : filters;
  const all = search ? [<SearchInput key="q" source="q" alwaysOn />, ...inputs] : inputs;
  const toolbar = all.length > 0 && (
    <TopToolbar sx={{ flexWrap: 'wrap', justifyContent: 'flex-end' }}>
      <ClearFilters />
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
        sort={sort ?? (needsAttention?.(filter) === true ? OLDEST : NEWEST)}
        exporter={false}
        title={false}
        empty={false}
        error={<Failed />}
        pagination={<Pages />}
        queryOptions={{ onError: () => undefined }}
        sx={NARROW}
      >
        {needsAttention && <WorkOrder needsAttention={needsAttention} />}
        {liveUpdates}
        <Loaded>{children}</Loaded>
      </List>
    </>
  );
}

/** The filter in the address; undefined if there is none or it is invalid. */
function useAddressFilter(): Filter | undefined {
  const text = new URLSearchParams(useLocation().search).get('filter');
  try {
    return text === null ? undefined : (JSON.parse(text) as Filter);
  } catch {
    return undefined;
  }
}

/** Reverses the order when the filters change to a list of work, or away from one. */
function WorkOrder({ needsAttention }: { needsAttention: (filter: Filter) => boolean }) {
  const { setSort, ...list } = useListContext();
  const isNow = needsAttention(list.filterValues as Filter);
  const was = useRef(isNow);
  const reverseOrder = useEffectEvent(() => setSort(isNow ? OLDEST : NEWEST));
  useEffect(() => {
    if (was.current === isNow) return;
    was.current = isNow;
    reverseOrder();
  }, [isNow]);
  return null;
}

function Loaded({ children }: { children: ReactNode }) {
  const { isPending } = useListContext();
  useShownSelection();
  return isPending ? <Loading /> : children;
}

/** Removes all filters, including those that came with the address. */
function ClearFilters() {
  const t = useText();
  const { setFilters, ...list } = useListContext();
  if (Object.keys(list.filterValues as object).length === 0) return null;
  return (
    <Button size="small" startIcon={<ClearIcon />} onClick={() => setFilters({}, {}, false)}>
      {t('filters.clear')}
    </Button>
  );
}

/** No pagination for a list that could not be loaded. */
const Pages = () => (useListContext().error === null ? <Pagination slotProps={useArrows()} /> : null);

/** Labels of the page arrows. On a phone react-admin leaves MUI's English ones. */
function useArrows() {
  const translate = useTranslate();
  const named = (name: string) => ({ 'aria-label': translate(name), title: translate(name) });
  return {
    actions: { previousButton: named('ra.navigation.previous'), nextButton: named('ra.navigation.next') },
  };
}

/** Replaces a list that could not be loaded. This is the only error message. */
function Failed() {
  const { error, refetch } = useListContext();
  return (
    <Card>
      <Failure error={error} retry={refetch} />
    </Card>
  );
}

interface NoRowsProps {
  /** The filters that the list begins with. */
  under?: Filter;
  text?: TextName;
}

/** Says that there are no rows: `text` under these filters, under others that nothing was found. */
export function NoRows({ under = {}, text = 'states.empty' }: NoRowsProps) {
  const filters: unknown = useListContext().filterValues;
  const t = useText();
  const isDefault = JSON.stringify(filters ?? {}) === JSON.stringify(under);
  return <Empty text={t(isDefault ? text : 'states.nothingFound')} />;
}

interface TableProps extends Omit<DataTableProps, 'rowClick'> {
  /** A click on a row opens its page; dragging over its text selects the text. */
  rowClick?: 'show';
  /** On a phone a row is a card. Each line names one column, or one for each end; other columns are hidden. */
  card: string[];
  /** The columns that show their label on a card. */
  named?: string[];
  /** Buttons for selected rows. Without it rows cannot be selected. */
  bulk?: ReactNode;
  /** The accessible name. Required if a page has several tables. */
  label?: string;
}

const isSelecting = () => window.getSelection()?.type === 'Range';

/** The table of a listing. The server sorts its pages only by time: all other columns must be `disableSort`. */
export function Table({ card, named = [], bulk, label, sx, rowClick, children, ...props }: TableProps) {
  const translate = useTranslate();
  const resource = useResourceContext();
  const nameOf = (field: string) => translate(`resources.${resource}.fields.${field}`);
  return (
    <>
      {bulk !== undefined && <Selection>{bulk}</Selection>}
      {/* A table that is wider than the window scrolls by itself, also by keyboard. */}
      <Box
        role="group"
        tabIndex={0}
        aria-label={label ?? translate(`resources.${resource}.name`, { smart_count: 2 })}
        sx={{ overflowX: 'auto', ...cards(card, Object.fromEntries(named.map((field) => [field, nameOf(field)]))) }}
      >
        <DataTable
          bulkActionButtons={false}
          empty={<NoRows />}
          sx={{ ...CELL_STYLES, ...sx }}
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

/** Breaks long values without spaces anywhere, so that they push no other column off the page. */
const CELL_STYLES = {
  // The buttons of a row stay visible when the table is wider than the window.
  '& .column-actions, & .column-decisions': {
    position: { md: 'sticky' },
    right: { md: 0 },
    backgroundColor: { md: 'background.paper' },
    zIndex: { md: 1 },
  },
  // Above the other column heads, which react-admin makes sticky too.
  '& th.column-actions, & th.column-decisions': { zIndex: { md: 3 } },
  '& .column-selected': { width: 42, padding: 0 },
  '& .column-email, & .column-account, & .column-ref, & .column-details': {
    overflowWrap: 'anywhere',
    minWidth: { md: 90 },
    maxWidth: { md: 230 },
  },
  '& .column-email': { minWidth: { md: 150 } },
};
