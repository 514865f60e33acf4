import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useEffect, type ReactNode } from 'react';
import { useListContext, useRecordContext, useTranslate, type RaRecord } from 'ra-core';

/* Selecting rows of a list. react-admin's own checkboxes have no accessible name. */

/** The selected rows of the current page. */
export function useSelected<Row extends RaRecord>(): Row[] {
  const { data = [], selectedIds } = useListContext<Row>();
  return data.filter(({ id }) => selectedIds.includes(id));
}

/** Unselects rows that are no longer shown, so that no action applies to invisible rows. */
export function useShownSelection(): void {
  const { data, selectedIds, onSelect } = useListContext();
  useEffect(() => {
    if (!data) return;
    const shown = selectedIds.filter((selected) => data.some(({ id }) => id === selected));
    if (shown.length < selectedIds.length) onSelect(shown);
  }, [data, selectedIds, onSelect]);
}

/** The number of selected rows, and the actions for them. */
export function Selection({ children }: { children: ReactNode }) {
  const translate = useTranslate();
  const { selectedIds, onUnselectItems } = useListContext();
  if (selectedIds.length === 0) return null;
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, padding: 1, bgcolor: 'action.selected' }}
    >
      <Typography role="status">{translate('ra.action.bulk_actions', { smart_count: selectedIds.length })}</Typography>
      {children}
      <Button size="small" onClick={() => onUnselectItems()}>
        {translate('ra.action.unselect')}
      </Button>
    </Box>
  );
}

export function SelectRow() {
  const translate = useTranslate();
  const { id = '' } = useRecordContext() ?? {};
  const { selectedIds, onToggleItem } = useListContext();
  return (
    <Checkbox
      size="small"
      checked={selectedIds.includes(id)}
      // Inside a clickable row, a click here must not trigger the row.
      onClick={(event) => event.stopPropagation()}
      onChange={() => onToggleItem(id)}
      slotProps={{ input: { 'aria-label': translate('ra.action.select_row') } }}
    />
  );
}

export function SelectAll() {
  const translate = useTranslate();
  const { data = [], selectedIds, onSelect } = useListContext();
  const isAll = data.length > 0 && selectedIds.length === data.length;
  return (
    <Checkbox
      size="small"
      checked={isAll}
      indeterminate={selectedIds.length > 0 && !isAll}
      onChange={() => onSelect(isAll ? [] : data.map(({ id }: RaRecord) => id))}
      slotProps={{ input: { 'aria-label': translate('ra.action.select_all') } }}
    />
  );
}
