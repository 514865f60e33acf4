import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { COLOURS } from '../shared/record/status.tsx';
import { useRow } from '../shared/record/row.ts';
import { Section } from '../shared/record/section.tsx';
import { statesOf, type Batch, type ItemStatus } from './payout.ts';

const colourOf = (status: ItemStatus) => {
  const colour = COLOURS[status] ?? 'default';
  return colour === 'default' ? 'text.disabled' : `${colour}.main`;
};

/** How many payouts of a batch are in each state: a bar, and the same in words. */
export function StateBar() {
  const t = useText();
  const region = useRegion();
  const states = statesOf(useRow<Batch>());
  if (states.length === 0) return null;
  return (
    <Section title={t('resources.payouts.states')}>
      <Box aria-hidden sx={{ display: 'flex', gap: '2px', height: 14, borderRadius: 1, overflow: 'hidden' }}>
        {states.map(([status, count]) => (
          <Box key={status} sx={{ flexGrow: count, flexBasis: 4, bgcolor: colourOf(status) }} />
        ))}
      </Box>
      <Box
        component="ul"
        aria-label={t('resources.payouts.states')}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 20px', listStyle: 'none', margin: '8px 0 0', padding: 0 }}
      >
        {states.map(([status, count]) => (
          <Box component="li" key={status} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Box aria-hidden sx={{ width: 12, height: 12, borderRadius: '3px', bgcolor: colourOf(status) }} />
            <Link
              component={RouterLink}
              to={{ search: `?status=${status}` }}
              variant="body2"
              title={t('resources.payouts.statesHint')}
            >
              {count.toLocaleString(region)} {t(`status.${status}`)}
            </Link>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
