import IconButton from '@mui/material/IconButton';
import SearchIcon from '@mui/icons-material/SearchOutlined';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useText } from '../i18n/i18n.ts';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

/** Ctrl+K or the button opens one search of all lists. */
export function Search() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <IconButton color="inherit" aria-label={t('search.open')} title={t('search.open')} onClick={() => setOpen(true)}>
        <SearchIcon />
      </IconButton>
      {isOpen && (
        <Suspense>
          <SearchDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
