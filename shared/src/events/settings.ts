const MAX = 1_000_000_000;

interface Definition {
  value: number;
  min: number;
  max: number;
  description: string;
}

/** Every setting of the system: its value until somebody changes it, its bounds, its effect. Identity owns them. */
export const SETTINGS = {
  commission_percent: {
    value: 0,
    min: 0,
    max: 100,
    description: 'Share of each call charge that the platform keeps, in percent',
  },
  min_deposit: { value: 100, min: 0, max: MAX, description: 'Smallest deposit, in the smallest unit of the currency' },
  min_withdrawal: {
    value: 1_000,
    min: 0,
    max: MAX,
    description: 'Smallest withdrawal, in the smallest unit of the currency',
  },
  call_ring_timeout_seconds: { value: 45, min: 1, max: 600, description: 'How long a call rings before it is missed' },
  max_free_rings: {
    value: 10,
    min: 1,
    max: 1_000,
    description: 'How often a student may ring a teacher for nothing within 10 minutes',
  },
  booking_auto_confirm: {
    value: 0,
    min: 0,
    max: 1,
    description: '1: a booking is confirmed at once, without the teacher',
  },
  booking_cancel_hours: {
    value: 24,
    min: 0,
    max: 720,
    description: 'Until how many hours before its start a booking can be canceled or moved',
  },
  message_max_length: { value: 5_000, min: 1, max: 100_000, description: 'Longest message, in characters' },
  file_max_mb: { value: 25, min: 1, max: 100, description: 'Largest file that can be sent, in MiB' },
  show_contact_details: {
    value: 0,
    min: 0,
    max: 1,
    description: '1: chat partners see phone number, address and city of each other',
  },
  reset_needs_token: {
    value: 0,
    min: 0,
    max: 1,
    description: '1: a reset needs its reset_token, even from the client that entered the code',
  },
  max_sends_per_day: {
    value: 10_000,
    min: 0,
    max: MAX,
    description: 'Codes that are sent in a day, by mail and SMS to all people together, at most',
  },
  require_verified_teacher: {
    value: 0,
    min: 0,
    max: 1,
    description: '1: only teachers verified by an administrator are listed and can be called',
  },
  require_admin_totp: {
    value: 0,
    min: 0,
    max: 1,
    description: '1: an administrator without two-factor authentication can do nothing but set it up',
  },
  rating_prior_reviews: {
    value: 10,
    min: 1,
    max: 10_000,
    description: 'In lists by rating each teacher has this many reviews of 4 stars more, so that few do not win',
  },
} as const satisfies Record<string, Definition>;

export type SettingName = keyof typeof SETTINGS;

/** Smallest and largest value of a setting. */
export const boundsOf = (name: string): { min: number; max: number } =>
  (SETTINGS as Record<string, Definition>)[name] ?? { min: -MAX, max: MAX };
