import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import NextIcon from '@mui/icons-material/ChevronRightOutlined';
import PreviousIcon from '@mui/icons-material/ChevronLeftOutlined';
import { useGetList, useGetOne } from 'ra-core';
import { Link as RouterLink, useParams, useSearchParams } from 'react-router-dom';
import { useText } from '../i18n/i18n.ts';
import { useRegion } from '../i18n/region.ts';
import { PageTitle } from '../shared/page/page-title.tsx';
import { Failure, Loading } from '../shared/page/states.tsx';
import { listOf, RecordLink } from '../shared/record/record-link.tsx';
import { BookingStatus, weekPath, type Booking } from './booking.tsx';
import { dayAfter, dayOf, daysFrom, mondayOf, noonOf, utcSpanOf } from './week.ts';

/** More than fit into a week, unless many were canceled. */
const MAX_BOOKINGS = 100;

function Lesson({ of }: { of: Booking }) {
  const t = useText();
  const region = useRegion();
  const time = new Intl.DateTimeFormat(region, { timeStyle: 'short' });
  return (
    <Box component="li" sx={{ listStyle: 'none', paddingY: 1, borderTop: 1, borderColor: 'divider' }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {time.formatRange(new Date(of.starts_at), new Date(of.ends_at))}
      </Typography>
      <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        <RecordLink resource="people" id={of.student_id}>
          {of.student_name}
        </RecordLink>
        {' · '}
        {t(`resources.calls.types.${of.call_type}`)}
      </Typography>
      <BookingStatus of={of.status} />
    </Box>
  );
}

function Day({ day, lessons }: { day: string; lessons: Booking[] }) {
  const t = useText();
  const region = useRegion();
  const form = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const name = new Intl.DateTimeFormat(region, form).format(noonOf(day));
  return (
    <Card component="section" aria-label={name} sx={{ padding: 1.5, minWidth: 0 }}>
      <Typography
        variant="subtitle2"
        component="h2"
        color={day === dayOf(new Date()) ? 'primary' : 'textPrimary'}
        sx={{ marginBottom: 1 }}
      >
        {name}
      </Typography>
      {lessons.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('resources.bookings.week.nothing')}
        </Typography>
      ) : (
        <Box component="ul" sx={{ margin: 0, padding: 0 }}>
          {lessons.map((lesson) => (
            <Lesson key={lesson.id} of={lesson} />
          ))}
        </Box>
      )}
    </Card>
  );
}

function Days({ teacherId, monday }: { teacherId: number; monday: string }) {
  const t = useText();
  const { data, total, error, refetch } = useGetList<Booking>('bookings', {
    filter: { user_id: teacherId, ...utcSpanOf(monday) },
    pagination: { page: 1, perPage: MAX_BOOKINGS },
  });
  if (error !== null) return <Failure error={error} retry={refetch} />;
  if (!data || total === undefined) return <Loading />;
  const lessons = data.toSorted((left, right) => left.starts_at.localeCompare(right.starts_at));
  const on = (day: string) => lessons.filter(({ starts_at: at }) => dayOf(new Date(at)) === day);
  return (
    <>
      {total > data.length && (
        <Typography color="textSecondary">
          {t('resources.bookings.week.first', { shown: data.length, total })}
        </Typography>
      )}
      <Box
        sx={{ display: 'grid', gap: 1, gridTemplateColumns: { xs: '1fr', sm: 'repeat(2, 1fr)', lg: 'repeat(7, 1fr)' } }}
      >
        {daysFrom(monday).map((day) => (
          <Day key={day} day={day} lessons={on(day)} />
        ))}
      </Box>
    </>
  );
}

function WeekNavigation({ teacherId, monday }: { teacherId: number; monday: string }) {
  const t = useText();
  const to = (day?: string) => ({ component: RouterLink, to: weekPath(teacherId, day), size: 'small' as const });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <Button {...to(dayAfter(monday, -7))} startIcon={<PreviousIcon />}>
        {t('resources.bookings.week.previous')}
      </Button>
      <Button {...to()}>{t('resources.bookings.week.current')}</Button>
      <Button {...to(dayAfter(monday, 7))} endIcon={<NextIcon />}>
        {t('resources.bookings.week.next')}
      </Button>
    </Box>
  );
}

/** A teacher's lessons of one week. The `day` in the address is any day of the week. */
export function Week() {
  const t = useText();
  const region = useRegion();
  const teacherId = Number(useParams()['id']);
  const monday = mondayOf(useSearchParams()[0].get('day'));
  const { data: teacher, error, refetch } = useGetOne<{ id: number; name: string }>('people', { id: teacherId });
  if (error !== null) return <Failure error={error} retry={refetch} />;
  if (!teacher) return <Loading />;
  const { name } = teacher;
  const title = t('resources.bookings.week.title', { name });
  const span = new Intl.DateTimeFormat(region, { dateStyle: 'medium' });
  return (
    <Box sx={{ marginY: 2, display: 'grid', gap: 2 }}>
      <PageTitle title={title} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', alignItems: 'center', gap: 1 }}>
        <Typography variant="h5" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {span.formatRange(noonOf(monday), noonOf(dayAfter(monday, 6)))}
        </Typography>
        <WeekNavigation teacherId={teacherId} monday={monday} />
      </Box>
      <Days teacherId={teacherId} monday={monday} />
      <Link component={RouterLink} to={listOf('bookings', { user_id: teacherId })}>
        {t('resources.bookings.week.all', { name })}
      </Link>
    </Box>
  );
}
