import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router-dom';
import { Time } from '../shared/time/time.tsx';
import { weekPath, type Booking } from './booking.tsx';
import { dayOf } from './week.ts';

/** The start of a lesson, as a link to the teacher's week. */
export const LessonTime = ({ of }: { of: Booking }) => (
  <Link component={RouterLink} to={weekPath(of.teacher_id, dayOf(new Date(of.starts_at)))}>
    <Time at={of.starts_at} />
  </Link>
);
