import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useGetList, type RaRecord } from 'ra-core';
import { Link as RouterLink } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { Section } from '../shared/section.tsx';
import { Failure, Loading } from '../shared/states.tsx';
import { Time } from '../shared/time.tsx';
import type { Person } from './person.ts';

interface Room extends RaRecord {
  uuid: string;
  user: { id: number };
  last_message: { message: string; created_at: string } | null;
}

/** The rooms with the latest messages, as many as the server gives at once. */
const LATEST = { page: 1, perPage: 100 };

/** The person's room with the support, when it is one of the latest. */
export function SupportRoom({ person }: { person: Person }) {
  const t = useText();
  const { data, isPending, error, refetch } = useGetList<Room>('support', { pagination: LATEST });
  const room = data?.find(({ user }) => user.id === person.id);
  const open = room && (
    <Link component={RouterLink} to={`/support/${room.uuid}/show`} variant="body2">
      {t('resources.people.support.open')}
    </Link>
  );
  const last = room?.last_message;
  return (
    <Section title={t('resources.people.sections.support')} aside={open}>
      {error !== null && <Failure error={error} again={refetch} />}
      {isPending && <Loading />}
      {data && !room && <Typography color="textSecondary">{t('resources.people.support.none')}</Typography>}
      {room && !last && <Typography color="textSecondary">{t('resources.people.support.empty')}</Typography>}
      {last && (
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          {last.message} <Time at={last.created_at} />
        </Typography>
      )}
    </Section>
  );
}
