import { useDataTableRenderContext, useDataTableSortContext, type RaRecord } from 'ra-core';
import { DataTable, type DataTableColumnProps } from 'ra-ui-materialui';

/** A list column with `aria-sort` in its head. Cells take their text direction from their content. */
export function Column<Row extends RaRecord>(props: DataTableColumnProps<Row>) {
  const isHead = useDataTableRenderContext() === 'header';
  const sort = useDataTableSortContext();
  if (!isHead) return <DataTable.Col dir="auto" {...props} />;
  const isSorted = props.disableSort !== true && sort?.field === props.source;
  const order = sort?.order === 'ASC' ? 'ascending' : 'descending';
  return <DataTable.Col {...props} {...(isSorted && { 'aria-sort': order })} />;
}
