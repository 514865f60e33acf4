import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import SearchIcon from '@mui/icons-material/SearchOutlined';
import { useEffect, useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { fetched } from '../shared/page/fetched.tsx';

const SearchField = fetched('search', async () => ({ default: (await import('./search-field.tsx')).SearchField }));

/** Ctrl+K or the button opens one search of all lists. */
export function Search() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
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
        <Dialog open onClose={close} fullWidth maxWidth="sm">
          <DialogTitle>{t('search.open')}</DialogTitle>
          {/* What is found stands in the dialog, below the field. */}
          <DialogContent sx={{ minHeight: 480 }}>
            <SearchField close={close} />
          </DialogContent>
        </Dialog>
      )}
    </>
  );
}
