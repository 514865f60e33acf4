import Alert from '@mui/material/Alert';
import Button, { type ButtonProps } from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useEffect, useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { useDataProvider, useNotify, useRefresh, useTranslate } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
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
  button?: ButtonProps;
  /** False: there is no button, but a dialog that is open stays. */
  isOffered?: boolean;
}

/**
 * A button whose deed is confirmed in a dialog, and done once. What is confirmed is what stood there when the button was
 * pressed, whatever has been loaded meanwhile.
 */
export function Action(props: ActionProps) {
  const { label, button, isOffered = true } = props;
  const [asked, setAsked] = useState(props);
  const [isOpen, setOpen] = useState(false);
  const ask = () => {
    setAsked(props);
    setOpen(true);
  };
  return (
    // In a row that leads somewhere: a click here leads nowhere.
    <span style={{ display: 'contents' }} onClick={(event) => event.stopPropagation()}>
      {isOffered && (
        <Button size="small" variant="outlined" sx={{ whiteSpace: 'nowrap' }} {...button} onClick={ask}>
          {label}
        </Button>
      )}
      <Confirmation {...asked} isOpen={isOpen} close={() => setOpen(false)} />
    </span>
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
  useEffect(() => {
    if (isOpen) isAnswered.current = false;
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
    <Dialog open={isOpen} onClose={leave} fullWidth maxWidth="xs" aria-labelledby={id}>
      <form onSubmit={answer} noValidate>
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
