import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import CardContent from '@mui/material/CardContent';
import Typography from '@mui/material/Typography';
import { Fragment, useId, useRef, useState, type ReactNode } from 'react';
import { SubmissionProvider, useSubmission, type Fields } from './submission.ts';
import { useUnsaved } from './unsaved.ts';

interface FormCardProps {
  title: string;
  /** The submit button's text. */
  submit: string;
  run: (fields: Fields) => Promise<unknown>;
  children: ReactNode;
}

/** A card with a form, which shows its own errors. */
export function FormCard({ title, submit: label, run, children }: FormCardProps) {
  const [round, setRound] = useState(0);
  const isBegun = useRef(false);
  useUnsaved(() => isBegun.current);
  const { submit, ...state } = useSubmission(async (fields) => {
    await run(fields);
    // Remounts the fields, so that no password stays in them.
    setRound((before) => before + 1);
    isBegun.current = false;
  });
  const heading = useId();
  return (
    <Card component="section" aria-labelledby={heading}>
      <CardContent component="form" onSubmit={submit} onInput={() => (isBegun.current = true)}>
        <Typography id={heading} variant="h6" component="h2" gutterBottom>
          {title}
        </Typography>
        {state.refusal !== undefined && <Alert severity="error">{state.refusal}</Alert>}
        <SubmissionProvider value={state}>
          <Fragment key={round}>{children}</Fragment>
        </SubmissionProvider>
        <Button type="submit" variant="contained" loading={state.isRunning} sx={{ marginTop: 2 }}>
          {label}
        </Button>
      </CardContent>
    </Card>
  );
}
