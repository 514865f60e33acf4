import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import type { ServerProvider } from '../data-provider.ts';
import { useText } from '../i18n/i18n.ts';
import { Action } from '../shared/forms/action.tsx';
import { Field } from '../shared/forms/field.tsx';
import type { Fields } from '../shared/forms/submission.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { Section } from '../shared/record/section.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { Time } from '../shared/time/time.tsx';
import type { Person } from './person.ts';
import { useRow } from '../shared/record/row.ts';

/** Begins a case with a message. The server refuses while a case of the person is open or snoozed. */
function Begin({ id, name }: { id: number; name: string }) {
  const t = useText();
  const { can } = useRights();
  if (!can('POST /api/admin/desk/cases')) return null;
  const begin = (provider: ServerProvider, fields: Fields, key: string) =>
    provider.request((client) =>
      client.POST('/api/admin/desk/cases', {
        params: { header: { 'Idempotency-Key': key } },
        body: { user_id: id, message: (fields['message'] ?? '').trim() },
      }),
    );
  return (
    <Box sx={{ marginTop: 1 }}>
      <Action
        label={t('resources.support.begin.button')}
        title={t('resources.support.begin.title', { name })}
        done={t('resources.support.begin.done')}
        run={begin}
      >
        <Field name="message" label={t('resources.support.begin.message')} multiline minRows={3} autoFocus />
      </Action>
    </Box>
  );
}

/** The person's support room, if there is one. Nothing without the right. */
export function SupportRoom() {
  const { id, name } = useRow<Person>();
  const t = useText();
  const { data, isPending, error, refetch } = useApiQuery(['support', 'of', id], (client) =>
    client.GET('/api/admin/rooms', { params: { query: { user_id: id } } }),
  );
  const { can } = useRights();
  const room = data?.[0];
  if (!can('GET /api/admin/rooms')) return null;
  const open = room && (
    <Link component={RouterLink} to={`/support/${room.uuid}/show`} variant="body2">
      {t('resources.people.support.open')}
    </Link>
  );
  const last = room?.last_message;
  return (
    <Section title={t('resources.people.sections.support')} aside={open}>
      {error !== null && <Failure error={error} retry={refetch} />}
      {isPending && <Loading />}
      {data && !room && <Typography color="textSecondary">{t('resources.people.support.none')}</Typography>}
      {room && !last && <Typography color="textSecondary">{t('resources.people.support.empty')}</Typography>}
      {last && (
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          <bdi>{last.message}</bdi> <Time at={last.created_at} />
        </Typography>
      )}
      <Begin id={id} name={name} />
    </Section>
  );
}
