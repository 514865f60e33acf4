import { exists, requiredRow, row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { depositNotFound } from '../errors.ts';
import type { ProviderEvent } from '../providers/provider.ts';
import { createRecordStore } from '../records/record-store.ts';
import type { Kind } from '../records/record-service.ts';
import { depositSchema, publicDeposit, type DepositRow, type DepositTotals, type PayableDeposit } from './deposit.ts';

const COLUMNS =
  'id, user_id, amount, currency, status, method, ref, details, created_at, updated_at, ' +
  'provider, provider_ref, entries, paid_at, version';

export const depositStore = createRecordStore<DepositRow>('deposit', COLUMNS);

export const depositKind: Kind<DepositRow> = {
  noun: 'deposit',
  notFound: depositNotFound,
  store: depositStore,
  show: publicDeposit,
  schema: depositSchema,
};

/** The payment key of a locked deposit; stores `newKey` if it has none. */
export const ensurePaymentKey = (tx: Tx, id: number, newKey: string) =>
  value<string>(tx, 'update deposit set payment_key = coalesce(payment_key, $2) where id = $1 returning payment_key', [
    id,
    newKey,
  ]);

const PAYABLE = `select ${COLUMNS}, payment_key from deposit where id = $1`;

export const findPayable = (reader: Reader, id: number) => row<PayableDeposit>(reader, PAYABLE, [id]);

/** Locked until `tx` ends. */
export const lockPayable = (tx: Tx, id: number) => row<PayableDeposit>(tx, `${PAYABLE} for no key update`, [id]);

/** Removes a failed deposit that its provider never opened; false for any other deposit. */
export const discardUnopened = (tx: Tx, id: number) => value<boolean>(tx, 'select discard_unopened($1)', [id]);

/** A deposit about which its provider is due to be asked. */
export type DueDeposit = Pick<DepositRow, 'id' | 'provider' | 'provider_ref' | 'paid_at'>;

/**
 * Claims deposits of these providers that are due, the longest due first; other replicas do not get them for
 * `leaseSeconds`.
 */
export const claimDueDeposits = (
  tx: Tx,
  providers: string[],
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
) =>
  rows<DueDeposit>(
    tx,
    `with due as (
       select id from deposit where provider = any($1) and ask_at <= (select app_now())
       order by ask_at limit $2 for no key update skip locked
     )
     update deposit d set ask_at = app_now() + make_interval(secs => $3) from due where d.id = due.id
     returning d.id, d.provider, d.provider_ref, d.paid_at`,
    [providers, limit, leaseSeconds],
  );

/** The age of a deposit in seconds. */
export const ageOf = (tx: Tx, id: number) =>
  value<number>(tx, 'select extract(epoch from app_now() - created_at)::float8 from deposit where id = $1', [id]);

/** Schedules the next request about a deposit, at this age in seconds; null: never again. */
export const setNextAsk = (tx: Tx, id: number, seconds: number | null) =>
  rows(tx, 'update deposit set ask_at = created_at + make_interval(secs => $2::float8) where id = $1', [id, seconds]);

/** Locks deposits that were not paid in time; skips locked ones, and paid ones that an administrator has reopened. */
export const lockUnpaid = (tx: Tx, limit: number) =>
  rows<DepositRow>(
    tx,
    `select ${COLUMNS} from deposit
     where status in ('initiated', 'pending') and paid_at is null
       and created_at < (select app_now()) - interval '24 hours'
     order by created_at limit $1 for no key update skip locked`,
    [limit],
  );

/** Records a provider's event about a deposit; false for a duplicate. */
export const recordWebhook = (
  tx: Tx,
  provider: string,
  event: Pick<ProviderEvent, 'id' | 'type'>,
  depositId: number,
): Promise<boolean> =>
  exists(
    tx,
    `insert into webhook_event (provider, event_id, type, deposit_id) values ($1, $2, $3, $4)
     on conflict do nothing returning event_id`,
    [provider, event.id, event.type, depositId],
  );

/** Assignment that sets the time of the payment unless it is set. */
export const SET_PAID_AT = ['paid_at = coalesce(paid_at, app_now())'];

/** A user's balance, open deposits, and successful deposits of this UTC month. */
export const depositTotals = (reader: Reader, userId: number) =>
  requiredRow<DepositTotals>(
    reader,
    `select coalesce((select balance from account where user_id = $1), 0) as balance,
       coalesce(sum(amount) filter (where status in ('initiated', 'pending')), 0)::bigint as open,
       coalesce(sum(amount) filter (where status = 'success'
         and coalesce(paid_at, created_at) >= date_trunc('month', (select app_now()), 'UTC')), 0)::bigint as month
     from deposit where user_id = $1`,
    [userId],
  );

/** Whether a deposit has a dispute, or a refund that is open or successful. */
export const isClaimed = (reader: Reader, depositId: number) =>
  exists(
    reader,
    `select from dispute where deposit_id = $1
     union all
     select from deposit_refund where deposit_id = $1 and status in ('requested', 'sent', 'success')`,
    [depositId],
  );
