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
  /** On the button: "Claim". */
  label: string;
  /** What is asked: "Claim the withdrawal of 5,000 F CFA by Kossi Mensah?" */
  title: string;
  /** What it means, and the `Field`s that it needs. */
  children?: ReactNode;
  /** Does it. A refusal is shown in the dialog, which stays open. */
  run: (provider: ServerProvider, fields: Fields, key: string) => Promise<unknown>;
  /** What is said when it is done. */
  done: string;
  button?: ButtonProps | undefined;
  /** Folded, it is in the menu even when it is the only one. */
  isRare?: boolean | undefined;
}

interface ActionsProps {
  /** What is offered now. A dialog that is open stays when its action is no longer among them. */
  of: ActionProps[];
  /** Only the first is a button, unless it is rare; the others are in a menu beside it. */
  isFolded?: boolean;
}

/**
 * Buttons whose actions are confirmed in a dialog, and done once. What is confirmed is what stood there when the button
 * was pressed, whatever has been loaded meanwhile.
 */
export function Actions({ of, isFolded = false }: ActionsProps) {
  const [asked, setAsked] = useState<ActionProps>();
  const [isOpen, setOpen] = useState(false);
  const ask = (action: ActionProps) => {
    setAsked(action);
    setOpen(true);
  };
  const buttons = isFolded ? of.slice(0, 1).filter(({ isRare }) => isRare !== true) : of;
  const folded = of.slice(buttons.length);
  return (
    // In a row that leads somewhere: a click here leads nowhere.
    <span style={{ display: 'contents' }} onClick={(event) => event.stopPropagation()}>
      {buttons.map((action) => (
        <Button
          key={action.label}
          size="small"
          variant="outlined"
          sx={{ whiteSpace: 'nowrap' }}
          {...action.button}
          onClick={() => ask(action)}
        >
          {action.label}
        </Button>
      ))}
      {folded.length > 0 && <More of={folded} ask={ask} />}
      {asked && <Confirmation key={asked.label} {...asked} isOpen={isOpen} close={() => setOpen(false)} />}
    </span>
  );
}

export const Action = (action: ActionProps) => <Actions of={[action]} />;

function More({ of, ask }: { of: ActionProps[]; ask: (action: ActionProps) => void }) {
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
        // Outside of the page's landmarks, it is one of its own.
        slotProps={{ paper: { role: 'region', 'aria-label': t('decision.more') } }}
      >
        {of.map((action) => (
          <MenuItem
            key={action.label}
            onClick={() => {
              setAnchor(undefined);
              ask(action);
            }}
          >
            {action.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function Confirmation({
  title,
  children,
  run,
  done,
  button,
  isOpen,
  close,
}: ActionProps & { isOpen: boolean; close: () => void }) {
  const provider = useDataProvider<ServerProvider>();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const id = useId();
  /** The dialog fades out after its answer, and a second click would be another intention. */
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
  const leave = () => {
    if (state.isRunning) return;
    isAnswered.current = true;
    // Somebody else may have been faster: read first, then seen.
    if (state.refusal !== undefined) refresh();
    close();
    reset();
  };
  const answer = (event: FormEvent<HTMLFormElement>) => (isAnswered.current ? event.preventDefault() : submit(event));
  return (
    <Dialog
      open={isOpen}
      // A click beside it does not throw away what has been typed.
      onClose={(_event, reason) => (reason === 'backdropClick' && isTyped.current ? undefined : leave())}
      fullWidth
      maxWidth="xs"
      aria-labelledby={id}
    >
      <form onSubmit={answer} onInput={() => (isTyped.current = true)} noValidate>
        <DialogTitle id={id}>{title}</DialogTitle>
        <DialogContent>
          {state.refusal !== undefined && <Alert severity="error">{state.refusal}</Alert>}
          <SubmissionProvider value={state}>{children}</SubmissionProvider>
        </DialogContent>
        <DialogActions>
          <Button onClick={leave} disabled={state.isRunning}>
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
