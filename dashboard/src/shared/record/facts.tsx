import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A list of labelled values. A missing value is shown as a dash. */
export function Facts({ of }: { of: [label: string, value: ReactNode][] }) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gap: 2,
        margin: 0,
        gridTemplateColumns: { xs: 'repeat(2, 1fr)', md: 'repeat(auto-fill, minmax(min(190px, 100%), 1fr))' },
      }}
    >
      {of.map(([label, value]) => (
        <Box key={label} sx={{ minWidth: 0 }}>
          <Typography component="dt" variant="caption" color="textSecondary">
            {label}
          </Typography>
          <Typography component="dd" dir="auto" variant="body2" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
            {value === null || value === undefined || value === '' || value === false ? '–' : value}
          </Typography>
        </Box>
      ))}
    </Box>
  );
}
