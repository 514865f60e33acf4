type Facts = Record<string, unknown> | null;

export interface Change {
  field: string;
  /** Undefined if the field did not exist. */
  before: unknown;
  after: unknown;
}

/** Fields that the entry shows elsewhere, as its subject and time. */
const SHOWN = ['id', 'created_at', 'updated_at'];

/** The changed fields between two states of a record, by name. Null, empty and missing values count as equal. */
export function differences(before: Facts, after: Facts): Change[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .filter((field) => !SHOWN.includes(field))
    .sort();
  const all = fields.map((field) => ({ field, before: before?.[field], after: after?.[field] }));
  const isNothing = (value: unknown) => value === undefined || value === null || value === '';
  return all.filter(
    (change) =>
      JSON.stringify(change.before) !== JSON.stringify(change.after) &&
      !(isNothing(change.before) && isNothing(change.after)),
  );
}

/** The fields that are amounts, and the settings whose value is an amount. */
const AMOUNTS = ['amount', 'charged', 'refunded', 'owed', 'base_cost', 'iterator_cost'];
const MONEY_SETTINGS = ['min_deposit', 'min_withdrawal', 'max_balance', 'max_deposits_month', 'payout_checker_from'];

/** Whether a field of an entry is an amount, in the currency's smallest unit. */
export const isMoney = ({ before, after }: { before: Facts; after: Facts }, field: string): boolean =>
  AMOUNTS.includes(field) || (field === 'value' && MONEY_SETTINGS.includes(String((after ?? before)?.['name'])));

/** The page of an entry's subject (`user:12`); undefined if it has none. */
export function pathOf(subject: string, after: Facts): string | undefined {
  const [kind = '', id = ''] = subject.split(':');
  const records: Record<string, string> = {
    user: 'people',
    deposit: 'deposits',
    withdrawal: 'withdrawals',
    dispute: 'disputes',
    deposit_refund: 'refunds',
    payout_batch: 'payouts',
    report: 'reports',
    call: 'calls',
  };
  const lists: Record<string, string> = {
    admin: 'administrators',
    invitation: 'administrators',
    break: 'breaks',
    reconciliation: 'breaks',
    payout_item: 'payouts',
    setting: 'settings',
    review: 'reviews',
    skill: 'skills',
    plan: 'plans',
    service: 'services',
  };
  if (Object.hasOwn(records, kind)) return `/${records[kind]}/${encodeURIComponent(id)}/show`;
  if (Object.hasOwn(lists, kind)) return `/${lists[kind]}`;
  const room = after?.['room_uuid'];
  return kind === 'support_message' && typeof room === 'string' ? `/support/${room}` : undefined;
}
