import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import DownloadIcon from '@mui/icons-material/DownloadOutlined';
import { useRef, useState } from 'react';
import {
  useDataProvider,
  useListContext,
  useLocale,
  useNotify,
  useTranslate,
  type Identifier,
  type RaRecord,
} from 'ra-core';
import { useText } from '../../i18n/i18n.ts';
import { CSV_START, csvLine, separatorOf, type Cell } from './csv.ts';
import { useRegion } from '../../i18n/region.ts';
import { saveFile } from './save-file.ts';
import { useSelected } from './selection.tsx';
import { useUnsaved } from '../forms/unsaved.ts';

/** The maximum number of rows in a file, and the size of the pages that are fetched. */
const MAX_ROWS = 20_000;
const PAGE_SIZE = 100;

/** The columns of a file: for each header, the function that reads a row's cell. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

interface Progress {
  count: number;
  total: number;
}

/** The header and lines of a file, with the separator of the reader's language. */
function useLines<Row>(columns: Columns<Row>) {
  const separator = separatorOf(useLocale());
  return {
    head: CSV_START + csvLine(Object.keys(columns), separator),
    linesOf: (rows: Row[]) =>
      rows
        .map((row) =>
          csvLine(
            Object.values(columns).map((of) => of(row)),
            separator,
          ),
        )
        .join(''),
  };
}

function save(parts: string[], resource: string): void {
  const blob = new Blob(parts, { type: 'text/csv;charset=utf-8' });
  saveFile(blob, `${resource}-${new Date().toISOString().slice(0, 10)}.csv`);
}

/** Fetches all pages of the filtered list in sequence, and saves them as a file. */
function useCollect<Row extends RaRecord>(columns: Columns<Row>) {
  const { resource, sort, ...list } = useListContext<Row>();
  const filter = list.filterValues as Record<string, unknown>;
  const provider = useDataProvider();
  const t = useText();
  const region = useRegion();
  const { head, linesOf } = useLines(columns);

  const pageOf = (page: number, signal: AbortSignal) =>
    provider.getList<Row>(resource, { pagination: { page, perPage: PAGE_SIZE }, sort, filter, signal });
  return async (report: (progress: Progress) => void, signal: AbortSignal): Promise<number> => {
    const parts = [head];
    // A row added during the export shifts others to the next page, where they appear a second time.
    const seen = new Set<Identifier>();
    let expected = Infinity;
    for (let page = 1; (page - 1) * PAGE_SIZE < expected; page += 1) {
      const { data, total = 0 } = await pageOf(page, signal);
      signal.throwIfAborted();
      if (total > MAX_ROWS) {
        const [most, all] = [MAX_ROWS, total].map((count) => count.toLocaleString(region));
        throw new Error(t('csv.tooMany', { most: most!, total: all! }));
      }
      if (page === 1) expected = total;
      const rows = data.filter(({ id }) => !seen.has(id));
      for (const { id } of rows) seen.add(id);
      parts.push(linesOf(rows));
      report({ count: seen.size, total: expected });
    }
    if (seen.size === 0) throw new Error(t('csv.nothing'));
    if (seen.size < expected) throw new Error(t('csv.moved'));
    save(parts, resource);
    return seen.size;
  };
}

/** A button that exports the selected rows as CSV. */
export function SelectedExport<Row extends RaRecord>({ columns }: { columns: Columns<Row> }) {
  const { resource } = useListContext<Row>();
  const rows = useSelected<Row>();
  const t = useText();
  const { head, linesOf } = useLines(columns);
  return (
    <Button size="small" startIcon={<DownloadIcon />} onClick={() => save([head, linesOf(rows)], resource)}>
      {t('csv.selected')}
    </Button>
  );
}

/** A button that exports all rows of the filtered list as CSV. */
export function Export<Row extends RaRecord>({ columns }: { columns: Columns<Row> }) {
  const collect = useCollect(columns);
  const [progress, setProgress] = useState<Progress>();
  const abort = useRef<AbortController>(undefined);
  useUnsaved(() => progress !== undefined);
  const notify = useNotify();
  const translate = useTranslate();
  const t = useText();
  async function run(): Promise<void> {
    const { signal } = (abort.current = new AbortController());
    setProgress({ count: 0, total: 0 });
    try {
      const count = await collect(setProgress, signal);
      notify('csv.done', { type: 'success', messageArgs: { smart_count: count } });
    } catch (error) {
      if (!signal.aborted) notify(error instanceof Error ? error.message : 'states.failed', { type: 'error' });
    } finally {
      setProgress(undefined);
    }
  }
  const { count = 0, total = 0 } = progress ?? {};
  return (
    <>
      <Button size="small" startIcon={<DownloadIcon />} onClick={() => void run()}>
        {t('csv.button')}
      </Button>
      <Dialog open={progress !== undefined} fullWidth maxWidth="xs" aria-labelledby="csv-title">
        <DialogTitle id="csv-title">{t('csv.title')}</DialogTitle>
        <DialogContent>
          <LinearProgress
            aria-labelledby="csv-title"
            variant={total > 0 ? 'determinate' : 'indeterminate'}
            value={total > 0 ? Math.min(100, (count / total) * 100) : undefined}
          />
          <Typography sx={{ marginTop: 1 }}>{t('csv.progress', { count, total })}</Typography>
        </DialogContent>
        <DialogActions>
          <Button onClick={() => abort.current?.abort()}>{translate('ra.action.cancel')}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
