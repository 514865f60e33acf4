import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { visuallyHidden } from '@mui/utils';
import { useId, useState, type KeyboardEvent } from 'react';
import { useDataProvider, useLocale, useNotify } from 'ra-core';
import { idOf } from '../data/binding.ts';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { isComposing } from '../shared/forms/composing.ts';
import { useSavedReplies, type SavedReply } from './saved-replies.tsx';
import { askedFor, offered } from './shortcut.ts';

interface PickerOptions {
  /** Undefined for a room without a case: nothing is offered. */
  caseId: number | undefined;
  text: string;
  write: (text: string) => void;
}

/** Saved replies for a text that ends with `/` and the start of a shortcut. */
export function useReplyPicker({ caseId, text, write }: PickerOptions) {
  const provider = useDataProvider<ServerProvider>();
  const notify = useNotify();
  const { data: all = [] } = useSavedReplies();
  const [active, setActive] = useState(0);
  /** The text for which the list was closed with Escape. */
  const [dismissed, setDismissed] = useState<string>();
  const [isFilling, setFilling] = useState(false);
  const listId = useId();
  const asked = askedFor(text);
  const found = caseId === undefined || asked === undefined || dismissed === text ? [] : offered(all, asked.shortcut);
  const index = Math.min(active, found.length - 1);

  async function choose({ id }: SavedReply): Promise<void> {
    if (caseId === undefined || isFilling) return;
    setFilling(true);
    try {
      const body = { case_id: caseId };
      const filled = await provider.request((client) =>
        client.POST('/api/admin/desk/replies/{id}/render', { ...idOf(id), body }),
      );
      write(`${asked?.before ?? ''}${filled.text}`);
      setActive(0);
    } catch (error) {
      notify(error instanceof Error ? error.message : String(error), { type: 'error' });
    } finally {
      setFilling(false);
    }
  }

  /** Returns true for a key that belongs to the list. */
  function onKey(event: KeyboardEvent): boolean {
    const chosen = found[index];
    if (!chosen || isComposing(event.nativeEvent)) return false;
    const steps: Record<string, () => void> = {
      ArrowDown: () => setActive((index + 1) % found.length),
      ArrowUp: () => setActive((index - 1 + found.length) % found.length),
      Enter: () => void choose(chosen),
      Tab: () => void choose(chosen),
      Escape: () => setDismissed(text),
    };
    if (event.shiftKey || event.altKey || event.ctrlKey || !Object.hasOwn(steps, event.key)) return false;
    event.preventDefault();
    steps[event.key]?.();
    return true;
  }
  const optionId = (of: SavedReply) => `${listId}-${of.id}`;
  return { found, index, listId, optionId, choose, onKey, isFilling };
}

type Picker = ReturnType<typeof useReplyPicker>;

/** The attributes of the field that controls the list. */
export const fieldAttributes = ({ found, index, listId, optionId }: Picker) => ({
  'aria-autocomplete': 'list' as const,
  ...(found[index] && { 'aria-controls': listId, 'aria-activedescendant': optionId(found[index]) }),
});

/** The list of saved replies above the field. */
export function PickerList({ found, index, listId, optionId, choose }: Picker) {
  const t = useText();
  const isFrench = useLocale() === 'fr';
  return (
    <>
      <span role="status" style={visuallyHidden}>
        {found.length > 0 && t('resources.support.saved.found', { smart_count: found.length })}
      </span>
      {found.length > 0 && (
        <Paper
          id={listId}
          role="listbox"
          aria-label={t('resources.support.saved.title')}
          variant="outlined"
          sx={{ maxHeight: 220, overflowY: 'auto', marginBottom: 1 }}
        >
          {found.map((reply, position) => (
            <Box
              key={reply.id}
              id={optionId(reply)}
              role="option"
              aria-selected={position === index}
              // The field keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => void choose(reply)}
              sx={{
                paddingX: 1.5,
                paddingY: 0.75,
                cursor: 'pointer',
                backgroundColor: position === index ? 'action.selected' : undefined,
                '&:hover': { backgroundColor: 'action.hover' },
              }}
            >
              <Typography variant="body2" sx={{ fontWeight: 600 }}>
                /{reply.shortcut}
              </Typography>
              <Typography variant="caption" component="p" noWrap dir="auto" color="textSecondary">
                {isFrench ? reply.text_fr : reply.text_en}
              </Typography>
            </Box>
          ))}
        </Paper>
      )}
    </>
  );
}
