import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import FileIcon from '@mui/icons-material/AttachFileOutlined';
import { visuallyHidden } from '@mui/utils';
import { useId, useState } from 'react';
import { Refusal } from '../../server/server.ts';
import { useShownField, useSubmissionState } from './submission.ts';

/** The largest file that the server reads. */
const MAX_BYTES = 5 * 1024 * 1024;
const TOO_LARGE = 413;

interface FileFieldProps {
  /** The button's text. */
  label: string;
  hint: string;
  /** What the field says without a file, and about a file that is too large. */
  required: string;
  tooLarge: string;
  /** The types to choose from: `.csv,text/csv`. */
  accept: string;
  choose: (file: File | undefined) => void;
}

/** A file of a form, in the field `file`. Files that are too large are refused here, before they are sent. */
export function FileField({ label, hint, required, tooLarge, accept, choose }: FileFieldProps) {
  const id = useId();
  const form = useSubmissionState();
  const [file, setFile] = useState<File>();
  useShownField(form, 'file', () => {
    if (!file) return { error: required };
    return file.size > MAX_BYTES ? { error: tooLarge } : { value: '' };
  });
  const error = form.errors['file'];
  return (
    <FormControl error={error !== undefined} fullWidth margin="normal">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        {/* The input has the focus: its label shows it. */}
        <Button
          component="label"
          role={undefined}
          tabIndex={-1}
          variant="outlined"
          startIcon={<FileIcon />}
          disabled={form.isRunning}
          sx={{ '&:focus-within': { outline: '2px solid', outlineOffset: '2px' } }}
        >
          {label}
          <input
            type="file"
            name="file"
            accept={accept}
            disabled={form.isRunning}
            aria-invalid={error !== undefined}
            aria-describedby={id}
            style={visuallyHidden}
            // Otherwise the corrected file with the same name would be no change.
            onClick={({ currentTarget }) => (currentTarget.value = '')}
            onChange={({ target }) => {
              setFile(target.files?.[0]);
              choose(target.files?.[0]);
            }}
          />
        </Button>
        <Typography dir="auto" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {file?.name}
        </Typography>
      </Box>
      <FormHelperText id={id}>{error ?? hint}</FormHelperText>
    </FormControl>
  );
}

/** Resolves like `upload`. Shows the refusal of a file that is too large at the field. Throws Refusal. */
export async function atFileField<Answer>(upload: Promise<Answer>): Promise<Answer> {
  try {
    return await upload;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== TOO_LARGE) throw error;
    throw new Refusal(error.message, TOO_LARGE, { file: error.message });
  }
}
