import type { PersonalData } from '@tutoring/shared/database/personal-data';

/** What calls' tables hold of people. */
export const personalData: PersonalData = {
  call: { personal: true, onDeletion: 'kept: numbers of two ids', exportedAs: 'calls' },
  user_copy: { personal: true, onDeletion: 'loses what the account loses', exportedAs: 'profile' },
  teacher_count: { personal: true, onDeletion: 'kept: numbers of an id', notExported: 'counts the calls' },
  refunds_copy: { personal: true, onDeletion: 'kept: numbers of a call', exportedAs: 'calls' },
  low_balance: {
    personal: true,
    onDeletion: 'kept: times of a call',
    notExported: 'when the student was warned; they were notified',
  },
  block_copy: { personal: true, onDeletion: 'removed, on both sides', notExported: "a copy of messaging's" },

  availability: { personal: true, onDeletion: 'removed', notExported: 'GET api/me/availability shows all of it' },
  review: { personal: true, onDeletion: 'kept, without the name', exportedAs: 'reviews' },
  teacher_rating: { personal: true, onDeletion: 'kept: numbers of an id', notExported: 'counts the reviews' },
  booking_tally: { personal: false, holds: 'numbers of rows' },
  review_tally: { personal: false, holds: 'numbers of rows' },
  booking: { personal: true, onDeletion: 'those to come are canceled, notes go', exportedAs: 'bookings' },

  call_deadline: { personal: false, holds: 'when a job looks at a call' },
  service: { personal: false, holds: 'the catalogue' },
  plan_copy: { personal: false, holds: 'the catalogue' },
  setting_copy: { personal: false, holds: 'settings' },
  room_copy: { personal: false, holds: 'that a room exists' },
  call_tally: { personal: false, holds: 'numbers of rows' },
};
