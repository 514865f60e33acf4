import Alert from '@mui/material/Alert';
import Button, { type ButtonProps } from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useState, type ReactNode } from 'react';
import { useDataProvider, useNotify, useRefresh, useTranslate } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { SubmissionProvider, useSubmission, type Fields } from './submission.ts';

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
}

/** A button whose deed is confirmed in a dialog, and done once. */
export function Action({ label, title, children, run, done, button }: ActionProps) {
  const provider = useDataProvider<ServerProvider>();
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const [isOpen, setOpen] = useState(false);
  const { submit, reset, ...state } = useSubmission(async (fields, key) => {
    try {
      await run(provider, fields, key);
    } finally {
      // After a refusal too: somebody else may have been faster.
      refresh();
    }
    setOpen(false);
    notify(done, { type: 'success' });
  });
  const close = () => {
    if (state.isRunning) return;
    setOpen(false);
    reset();
  };
  return (
    <>
      <Button size="small" variant="outlined" {...button} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Dialog open={isOpen} onClose={close} fullWidth maxWidth="xs" aria-labelledby="action-title">
        <form onSubmit={submit} noValidate>
          <DialogTitle id="action-title">{title}</DialogTitle>
          <DialogContent>
            {state.refusal !== undefined && <Alert severity="error">{state.refusal}</Alert>}
            <SubmissionProvider value={state}>{children}</SubmissionProvider>
          </DialogContent>
          <DialogActions>
            <Button onClick={close} disabled={state.isRunning}>
              {translate('ra.action.cancel')}
            </Button>
            <Button type="submit" variant="contained" loading={state.isRunning} color={button?.color ?? 'primary'}>
              {translate('ra.action.confirm')}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}
