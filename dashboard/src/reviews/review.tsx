import Chip from '@mui/material/Chip';
import { useText } from '../i18n/i18n.ts';
import type { RowOf } from '../data/bindings.ts';

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
