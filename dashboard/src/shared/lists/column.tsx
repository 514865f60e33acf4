import {
  useDataTableRenderContext,
  useDataTableSortContext,
  useResourceContext,
  useTranslate,
  type RaRecord,
} from 'ra-core';
import { DataTable, type DataTableColumnProps } from 'ra-ui-materialui';
import type { ResourceName, RowOf } from '../../data/bindings.ts';
import { useText } from '../../i18n/i18n.ts';
import { useMaskedColumn } from '../queries/rights.ts';
import { RecordLink } from '../record/record-link.tsx';

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

/** The id of a row, as a link to its page. */
export const idColumn = (resource: ResourceName) => (
  <Column
    disableSort
    source="id"
    render={({ id }) => (
      <RecordLink resource={resource} id={id}>
        {id}
      </RecordLink>
    )}
  />
);

/** A participant of a lesson or call, as a link to the person's page. */
export const participantColumn = (role: 'student' | 'teacher') => (
  <Column
    disableSort
    source={`${role}_name`}
    render={(row: RowOf<'bookings' | 'calls'>) => (
      <RecordLink resource="people" id={row[`${role}_id`]}>
        {row[`${role}_name`]}
      </RecordLink>
    )}
  />
);

/** The label of a masked column; undefined for all others. */
function useMaskedLabel(source: string | undefined): string | undefined {
  const t = useText();
  const translate = useTranslate();
  const resource = useResourceContext();
  const isMasked = useMaskedColumn(source);
  return isMasked ? t('masked', { field: translate(`resources.${resource}.fields.${source}`) }) : undefined;
}
