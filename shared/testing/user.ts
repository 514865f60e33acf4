import type { EventData } from '../contract/events.ts';

const CREATED_AT = '2026-01-02T03:04:05.678901Z';

/** A student or teacher, in the format of `user.changed` and `user.read`. */
export const user = (
  id: number,
  platform: 'student' | 'teacher',
  changes: Partial<EventData<'user.changed'>> = {},
): EventData<'user.changed'> => ({
  id,
  platform,
  status: 'active',
  deleted: false,
  name: `${platform === 'student' ? 'Sam' : 'Tara'} ${id}`,
  email: `u${id}@example.com`,
  phone_number: `+2250700000${id}`,
  photo: '',
  address: '1 Main Street',
  city: 'Abidjan',
  country: 'CI',
  about_me: 'about',
  level_study: null,
  subjects_interest: '',
  plan_id: platform === 'teacher' ? 1 : null,
  domains: platform === 'teacher' ? ['Maths', 'Physics'] : [],
  experience: 4,
  availability: '',
  bio: null,
  verified: false,
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
  version: 1,
  ...changes,
});
