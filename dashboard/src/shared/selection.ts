import { useEffect } from 'react';
import { useListContext, type RaRecord } from 'ra-core';

/** The rows of the page that are selected. */
export function useSelected<Row extends RaRecord>(): Row[] {
  const { data = [], selectedIds } = useListContext<Row>();
  return data.filter(({ id }) => selectedIds.includes(id));
}

/** What is not shown is not selected: nothing is done to rows that nobody sees. */
export function useShownSelection(): void {
  const { data, selectedIds, onSelect } = useListContext();
  useEffect(() => {
    if (!data) return;
    const shown = selectedIds.filter((selected) => data.some(({ id }) => id === selected));
    if (shown.length < selectedIds.length) onSelect(shown);
  }, [data, selectedIds, onSelect]);
}
