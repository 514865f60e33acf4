import IconButton from '@mui/material/IconButton';
import Snackbar from '@mui/material/Snackbar';
import SearchIcon from '@mui/icons-material/SearchOutlined';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useText } from '../i18n/i18n.ts';
import { codeQuery } from '../shared/page/lazy-component.tsx';
import { Failure } from '../shared/page/states.tsx';

const DIALOG = codeQuery('search', async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

/** The search button, and its shortcut Ctrl+K. */
export function Search() {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const { data: dialog, error, refetch } = useQuery({ ...DIALOG, enabled: isOpen });
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
      {isOpen && dialog && <dialog.default close={close} />}
      {isOpen && error && (
        <Snackbar open onClose={close} anchorOrigin={{ vertical: 'top', horizontal: 'center' }}>
          <div>
            <Failure error={error} retry={refetch} />
          </div>
        </Snackbar>
      )}
    </>
  );
}
