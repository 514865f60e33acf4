import DialogContentText from '@mui/material/DialogContentText';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import { useRow } from '../shared/record/row.ts';
import type { Review } from './review.tsx';

/** Hides a visible review, or shows a hidden one. */
export function ChangeVisibility() {
  const review = useRow<Review>();
  const t = useText();
  const change = review.hidden ? 'show' : 'hide';
  return (
    <Action
      label={t(`resources.reviews.${change}.label`)}
      title={t(`resources.reviews.${change}.title`, { name: review.student_name })}
      done={t(`resources.reviews.${change}.done`)}
      button={{ color: review.hidden ? 'primary' : 'error' }}
      run={(provider, { reason }) =>
        provider.update('reviews', {
          id: review.id,
          data: { hidden: !review.hidden, reason },
          previousData: review,
        })
      }
    >
      <DialogContentText>{t(`resources.reviews.${change}.meaning`)}</DialogContentText>
      <Field
        name="reason"
        label={t('resources.people.reason')}
        hint={t('resources.reviews.reasonHint')}
        multiline
        minRows={2}
      />
    </Action>
  );
}
