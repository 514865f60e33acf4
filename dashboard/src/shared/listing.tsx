import type { ReactElement, ReactNode } from 'react';
import { useListContext, useResourceContext, useTranslate, type SortPayload } from 'ra-core';
import {
  DataTable,
  FilterButton,
  List,
  Pagination,
  TopToolbar,
  CreateButton,
  SearchInput,
  type DataTableProps,
} from 'ra-ui-materialui';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { PageTitle } from './page-title.tsx';
import { Empty, Failure, Loading } from './states.tsx';
import { useText } from '../i18n/i18n.ts';

export interface ListingProps {
  /** Besides the search, which stands first. */
  filters?: ReactElement[];
  /** Without: the server cannot search this list. */
  search?: boolean;
  /** The list's own buttons. */
  actions?: ReactNode;
  create?: boolean;
  /** Instead of a table. */
  children: ReactNode;
  perPage?: number;
  /** Until the address says otherwise. */
  filterDefaultValues?: Record<string, unknown>;
  sort?: SortPayload;
}

const NARROW = { '& .RaList-main, & .RaList-content': { minWidth: 0 } };
const NEWEST: SortPayload = { field: 'created_at', order: 'DESC' };

/** A page with a list that the server filters and pages; what is asked for stands in the address. */
export function Listing({
  filters = [],
  search = true,
  actions,
  create = false,
  children,
  perPage = 25,
  filterDefaultValues,
  sort = NEWEST,
}: ListingProps) {
  const resource = useResourceContext();
  const translate = useTranslate();
  const all = search ? [<SearchInput key="q" source="q" alwaysOn />, ...filters] : filters;
  const hasActions = actions !== undefined || filters.length > 0 || create;
  const toolbar = hasActions && (
    <TopToolbar>
      {actions}
      {filters.length > 0 && <FilterButton />}
      {create && <CreateButton />}
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
        sort={sort}
        exporter={false}
        title={false}
        empty={false}
        error={<Failed />}
        pagination={<Pages />}
        queryOptions={{ onError: () => undefined }}
        sx={NARROW}
      >
        <Loaded>{children}</Loaded>
      </List>
    </>
  );
}

function Loaded({ children }: { children: ReactNode }) {
  const { isPending } = useListContext();
  return isPending ? <Loading /> : children;
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
      <Failure error={error} again={refetch} />
    </Card>
  );
}

function NoRows() {
  const filters: unknown = useListContext().filterValues;
  const t = useText();
  const isFiltered = Object.keys(filters ?? {}).length > 0;
  return <Empty text={t(isFiltered ? 'states.nothingFound' : 'states.empty')} />;
}

/**
 * The table of a listing; nothing is done to many rows at once. A list that the server pages is sorted by its time
 * alone: any other `DataTable.Col` of it is `disableSort`. `label`: where a list has several tables.
 */
export function Table({ label, ...props }: DataTableProps & { label?: string }) {
  const translate = useTranslate();
  const resource = useResourceContext();
  return (
    // On a phone the table scrolls, not the page; by keys too.
    <Box
      role="group"
      tabIndex={0}
      aria-label={label ?? translate(`resources.${resource}.name`, { smart_count: 2 })}
      sx={{ overflowX: 'auto' }}
    >
      <DataTable bulkActionButtons={false} empty={<NoRows />} {...props} />
    </Box>
  );
}
