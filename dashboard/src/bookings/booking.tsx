import Chip, { type ChipProps } from '@mui/material/Chip';
import type { RowOf } from '../data/bindings.ts';
import { useText } from '../i18n/i18n.ts';

export type Booking = RowOf<'bookings'>;
type StatusName = Booking['status'];

export const BOOKING_STATUSES = [
  'requested',
  'confirmed',
  'declined',
  'canceled',
  'missed',
  'done',
] as const satisfies StatusName[];

const COLOURS: Partial<Record<StatusName, ChipProps['color']>> = {
  requested: 'info',
  confirmed: 'success',
  missed: 'warning',
};

export function BookingStatus({ of }: { of: StatusName }) {
  const t = useText();
  const label = t(`resources.bookings.statuses.${of}`);
  return <Chip size="small" variant="outlined" color={COLOURS[of] ?? 'default'} label={label} />;
}

/** The address of a teacher's week: the week of a day, or else the current one. */
export const weekPath = (teacherId: number, day?: string) =>
  `/bookings/${teacherId}/week${day === undefined ? '' : `?day=${day}`}`;
