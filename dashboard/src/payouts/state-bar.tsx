import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { useRow } from '../shared/record/row.ts';
import { Section } from '../shared/record/section.tsx';
import { statesOf, type Batch, type ItemStatus } from './payout.ts';
import { usePayoutText } from './words.ts';

const COLOURS: Record<ItemStatus, string> = {
  uncertain: 'warning.main',
  waiting: 'info.light',
  sent: 'info.main',
  paid: 'success.main',
  failed: 'error.main',
  returned: 'error.light',
  removed: 'text.disabled',
};

/** How many payouts of a batch are in each state: a bar, and the same in words. */
export function StateBar() {
  const t = useText();
  const word = usePayoutText();
  const region = useRegion();
  const states = statesOf(useRow<Batch>());
  if (states.length === 0) return null;
  return (
    <Section title={word('states')}>
      <Box aria-hidden sx={{ display: 'flex', gap: '2px', height: 14, borderRadius: 1, overflow: 'hidden' }}>
        {states.map(([status, count]) => (
          <Box key={status} sx={{ flexGrow: count, flexBasis: 4, bgcolor: COLOURS[status] }} />
        ))}
      </Box>
      <Box
        component="ul"
        aria-label={word('states')}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 20px', listStyle: 'none', margin: '8px 0 0', padding: 0 }}
      >
        {states.map(([status, count]) => (
          <Box component="li" key={status} sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            <Box aria-hidden sx={{ width: 12, height: 12, borderRadius: '3px', bgcolor: COLOURS[status] }} />
            <Link
              component={RouterLink}
              to={{ search: `?status=${status}` }}
              variant="body2"
              title={word('statesHint')}
            >
              {word('counted', { number: count.toLocaleString(region), name: t(`status.${status}`) })}
            </Link>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
