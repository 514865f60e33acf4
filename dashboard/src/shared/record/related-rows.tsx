import Link from '@mui/material/Link';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useGetList, type RaRecord } from 'ra-core';
import { Link as RouterLink } from 'react-router-dom';
import { useText, type TextName } from '../../i18n/i18n.ts';
import { Failure, Loading } from '../page/states.tsx';
import { useRights } from '../queries/rights.ts';
import { listOf } from './record-link.tsx';
import { Section, SmallTable } from './section.tsx';

/** The number of rows shown. A link leads to the full list. */
const NEWEST = 5;

export interface RelatedRowsProps<Row> {
  resource: string;
  title: TextName;
  filter: Record<string, unknown>;
  cells: (row: Row) => ReactNode[];
}

/** The newest rows of a resource's list with a filter, as a section of a page. Nothing without the right. */
export function RelatedRows<Row extends RaRecord>(props: RelatedRowsProps<Row>) {
  const { canDo } = useRights();
  return canDo(props.resource, 'list') && <NewestRows {...props} />;
}

function NewestRows<Row extends RaRecord>({ resource, title, filter, cells }: RelatedRowsProps<Row>) {
  const t = useText();
  const pagination = { page: 1, perPage: NEWEST };
  const { data: rows, total = 0, isPending, error, refetch } = useGetList<Row>(resource, { pagination, filter });
  const all = total > 0 && (
    <Link component={RouterLink} to={listOf(resource, filter)} variant="body2">
      {t('resources.people.all', { smart_count: total })}
    </Link>
  );
  return (
    <Section title={t(title)} aside={all}>
      {error !== null && <Failure error={error} retry={refetch} />}
      {isPending && <Loading />}
      {rows?.length === 0 && <Typography color="textSecondary">{t('resources.people.none')}</Typography>}
      {rows !== undefined && rows.length > 0 && (
        <SmallTable label={t(title)}>
          <TableBody>
            {rows.map((row) => (
              <TableRow key={row.id}>
                {cells(row).map((cell, index) => (
                  <TableCell key={index} dir="auto">
                    {cell}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </SmallTable>
      )}
    </Section>
  );
}
