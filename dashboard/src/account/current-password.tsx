import { Field } from '../shared/forms/field.tsx';
import { useWords } from './words.ts';

/** The field of the administrator's own password, which confirms a change of the account. */
export function CurrentPassword({ isRequired = true }: { isRequired?: boolean }) {
  const t = useWords();
  return (
    <Field
      name="current_password"
      type="password"
      label={t('currentPassword')}
      autoComplete="current-password"
      required={isRequired}
    />
  );
}
