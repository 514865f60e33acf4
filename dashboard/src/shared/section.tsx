import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Table from '@mui/material/Table';
import TableContainer from '@mui/material/TableContainer';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A titled part of a page. `aside` stands at the right of its title. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" sx={{ padding: 2, marginTop: 2 }}>
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'center', marginBottom: 1, gap: 1 }}>
        <Typography variant="h6" component="h2">
          {title}
        </Typography>
        {aside}
      </Box>
      {children}
    </Card>
  );
}

/** A small table, which moves within a narrow window, by the keyboard too. */
export const SmallTable = ({ label, children }: { label: string; children: ReactNode }) => (
  <TableContainer tabIndex={0} role="region" aria-label={label}>
    <Table size="small">{children}</Table>
  </TableContainer>
);
