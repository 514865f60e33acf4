import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { components } from '@tutoring/client/schema';
import { idOf } from '../data/binding.ts';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Action, Actions, type ActionProps } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import type { Fields } from '../shared/forms/submission.ts';
import { Failure, Loading } from '../shared/page/states.tsx';
import { useApiQuery } from '../shared/queries/api-query.ts';

export type SavedReply = components['schemas']['MessagingSavedReply'];

/** The fields that the server fills in. */
const FIELDS = '{{user.name}} {{user.first_name}} {{agent.name}} {{case.id}}';

export const useSavedReplies = () =>
  useApiQuery(['support', 'replies'], (client) => client.GET('/api/admin/desk/replies'));

/** The texts of a submitted form as the body of a request. */
const bodyOf = ({ shortcut = '', text_en = '', text_fr = '' }: Fields) => ({
  shortcut: shortcut.trim(),
  text_en,
  text_fr,
});

function Inputs({ of }: { of?: SavedReply }) {
  const t = useText();
  const hint = t('resources.support.saved.textHint', { fields: FIELDS });
  const text = { hint, multiline: true, minRows: 3, maxRows: 10 };
  return (
    <>
      <Field
        name="shortcut"
        label={t('resources.support.saved.shortcut')}
        hint={t('resources.support.saved.shortcutHint')}
        defaultValue={of?.shortcut}
        autoComplete="off"
        autoFocus
      />
      <Field name="text_en" label={t('resources.support.saved.english')} defaultValue={of?.text_en} {...text} />
      <Field name="text_fr" label={t('resources.support.saved.french')} defaultValue={of?.text_fr} {...text} />
    </>
  );
}

function Row({ of }: { of: SavedReply }) {
  const t = useText();
  const { id, shortcut } = of;
  const actions: ActionProps[] = [
    {
      label: t('resources.support.saved.edit'),
      title: t('resources.support.saved.editTitle', { shortcut }),
      done: t('states.saved'),
      run: (provider, fields) =>
        provider.request((client) => client.PUT('/api/admin/desk/replies/{id}', { ...idOf(id), body: bodyOf(fields) })),
      children: <Inputs of={of} />,
    },
    {
      label: t('resources.support.saved.remove'),
      title: t('resources.support.saved.removeTitle', { shortcut }),
      done: t('resources.support.saved.removed'),
      run: (provider) => provider.request((client) => client.DELETE('/api/admin/desk/replies/{id}', idOf(id))),
      button: { color: 'error' },
      children: t('resources.support.saved.removal'),
    },
  ];
  return (
    <Box component="li" sx={{ paddingY: 1, borderTop: 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
        <Typography sx={{ flexGrow: 1, fontWeight: 600, overflowWrap: 'anywhere' }}>/{shortcut}</Typography>
        <Actions of={actions} />
      </Box>
      {[of.text_en, of.text_fr].map((text, index) => (
        <Typography key={index} variant="body2" color="textSecondary" noWrap dir="auto">
          {text}
        </Typography>
      ))}
    </Box>
  );
}

function List() {
  const t = useText();
  const { data, error, refetch } = useSavedReplies();
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading />;
  if (data.length === 0) return <Typography color="textSecondary">{t('resources.support.saved.none')}</Typography>;
  return (
    <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {data.map((reply) => (
        <Row key={reply.id} of={reply} />
      ))}
    </Box>
  );
}

/** A dialog with all saved replies, to add, change and delete them. */
export function ManageReplies({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useText();
  const id = useId();
  const add = (provider: ServerProvider, fields: Fields, key: string) =>
    provider.request((client) =>
      client.POST('/api/admin/desk/replies', {
        params: { header: { 'Idempotency-Key': key } },
        body: bodyOf(fields),
      }),
    );
  return (
    <Dialog open={isOpen} onClose={close} aria-labelledby={id} maxWidth="sm" fullWidth>
      <DialogTitle id={id}>{t('resources.support.saved.title')}</DialogTitle>
      <DialogContent>
        <List />
      </DialogContent>
      <DialogActions>
        <Action
          label={t('resources.support.saved.add')}
          title={t('resources.support.saved.add')}
          done={t('states.saved')}
          run={add}
        >
          <Inputs />
        </Action>
        <Button onClick={close}>{t('resources.support.saved.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
