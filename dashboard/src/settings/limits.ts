const MAX = 1_000_000_000;

/** The minimum and maximum of each setting. The server enforces them. */
export const LIMITS = {
  commission_percent: [0, 100],
  min_deposit: [0, MAX],
  min_withdrawal: [0, MAX],
  payout_account_hold_hours: [0, 8_760],
  payout_checker_from: [0, MAX],
  require_payout_account: [0, 1],
  max_balance: [0, MAX],
  max_deposits_month: [0, MAX],
  deposit_refunds: [0, 2],
  deposit_refund_days: [0, 36_500],
  recover_debts: [0, 1],
  dispute_blocks: [0, 1],
  call_ring_timeout_seconds: [1, 600],
  max_free_rings: [1, 1_000],
  max_open_requests: [1, 1_000],
  booking_auto_confirm: [0, 1],
  booking_cancel_hours: [0, 720],
  message_max_length: [1, 100_000],
  file_max_mb: [1, 100],
  show_contact_details: [0, 1],
  desk_reopen_hours: [0, 8_760],
  reset_needs_token: [0, 1],
  max_sends_per_day: [0, MAX],
  max_sends_per_network: [0, MAX],
  require_verified_teacher: [0, 1],
  require_student_alive: [0, 1],
  require_admin_totp: [0, 1],
  rating_prior_reviews: [1, 10_000],
} as const satisfies Record<string, readonly [number, number]>;

type Known = keyof typeof LIMITS;

export const isKnown = (name: string): name is Known => Object.hasOwn(LIMITS, name);

/** A setting that is only on (1) or off (0). */
export const isSwitch = (name: string) => isKnown(name) && LIMITS[name][0] === 0 && LIMITS[name][1] === 1;

/** The known settings in groups, in display order. */
export const GROUPS = [
  {
    name: 'money',
    settings: [
      'commission_percent',
      'min_deposit',
      'min_withdrawal',
      'payout_checker_from',
      'require_payout_account',
      'payout_account_hold_hours',
      'max_balance',
      'max_deposits_month',
      'deposit_refunds',
      'deposit_refund_days',
      'recover_debts',
      'dispute_blocks',
    ],
  },
  {
    name: 'calls',
    settings: ['call_ring_timeout_seconds', 'max_free_rings', 'require_verified_teacher', 'require_student_alive'],
  },
  {
    name: 'lessons',
    settings: ['max_open_requests', 'booking_auto_confirm', 'booking_cancel_hours', 'rating_prior_reviews'],
  },
  { name: 'messages', settings: ['message_max_length', 'file_max_mb', 'show_contact_details', 'desk_reopen_hours'] },
  {
    name: 'access',
    settings: ['reset_needs_token', 'max_sends_per_day', 'max_sends_per_network', 'require_admin_totp'],
  },
] as const satisfies { name: string; settings: Known[] }[];
