import {
  useDataTableRenderContext,
  useDataTableSortContext,
  useResourceContext,
  useTranslate,
  type RaRecord,
} from 'ra-core';
import { DataTable, type DataTableColumnProps } from 'ra-ui-materialui';
import { useText } from '../../i18n/i18n.ts';
import { useMaskedColumn } from '../queries/rights.ts';

/**
 * A list column with `aria-sort` in its head, which says when the column is masked. Cells take their text direction
 * from their content.
 */
export function Column<Row extends RaRecord>(props: DataTableColumnProps<Row>) {
  const isHead = useDataTableRenderContext() === 'header';
  const sort = useDataTableSortContext();
  const label = useMaskedLabel(props.source);
  if (!isHead) return <DataTable.Col dir="auto" {...props} />;
  const isSorted = props.disableSort !== true && sort?.field === props.source;
  const order = sort?.order === 'ASC' ? 'ascending' : 'descending';
  return <DataTable.Col {...props} {...(label !== undefined && { label })} {...(isSorted && { 'aria-sort': order })} />;
}

/** The label of a masked column; undefined for all others. */
function useMaskedLabel(source: string | undefined): string | undefined {
  const t = useText();
  const translate = useTranslate();
  const resource = useResourceContext();
  const isMasked = useMaskedColumn(source);
  return isMasked ? t('masked', { field: translate(`resources.${resource}.fields.${source}`) }) : undefined;
}
