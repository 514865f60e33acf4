import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import NoteIcon from '@mui/icons-material/LockOutlined';
import { alpha, type Theme } from '@mui/material/styles';
import { useText } from '../i18n/i18n.ts';
import { Actions, type ActionProps } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { useRights } from '../shared/queries/rights.ts';
import { Time } from '../shared/time/time.tsx';
import { useMe } from './case-queries.ts';
import type { Note } from './case.ts';

/** The colours of notes, which no message has. */
export const noteColours = ({ palette }: Theme) => ({
  backgroundColor: alpha(palette.warning.main, palette.mode === 'dark' ? 0.16 : 0.12),
});

/** The author may edit a note; the author and super administrators may delete it. */
function useNoteActions({ id, text, author }: Note): ActionProps[] {
  const t = useText();
  const me = useMe();
  const { isSuper } = useRights();
  const params = { path: { note_id: String(id) } };
  const edit: ActionProps = {
    label: t('resources.support.note.edit'),
    title: t('resources.support.note.edit'),
    done: t('states.saved'),
    isRare: true,
    run: (provider, fields) => {
      const body = { text: (fields['text'] ?? '').trim() };
      return provider.request((client) => client.PUT('/api/admin/desk/notes/{note_id}', { params, body }));
    },
    children: (
      <Field
        name="text"
        label={t('resources.support.note.label')}
        defaultValue={text}
        multiline
        minRows={3}
        maxRows={10}
        autoFocus
      />
    ),
  };
  const remove: ActionProps = {
    label: t('resources.support.note.remove'),
    title: t('resources.support.note.remove'),
    done: t('resources.support.note.removed'),
    button: { color: 'error' },
    isRare: true,
    run: (provider) => provider.request((client) => client.DELETE('/api/admin/desk/notes/{note_id}', { params })),
    children: t('resources.support.note.removal'),
  };
  const isMine = author.id === me;
  return [...(isMine ? [edit] : []), ...(isMine || isSuper ? [remove] : [])];
}

/** A note between the messages. */
export function NoteBubble({ note }: { note: Note }) {
  const t = useText();
  const actions = useNoteActions(note);
  return (
    <Box
      role="note"
      aria-label={t('resources.support.note.by', { name: note.author.name })}
      sx={(theme) => ({
        alignSelf: 'stretch',
        display: 'flex',
        alignItems: 'flex-start',
        gap: 1,
        paddingX: 1.5,
        paddingY: 1,
        borderRadius: 2,
        borderInlineStart: 4,
        borderColor: 'warning.main',
        ...noteColours(theme),
      })}
    >
      <NoteIcon fontSize="small" color="warning" />
      <Box sx={{ flexGrow: 1, minWidth: 0 }}>
        <Typography variant="caption" component="p" color="textSecondary">
          <strong>{t('resources.support.note.word')}</strong> · <bdi>{note.author.name}</bdi> ·{' '}
          <Time at={note.created_at} />
        </Typography>
        <Typography variant="body2" dir="auto" sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {note.text}
        </Typography>
      </Box>
      <Actions of={actions} isFolded />
    </Box>
  );
}
