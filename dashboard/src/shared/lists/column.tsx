import { useDataTableRenderContext, useDataTableSortContext, type RaRecord } from 'ra-core';
import { DataTable, type DataTableColumnProps } from 'ra-ui-materialui';

/** A column of a list. Its head says how it is sorted; people's text in it runs in the direction of its script. */
export function Column<Row extends RaRecord>(props: DataTableColumnProps<Row>) {
  const isHead = useDataTableRenderContext() === 'header';
  const sort = useDataTableSortContext();
  if (!isHead) return <DataTable.Col dir="auto" {...props} />;
  const isSorted = props.disableSort !== true && sort?.field === props.source;
  const order = sort?.order === 'ASC' ? 'ascending' : 'descending';
  return <DataTable.Col {...props} {...(isSorted && { 'aria-sort': order })} />;
}
