import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { useEffect, useEffectEvent, useId } from 'react';
import { useText, type TextName } from '../i18n/i18n.ts';
import { isComposing } from '../shared/forms/composing.ts';

type Shortcuts = Record<string, () => unknown>;

/** A dialog or menu that is neither closed nor fading out. */
const OPEN_DIALOG = '.MuiModal-root:not(.MuiModal-hidden, [aria-hidden=true])';

const isTyping = ({ target }: KeyboardEvent) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/**
 * Calls the shortcuts of pressed keys, except while a dialog or menu is open. `keys` are for the time when no text is
 * typed; `always` has Escape, and keys with Alt that work also while text is typed.
 */
export function useShortcuts(keys: Shortcuts, always: Shortcuts = {}): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isDialog = document.querySelector(OPEN_DIALOG) !== null;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || isComposing(event) || isDialog) return;
    const shortcuts = new Map(Object.entries(isTyping(event) || event.altKey ? {} : keys));
    const key = event.key.toLowerCase();
    const shortcut = shortcuts.get(key) ?? always[event.altKey ? `alt+${key}` : key];
    if (!shortcut) return;
    event.preventDefault();
    shortcut();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const LINES: [key: string | { text: TextName }, name: TextName][] = [
  ['J', 'resources.support.keys.next'],
  ['K', 'resources.support.keys.previous'],
  [{ text: 'resources.support.keys.altArrows' }, 'resources.support.keys.moveTyping'],
  ['R', 'resources.support.keys.reply'],
  ['N', 'resources.support.keys.note'],
  ['/', 'resources.support.keys.saved'],
  ['A', 'resources.support.keys.assign'],
  ['S', 'resources.support.keys.snooze'],
  ['E', 'resources.support.keys.resolve'],
  [{ text: 'resources.support.keys.escape' }, 'resources.support.keys.close'],
  [{ text: 'resources.support.keys.enter' }, 'resources.support.keys.send'],
  [{ text: 'resources.support.keys.controlEnter' }, 'resources.support.keys.sendAndResolve'],
  [{ text: 'resources.support.keys.shiftEnter' }, 'resources.support.keys.line'],
  ['?', 'resources.support.keys.help'],
];

/** The list of keys. */
export function KeysDialog({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useText();
  const id = useId();
  return (
    <Dialog open={isOpen} onClose={close} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('resources.support.keys.title')}</DialogTitle>
      <DialogContent>
        <Table size="small">
          <TableBody>
            {LINES.map(([key, name]) => (
              <TableRow key={name}>
                <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                  <kbd>{typeof key === 'string' ? key : t(key.text)}</kbd>
                </TableCell>
                <TableCell>{t(name)}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions>
        <Button onClick={close} autoFocus>
          {t('resources.support.saved.close')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
