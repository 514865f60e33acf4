const MAX = 1_000_000_000;

interface Definition {
  value: number;
  min: number;
  max: number;
  description: string;
}

const number = (value: number, min: number, max: number, description: string): Definition => ({
  value,
  min,
  max,
  description,
});

/** A setting that is 1 or 0; 0 by default. */
const flag = (description: string) => number(0, 0, 1, description);

/** Settings that release 1.0 does not have. */
const ADDED_AFTER_1_0 = {
  recover_debts: flag('1: later deposits of a student first pay what is owed because of disputes'),
  dispute_blocks: flag('1: a student with an open dispute or a debt cannot make deposits'),
  deposit_refunds: number(
    0,
    0,
    2,
    'Unspent money of deposits: 0 is not refunded, 1 an administrator decides, 2 is refunded at once',
  ),
  deposit_refund_days: number(
    90,
    0,
    36_500,
    'Until how many days after a deposit it can be refunded; 0: without a limit',
  ),
  max_balance: number(0, 0, MAX, 'Largest balance of a student that a deposit may lead to; 0: without a limit'),
  max_deposits_month: number(
    0,
    0,
    MAX,
    'Largest sum of the deposits of a student in a calendar month (UTC); 0: without a limit',
  ),
  desk_reopen_hours: number(
    72,
    0,
    8_760,
    'A message reopens the last support case if it was resolved less than this many hours ago; 0: never',
  ),
  max_open_requests: number(10, 1, 1_000, 'How many bookings of a student may wait for an answer at once'),
  max_sends_per_network: number(
    100,
    0,
    MAX,
    'Codes by mail that people of one network can ask for in an hour, at most, and a third as many by SMS',
  ),
  payout_account_hold_hours: number(0, 0, 8_760, 'How many hours after its creation a payout account can be used'),
  payout_checker_from: number(0, 0, MAX, 'From this amount on another administrator must approve a payout; 0: never'),
  require_payout_account: flag('1: a withdrawal needs a payout account'),
  require_student_alive: flag('1: no step of a call is charged before the app of the student has called call/alive'),
};

/**
 * Every setting of the system: default, bounds and effect. Identity owns them. The list shows the settings of release
 * 1.0 first: existing apps read one page of 15.
 */
export const SETTINGS = {
  ...ADDED_AFTER_1_0,
  commission_percent: number(0, 0, 100, 'Share of each call charge that the platform keeps, in percent'),
  min_deposit: number(100, 0, MAX, 'Smallest deposit, in the smallest unit of the currency'),
  min_withdrawal: number(1_000, 0, MAX, 'Smallest withdrawal, in the smallest unit of the currency'),
  call_ring_timeout_seconds: number(45, 1, 600, 'How long a call rings before it is missed'),
  max_free_rings: number(10, 1, 1_000, 'How often a student may ring a teacher for nothing within 10 minutes'),
  booking_auto_confirm: flag('1: a booking is confirmed at once, without the teacher'),
  booking_cancel_hours: number(24, 0, 720, 'Until how many hours before its start a booking can be canceled or moved'),
  message_max_length: number(5_000, 1, 100_000, 'Longest message, in characters'),
  file_max_mb: number(25, 1, 100, 'Largest file that can be sent, in MiB'),
  show_contact_details: flag('1: chat partners see phone number, address and city of each other'),
  reset_needs_token: flag('1: a reset needs its reset_token, even from the client that entered the code'),
  max_sends_per_day: number(
    10_000,
    0,
    MAX,
    'Codes that are sent in a day, by mail and SMS to all people together, at most',
  ),
  require_verified_teacher: flag('1: only teachers verified by an administrator are listed and can be called'),
  require_admin_totp: flag('1: an administrator without two-factor authentication can do nothing but set it up'),
  rating_prior_reviews: number(
    10,
    1,
    10_000,
    'In lists by rating each teacher has this many reviews of 4 stars more, so that few do not win',
  ),
};

export type SettingName = keyof typeof SETTINGS;

export const isAddedAfter10 = (name: string): boolean => name in ADDED_AFTER_1_0;

/** Smallest and largest value of a setting. */
export const boundsOf = (name: string): { min: number; max: number } =>
  (SETTINGS as Record<string, Definition>)[name] ?? { min: -MAX, max: MAX };
