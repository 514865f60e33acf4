import DialogContentText from '@mui/material/DialogContentText';
import { useText } from '../i18n/i18n.ts';
import { Actions, type ActionProps } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import type { Person } from './person.ts';
import { usePersonActionWords } from './words.ts';
import { useRights } from '../shared/queries/rights.ts';
import { useRow } from '../shared/record/row.ts';

type Change = 'ban' | 'unban' | 'verify' | 'unverify';

const EFFECTS: Record<Change, { status?: Person['status']; verified?: boolean }> = {
  ban: { status: 'banned' },
  unban: { status: 'active' },
  verify: { verified: true },
  unverify: { verified: false },
};

interface PersonActionsProps {
  /** The changes to offer, if possible in the person's state. */
  of?: readonly Change[];
  /** The initial value of the reason field. */
  reason?: string;
}

/** Buttons to verify or ban a person, and to undo either. Nothing without the right. */
export function PersonActions({
  of = ['verify', 'unverify', 'ban', 'unban'],
  reason: givenReason,
}: PersonActionsProps) {
  const person = useRow<Person>();
  const t = useText();
  const wordOf = usePersonActionWords();
  const { canDo } = useRights();
  const isTeacher = person.platform === 'teacher';
  const offered: Record<Change, boolean> = {
    verify: isTeacher && person.verified === '0',
    unverify: isTeacher && person.verified === '1',
    ban: person.status === 'active',
    unban: person.status === 'banned',
  };
  const changes = of.filter((change) => offered[change] && canDo('people', 'update'));
  const actions = changes.map((change): ActionProps => {
    const text = (part: 'label' | 'title' | 'meaning' | 'done') => wordOf(change, part, person.name);
    return {
      label: text('label'),
      title: text('title'),
      done: text('done'),
      button: { color: change === 'ban' ? 'error' : 'primary' },
      run: (provider, { reason }) =>
        provider.update('people', { id: person.id, data: { ...EFFECTS[change], reason }, previousData: person }),
      children: (
        <>
          <DialogContentText>{text('meaning')}</DialogContentText>
          {EFFECTS[change].status !== undefined && (
            <Field
              name="reason"
              label={t('resources.people.reason')}
              hint={t('resources.people.reasonHint')}
              defaultValue={givenReason}
              multiline
              minRows={2}
            />
          )}
        </>
      ),
    };
  });
  return <Actions of={actions} />;
}
