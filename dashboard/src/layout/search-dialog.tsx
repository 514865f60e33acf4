import Autocomplete from '@mui/material/Autocomplete';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import ListItemText from '@mui/material/ListItemText';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useDebouncedEvent } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { isComposing } from '../shared/forms/composing.ts';
import { pathOf } from '../shared/record/record-link.tsx';
import { Failure } from '../shared/page/states.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { useHits } from './hits.ts';

/** Delay before a search while the user types. */
const PAUSE_MS = 250;

/** Searches people, calls, money and support cases; choosing a hit opens its page. */
export function SearchDialog({ close }: { close: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const { isMasked } = useRights();
  const isWithContacts = !isMasked('POST /api/admin/usersall', 'data.email');
  const { hits, isPending, error, refetch } = useHits(text);
  const search = useDebouncedEvent((typed: string) => setText(typed.trim()), PAUSE_MS);
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm">
      <DialogTitle>{t('search.open')}</DialogTitle>
      {/* The hits are shown inside the dialog, below the field. */}
      <DialogContent sx={{ minHeight: 480 }}>
        <Autocomplete
          disablePortal
          sx={{ marginTop: 1 }}
          open={text !== '' && error === null}
          options={hits}
          loading={isPending}
          loadingText={t('states.loading')}
          noOptionsText={t('search.nothing')}
          forcePopupIcon={false}
          filterOptions={(found) => found}
          getOptionKey={({ resource, id }) => `${resource} ${id}`}
          getOptionLabel={({ title }) => title}
          renderOption={({ key, ...props }, { title, detail }) => (
            <li key={key} {...props}>
              <ListItemText dir="auto" primary={title} secondary={detail} sx={{ overflowWrap: 'anywhere' }} />
            </li>
          )}
          onKeyDown={(event) => {
            // Escape closes the dialog, not only the list of hits.
            if (event.key === 'Escape' && !isComposing(event.nativeEvent)) event.defaultMuiPrevented = true;
          }}
          renderInput={(params) => (
            <TextField {...params} label={t(isWithContacts ? 'search.label' : 'search.labelMasked')} autoFocus />
          )}
          onInputChange={(_event, typed) => search(typed)}
          onChange={(_event, hit) => {
            if (!hit) return;
            close();
            void navigate(pathOf(hit.resource, hit.id));
          }}
        />
        {error !== null && <Failure error={error} retry={refetch} />}
      </DialogContent>
    </Dialog>
  );
}
