import TextField, { type TextFieldProps } from '@mui/material/TextField';
import { useSubmissionState } from './submission.ts';

export type FieldProps = TextFieldProps & { name: string; hint?: string };

/** A field of a form: what the server says about it stands below it. */
export function Field({ name, hint, ...props }: FieldProps) {
  const { errors, isRunning } = useSubmissionState();
  return (
    <TextField
      name={name}
      error={name in errors}
      helperText={errors[name] ?? hint}
      disabled={isRunning}
      fullWidth
      margin="normal"
      slotProps={{ inputLabel: { required: false } }}
      {...props}
    />
  );
}
