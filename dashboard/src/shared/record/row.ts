import { useRecordContext, type RaRecord } from 'ra-core';

/** The record of the table's row, or of the page, around it. */
export function useRow<Row extends RaRecord>(): Row {
  const row = useRecordContext<Row>();
  if (!row) throw new Error('There is no record around it');
  return row;
}
