import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import type { Theme } from '@mui/material/styles';
import { flushSync } from 'react-dom';
import { useText } from '../i18n/i18n.ts';
import type { Case } from './case.ts';
import { nameOf } from './case-list.tsx';
import type { Drafts } from './drafts.ts';
import { useShortcuts } from './keys.tsx';
import { NoteForm } from './note-form.tsx';
import { noteColours } from './note-bubble.tsx';
import { Reply } from './reply.tsx';

/** What the administrator writes: a message to the person, or a note that only the desk sees. */
export type Mode = 'reply' | 'note';

/** The ids of the fields. */
const FIELDS = { reply: 'reply', note: 'note' } as const;

/** A function that moves the cursor to the end of a field, also by keys. */
function useWriting(setMode: (mode: Mode) => void, hasCase: boolean): (mode: Mode) => void {
  const write = (mode: Mode) => {
    // A hidden field cannot get the focus.
    flushSync(() => setMode(mode));
    const field = document.getElementById(FIELDS[mode]);
    field?.focus();
    if (field instanceof HTMLTextAreaElement) field.setSelectionRange(field.value.length, field.value.length);
  };
  useShortcuts({ r: () => write('reply'), n: () => hasCase && write('note') });
  return write;
}

export interface ComposerProps {
  uuid: string;
  user: Case['user'] | { id: number; name: string };
  /** Undefined for a room without a case. */
  of: Case | undefined;
  administrator: string;
  drafts: Drafts;
  mode: Mode;
  setMode: (mode: Mode) => void;
  /** Called when a message or note is shown. */
  sent: () => void;
  typed: () => void;
}

const frame = (isNote: boolean) => (theme: Theme) => ({
  borderTop: isNote ? 3 : 1,
  borderColor: isNote ? 'warning.main' : 'divider',
  padding: 1,
  ...(isNote && noteColours(theme)),
});

/** The forms for a reply and a note. Both stay mounted: a change between them loses nothing and stops no send. */
export function Composer({ uuid, user, of, mode, setMode, sent, typed, ...draft }: ComposerProps) {
  const t = useText();
  const isNote = mode === 'note' && of !== undefined;
  const write = useWriting(setMode, of !== undefined);
  const shown = (is: boolean) => ({ display: is ? 'block' : 'none' });
  return (
    <Box sx={frame(isNote)} onInput={typed}>
      {of && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, marginBottom: 1.5 }}>
          <ToggleButtonGroup
            exclusive
            size="small"
            color={isNote ? 'warning' : 'primary'}
            value={mode}
            aria-label={t('resources.support.compose')}
            // The default has too little contrast on the colour of notes.
            sx={{ '& .MuiToggleButton-root:not(.Mui-selected)': { color: 'text.primary' } }}
            onChange={(_event, next: Mode | null) => next !== null && setMode(next)}
          >
            <ToggleButton value="reply">{t('resources.support.reply')}</ToggleButton>
            <ToggleButton value="note">{t('resources.support.note.word')}</ToggleButton>
          </ToggleButtonGroup>
          <Typography variant="caption" color="textSecondary" sx={{ flexGrow: 1, flexBasis: 160 }}>
            {isNote ? t('resources.support.note.private') : t('resources.support.toPerson', { name: nameOf(user) })}
          </Typography>
        </Box>
      )}
      <Box sx={shown(!isNote)}>
        <Reply
          {...draft}
          uuid={uuid}
          caseId={of?.id}
          canResolve={of !== undefined && of.state !== 'resolved'}
          id={FIELDS.reply}
          focus={() => write('reply')}
          sent={sent}
        />
      </Box>
      {of && (
        <Box sx={shown(isNote)}>
          <NoteForm {...draft} caseId={of.id} id={FIELDS.note} added={sent} />
        </Box>
      )}
    </Box>
  );
}
