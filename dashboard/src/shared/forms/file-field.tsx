import { useRef } from 'react';
import { Field } from './field.tsx';
import { Refusal } from '../../server/server.ts';

/** The largest file that the server reads. */
const MAX_BYTES = 5 * 1024 * 1024;
const TOO_LARGE = 413;

interface FileFieldProps {
  label: string;
  hint: string;
  /** What the field says without a file, and about a file that is too large. */
  required: string;
  tooLarge: string;
  /** The types to choose from: `.csv,text/csv`. */
  accept: string;
  choose: (file: File | undefined) => void;
}

/** A file of a form, in the field `file`. Too large files are refused here, before they are sent. */
export function FileField({ label, hint, required, tooLarge, accept, choose }: FileFieldProps) {
  const chosen = useRef<File>(undefined);
  const read = () => {
    if (!chosen.current) return { error: required };
    return chosen.current.size > MAX_BYTES ? { error: tooLarge } : { value: '' };
  };
  return (
    <Field
      name="file"
      type="file"
      label={label}
      hint={hint}
      read={read}
      onChange={({ target }) => {
        const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
        chosen.current = file;
        choose(file);
      }}
      slotProps={{ htmlInput: { accept }, inputLabel: { shrink: true, required: false } }}
    />
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
