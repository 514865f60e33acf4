import { BookingStatus, type Booking } from '../bookings/booking.tsx';
import { LessonTime } from '../bookings/lesson-time.tsx';
import { useText } from '../i18n/i18n.ts';
import { Stars, Visibility, type Review } from '../reviews/review.tsx';
import { PersonName } from '../shared/record/person-name.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { useRow } from '../shared/record/row.ts';
import { Time } from '../shared/time/time.tsx';
import type { Person } from './person.ts';
import { Related } from './related.tsx';

/** The person's bookings, as student or teacher. Each links to the teacher's week. */
export function Bookings() {
  const t = useText();
  const { platform } = useRow<Person>();
  const other = platform === 'student' ? 'teacher' : 'student';
  const cells = (row: Booking) => [
    <LessonTime of={row} />,
    <RecordLink resource="people" id={row[`${other}_id`]}>
      {row[`${other}_name`]}
    </RecordLink>,
    t(`resources.calls.types.${row.call_type}`),
    <BookingStatus of={row.status} />,
  ];
  return <Related resource="bookings" title="resources.people.sections.bookings" cells={cells} />;
}

/** The reviews by a student, or about a teacher. */
export function Reviews() {
  const { platform } = useRow<Person>();
  const cells = (row: Review) => [
    <Time at={row.created_at} />,
    <Stars rating={row.rating} />,
    platform === 'student' ? (
      <PersonName id={row.teacher_id} />
    ) : (
      <RecordLink resource="people" id={row.student_id}>
        {row.student_name}
      </RecordLink>
    ),
    row.comment === '' ? '–' : row.comment,
    <Visibility hidden={row.hidden} />,
  ];
  return <Related resource="reviews" title="resources.people.sections.reviews" cells={cells} />;
}
