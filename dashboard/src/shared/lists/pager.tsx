import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import NextIcon from '@mui/icons-material/ChevronRightOutlined';
import PreviousIcon from '@mui/icons-material/ChevronLeftOutlined';
import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';

interface PagerProps {
  /** From 1 on. */
  page: number;
  perPage: number;
  total: number;
  go: (page: number) => void;
}

/** The arrows between the pages of a table on a page. Nothing for a single page. */
export function Pager({ page, perPage, total, go }: PagerProps) {
  const translate = useTranslate();
  if (total <= perPage && page === 1) return null;
  const [offsetBegin, offsetEnd] = [Math.min((page - 1) * perPage + 1, total), Math.min(page * perPage, total)];
  const arrow = (name: string, to: number, isPossible: boolean, icon: ReactNode) => (
    <IconButton
      size="small"
      aria-label={translate(name)}
      title={translate(name)}
      disabled={!isPossible}
      onClick={() => go(to)}
    >
      {icon}
    </IconButton>
  );
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end', alignItems: 'center', gap: 1, marginTop: 1 }}>
      <Typography variant="body2" role="status">
        {translate('ra.navigation.page_range_info', { offsetBegin, offsetEnd, total })}
      </Typography>
      {arrow('ra.navigation.previous', page - 1, page > 1, <PreviousIcon />)}
      {arrow('ra.navigation.next', page + 1, page * perPage < total, <NextIcon />)}
    </Box>
  );
}
