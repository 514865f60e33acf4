import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import TextField from '@mui/material/TextField';
import { useEffect, useEffectEvent, useState, type FormEvent } from 'react';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { useCounts } from './case-queries.ts';
import { SHOWS, type Case, type Choice, type Show } from './case.ts';
import { LabelFilter } from './label-filter.tsx';

/** The id of the search field. */
export const SEARCH = 'desk-search';
const PAUSE_MS = 300;

/** A search field that searches when the administrator pauses. */
function Search({ q, search }: { q: string; search: (q: string) => void }) {
  const t = useText();
  const [text, setText] = useState(q);
  const [shown, setShown] = useState(q);
  // The filters clear the search.
  if (shown !== q) {
    setShown(q);
    if (text.trim() !== q) setText(q);
  }
  const searchNow = useEffectEvent(() => {
    if (text.trim() !== q) search(text.trim());
  });
  useEffect(() => {
    const pausing = setTimeout(() => searchNow(), PAUSE_MS);
    return () => clearTimeout(pausing);
  }, [text]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(text.trim());
  };
  return (
    <form role="search" onSubmit={submit}>
      <TextField
        id={SEARCH}
        type="search"
        size="small"
        fullWidth
        autoComplete="off"
        label={t('resources.support.search')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        slotProps={{ htmlInput: { dir: 'auto' } }}
      />
    </form>
  );
}

interface CaseFiltersProps {
  choice: Choice;
  choose: (choice: Choice) => void;
  /** The listed cases: their labels are offered. */
  cases: Case[];
}

/** The filters with their counts, and the search. */
export function CaseFilters({ choice, choose, cases }: CaseFiltersProps) {
  const t = useText();
  const region = useRegion();
  const { data: counts } = useCounts();
  const label = (show: Show) => {
    const count = show === 'resolved' ? undefined : counts?.[show];
    const name = t(`resources.support.show.${show}`);
    return count === undefined ? name : `${name} ${count.toLocaleString(region)}`;
  };
  return (
    <Box sx={{ padding: 1, borderBottom: 1, borderColor: 'divider', display: 'flex', flexDirection: 'column', gap: 1 }}>
      <Search q={choice.q} search={(q) => choose({ ...choice, q })} />
      <Box
        role="group"
        aria-label={t('resources.support.show.label')}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5 }}
      >
        {SHOWS.map((show) => {
          const isChosen = choice.q === '' && choice.show === show;
          return (
            <Chip
              key={show}
              component="button"
              type="button"
              size="small"
              clickable
              aria-pressed={isChosen}
              color={isChosen ? 'primary' : 'default'}
              variant={isChosen ? 'filled' : 'outlined'}
              label={label(show)}
              onClick={() => choose({ ...choice, show, q: '' })}
            />
          );
        })}
        <LabelFilter label={choice.label} choose={(label) => choose({ ...choice, label })} cases={cases} />
      </Box>
    </Box>
  );
}
