import { useRecordContext, type RaRecord } from 'ra-core';

/** The record of the surrounding table row or record page. */
export function useRow<Row extends RaRecord>(): Row {
  const row = useRecordContext<Row>();
  if (!row) throw new Error('useRow was called outside a record context');
  return row;
}
