import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useApiQuery } from '../shared/queries/api-query.ts';
import { useRights } from '../shared/queries/rights.ts';
import { Section } from '../shared/record/section.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { Time } from '../shared/time/time.tsx';
import type { Person } from './person.ts';
import { useRow } from '../shared/record/row.ts';

/** The person's support room, if there is one. Nothing without the right. */
export function SupportRoom() {
  const { id } = useRow<Person>();
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
    </Section>
  );
}
