import Chip from '@mui/material/Chip';
import { useGetOne } from 'ra-core';
import { useRights } from '../shared/queries/rights.ts';
import { useText } from '../i18n/i18n.ts';
import type { RowOf } from '../data/bindings.ts';
import { RecordLink } from '../shared/record/record-link.tsx';

export type Review = RowOf<'reviews'>;

const MAX_STARS = 5;

/** A rating as stars, with the number as its accessible name. */
export function Stars({ rating }: { rating: number }) {
  const t = useText();
  return (
    <span
      role="img"
      aria-label={t('resources.reviews.stars', { smart_count: rating })}
      style={{ whiteSpace: 'nowrap' }}
    >
      {'★'.repeat(rating)}
      {'☆'.repeat(MAX_STARS - rating)}
    </span>
  );
}

export function Visibility({ hidden }: { hidden: boolean }) {
  const t = useText();
  return (
    <Chip
      size="small"
      variant="outlined"
      color={hidden ? 'warning' : 'default'}
      label={t(`resources.reviews.visibility.${hidden ? 'true' : 'false'}`)}
    />
  );
}

/** A link to a person by id, which shows the name once it is loaded. */
export function PersonName({ id }: { id: number }) {
  const enabled = useRights().canDo('people', 'get');
  const { data } = useGetOne<{ id: number; name: string }>('people', { id }, { retry: false, enabled });
  return (
    <RecordLink resource="people" id={id}>
      {data?.name ?? `#${id}`}
    </RecordLink>
  );
}
