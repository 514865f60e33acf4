import { catalogue } from './catalogue.ts';

export const bookings = catalogue(
  {
    name: 'Booking |||| Bookings',
    fields: {
      created_at: 'Booked',
      starts_at: 'Lesson',
      student_name: 'Student',
      teacher_name: 'Teacher',
      call_type: 'Type',
      note: 'Note',
      status: 'Status',
    },
    statuses: {
      requested: 'requested',
      confirmed: 'confirmed',
      declined: 'declined',
      canceled: 'canceled',
      missed: 'missed',
      done: 'completed',
    },
    week: {
      title: 'Lessons of %{name}',
      previous: 'Previous week',
      current: 'This week',
      next: 'Next week',
      nothing: 'No lessons.',
      first: 'Showing %{shown} of %{total} bookings.',
      all: 'All bookings of %{name}',
    },
  },
  {
    name: 'Réservation |||| Réservations',
    fields: {
      created_at: 'Réservé le',
      starts_at: 'Cours',
      student_name: 'Élève',
      teacher_name: 'Enseignant',
      call_type: 'Type',
      note: 'Note',
      status: 'État',
    },
    statuses: {
      requested: 'demandée',
      confirmed: 'confirmée',
      declined: 'refusée',
      canceled: 'annulée',
      missed: 'manquée',
      done: 'effectuée',
    },
    week: {
      title: 'Cours de %{name}',
      previous: 'Semaine précédente',
      current: 'Cette semaine',
      next: 'Semaine suivante',
      nothing: 'Aucun cours.',
      first: 'Réservations affichées\u00a0: %{shown} sur %{total}.',
      all: 'Toutes les réservations de %{name}',
    },
  },
);
