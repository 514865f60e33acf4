import TextField, { type TextFieldProps } from '@mui/material/TextField';
import type { Read } from './reading.ts';
import { withLabel } from './reading.ts';
import { useShownField, useSubmissionState } from './submission.ts';

export type FieldProps = TextFieldProps & { name: string; label: string; hint?: string; read?: Read };

/** A form field with its error below it. The error calls the field by its label. */
export function Field({ name, hint, read, ...props }: FieldProps) {
  const form = useSubmissionState();
  useShownField(form, name, read);
  const error = form.errors[name];
  return (
    <TextField
      name={name}
      error={error !== undefined}
      helperText={error === undefined ? hint : withLabel(error, props.label)}
      disabled={form.isRunning}
      fullWidth
      margin="normal"
      slotProps={{ htmlInput: { dir: 'auto' }, inputLabel: { required: false } }}
      {...props}
    />
  );
}
