import Alert from '@mui/material/Alert';
import Button, { type ButtonProps } from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import MoreIcon from '@mui/icons-material/MoreVertOutlined';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useDataProvider, useNotify, useRefresh, useTranslate } from 'ra-core';
import type { ServerProvider } from '../../data-provider.ts';
import { useText } from '../../i18n/i18n.ts';
import { SubmissionProvider, useSubmission, type Fields } from './submission.ts';
import { useUnsaved } from './unsaved.ts';

export interface ActionProps {
  /** The button's text: "Claim". */
  label: string;
  /** The dialog's title: "Claim the withdrawal of 5,000 F CFA by Kossi Mensah?" */
  title: string;
  /** The dialog's explanation and `Field`s. */
  children?: ReactNode;
  /** Performs the action. If it throws, the error is shown in the dialog, which stays open. */
  run: (provider: ServerProvider, fields: Fields, key: string) => Promise<unknown>;
  /** The notification after success. */
  done: string;
  button?: ButtonProps | undefined;
  /** With `isFolded`, puts the action into the menu even if it is the only one. */
  isRare?: boolean | undefined;
}

interface ActionsProps {
  /** The actions offered now. An open dialog stays open when its action is no longer offered. */
  of: ActionProps[];
  /** Shows only the first action as a button, unless it is rare; the others are in a menu beside it. */
  isFolded?: boolean;
}

/**
 * The dialog of a chosen action. It keeps the action as it was when the button was pressed, even if newer data has been
 * loaded since.
 */
export function useConfirmation() {
  const [chosen, setChosen] = useState<ActionProps & { round: number }>();
  const [isOpen, setOpen] = useState(false);
  const choose = (action: ActionProps) => {
    setChosen((before) => ({ ...action, round: (before?.round ?? 0) + 1 }));
    setOpen(true);
  };
  const dialog = chosen && <Confirmation key={chosen.round} {...chosen} isOpen={isOpen} close={() => setOpen(false)} />;
  return { choose, dialog };
}

/** Buttons for actions that are confirmed in a dialog and performed once. */
export function Actions({ of, isFolded = false }: ActionsProps) {
  const { choose, dialog } = useConfirmation();
  return (
    // Inside a clickable row, a click here must not trigger the row.
    <span style={{ display: 'contents' }} onClick={(event) => event.stopPropagation()}>
      <ActionButtons of={of} isFolded={isFolded} choose={choose} />
      {dialog}
    </span>
  );
}

/** The buttons without the dialog, for rows that may be gone before it is closed. */
export function ActionButtons({
  of,
  isFolded = false,
  choose,
}: ActionsProps & { choose: (action: ActionProps) => void }) {
  const buttons = isFolded ? of.slice(0, 1).filter(({ isRare }) => isRare !== true) : of;
  const folded = of.slice(buttons.length);
  return (
    <>
      {buttons.map((action) => (
        <Button
          key={action.label}
          size="small"
          variant="outlined"
          sx={{ whiteSpace: 'nowrap' }}
          {...action.button}
          onClick={() => choose(action)}
        >
          {action.label}
        </Button>
      ))}
      {folded.length > 0 && <MoreMenu of={folded} choose={choose} />}
    </>
  );
}

export const Action = (action: ActionProps) => <Actions of={[action]} />;

function MoreMenu({ of, choose }: { of: ActionProps[]; choose: (action: ActionProps) => void }) {
  const t = useText();
  const [anchor, setAnchor] = useState<HTMLElement>();
  return (
    <>
      <IconButton
        size="small"
        aria-label={t('decision.more')}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreIcon fontSize="small" />
      </IconButton>
      <Menu
        open={anchor !== undefined}
        anchorEl={anchor}
        onClose={() => setAnchor(undefined)}
        // The menu is rendered outside the page's landmarks, so it needs its own.
        slotProps={{ paper: { role: 'region', 'aria-label': t('decision.more') } }}
      >
        {of.map((action) => (
          <MenuItem
            key={action.label}
            onClick={() => {
              setAnchor(undefined);
              choose(action);
            }}
          >
            {action.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** The dialog of an action, for a component that opens it in another way than by the action's button. */
export function Confirmation({
  title,
  children,
  run,
  done,
  button,
  isOpen,
  close,
}: Omit<ActionProps, 'label'> & { isOpen: boolean; close: () => void }) {
  const provider = useDataProvider<ServerProvider>();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const id = useId();
  /** Ignores clicks while the dialog fades out, because a second submit would get a new idempotency key. */
  const isAnswered = useRef(false);
  const isTyped = useRef(false);
  useEffect(() => {
    if (!isOpen) return;
    isAnswered.current = false;
    isTyped.current = false;
  }, [isOpen]);
  useUnsaved(() => isOpen);
  const { submit, reset, ...state } = useSubmission(async (fields, key) => {
    await run(provider, fields, key);
    isAnswered.current = true;
    refresh();
    close();
    notify(done, { type: 'success' });
  });
  const cancel = () => {
    if (state.isRunning) return;
    isAnswered.current = true;
    // The action may have failed because someone else was faster: show the current data.
    if (state.refusal !== undefined) refresh();
    close();
    reset();
  };
  const submitOnce = (event: FormEvent<HTMLFormElement>) =>
    isAnswered.current ? event.preventDefault() : submit(event);
  return (
    <Dialog
      open={isOpen}
      // A click outside the dialog must not discard typed text.
      onClose={(_event, reason) => (reason === 'backdropClick' && isTyped.current ? undefined : cancel())}
      fullWidth
      maxWidth="xs"
      aria-labelledby={id}
    >
      <form onSubmit={submitOnce} onInput={() => (isTyped.current = true)} noValidate>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          {state.refusal !== undefined && <Alert severity="error">{state.refusal}</Alert>}
          <SubmissionProvider value={state}>{children}</SubmissionProvider>
        </DialogContent>
        <DialogActions>
          <Button onClick={cancel} disabled={state.isRunning}>
            {translate('ra.action.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={state.isRunning} color={button?.color ?? 'primary'}>
            {translate('ra.action.confirm')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
