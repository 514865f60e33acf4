import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

/** A titled section of a page. `aside` is shown to the right of the title. */
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

/** On a phone the cells of a row wrap, and each is preceded by the label in its `data-name`. */
const FOLDED = {
  '& thead': { display: 'none' },
  '& tr': { display: 'flex', flexWrap: 'wrap', gap: '4px 16px', paddingY: 1, borderBottom: 1, borderColor: 'divider' },
  '& td': { border: 0, padding: 0, overflowWrap: 'anywhere' },
  '& td[data-name]::before': { content: 'attr(data-name) " "', color: 'text.secondary' },
};

/** A small table. If it is wider than the window it scrolls, also by keyboard. */
export const SmallTable = ({ label, children }: { label: string; children: ReactNode }) => (
  <TableContainer
    tabIndex={0}
    role="region"
    aria-label={label}
    sx={(theme) => ({ [theme.breakpoints.down('md')]: FOLDED })}
  >
    <Table size="small">{children}</Table>
  </TableContainer>
);

interface HeadedTableProps {
  label: string;
  heads: string[];
  rows: ReactNode[][];
}

/** A small table with column heads, which label the values on a phone. */
export const HeadedTable = ({ label, heads, rows }: HeadedTableProps) => (
  <SmallTable label={label}>
    <TableHead>
      <TableRow>
        {heads.map((head) => (
          <TableCell key={head}>{head}</TableCell>
        ))}
      </TableRow>
    </TableHead>
    <TableBody>
      {rows.map((cells, row) => (
        <TableRow key={row}>
          {cells.map((cell, column) => (
            <TableCell key={column} dir="auto" data-name={heads[column]}>
              {cell}
            </TableCell>
          ))}
        </TableRow>
      ))}
    </TableBody>
  </SmallTable>
);
