import { exists, insert, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { Cursor } from '../records/record.ts';
import { createMoneyBackList } from '../records/record-store.ts';
import type { DepositRefundRow, DueRefund, RefundStatus } from './deposit-refund.ts';

const COLUMNS =
  'id, deposit_id, user_id, amount, currency, status, ref, details, created_at, updated_at, provider, refund_key, ' +
  'sent_at, ask_at, version';
const SELECT = `select ${COLUMNS} from deposit_refund`;

/** A deposit of which money is wanted back, with what is refunded and disputed of it. */
export interface RefundableDeposit {
  id: number;
  user_id: number;
  amount: number;
  currency: string;
  status: string;
  provider: string;
  provider_ref: string | null;
  refunded: number;
  disputed: number;
  age_days: number;
}

/**
 * Locks a deposit of this user; the sums are those of the moment of the lock. A dispute counts until it is won, a
 * refund while it is open or successful.
 */
export async function lockRefundable(
  tx: Tx,
  depositId: number,
  userId: number,
): Promise<RefundableDeposit | undefined> {
  const locked = await row(tx, 'select from deposit where id = $1 and user_id = $2 for no key update', [
    depositId,
    userId,
  ]);
  if (!locked) return undefined;
  return row<RefundableDeposit>(
    tx,
    `select d.id, d.user_id, d.amount, d.currency, d.status, d.provider, d.provider_ref,
       (extract(epoch from app_now() - coalesce(d.paid_at, d.created_at)) / 86400)::float8 as age_days,
       (select coalesce(sum(r.amount), 0)::bigint from deposit_refund r
        where r.deposit_id = d.id and r.status in ('requested', 'sent', 'success')) as refunded,
       (select coalesce(sum(p.amount), 0)::bigint from dispute p
        where p.deposit_id = d.id and p.status <> 'won') as disputed
     from deposit d where d.id = $1`,
    [depositId],
  );
}

export const insertRefund = async (tx: Tx, fields: Partial<DepositRefundRow>): Promise<DepositRefundRow> =>
  (await insert<DepositRefundRow>(tx, 'deposit_refund', { status: 'requested', ...fields }, `returning ${COLUMNS}`))!;

/** Writes the defined fields and copies the state to the payment. `isSent`: it was sent now, so ask the provider. */
export async function updateRefund(
  tx: Tx,
  id: number,
  change: Partial<Pick<DepositRefundRow, 'status' | 'ref' | 'details'>>,
  { isSent = false }: { isSent?: boolean } = {},
): Promise<DepositRefundRow> {
  const more = isSent ? ['sent_at = app_now()', 'ask_at = app_now()'] : [];
  const changed = await update<DepositRefundRow>(tx, 'deposit_refund', { id, returning: COLUMNS, more }, change);
  await copyToPayment(tx, id);
  return changed;
}

/** Copies the state of a refund to its payment row. */
export const copyToPayment = (tx: Tx, id: number) =>
  rows(
    tx,
    `insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at)
     select 'deposit-refund:' || id, user_id, 'refund', 'out', amount, currency,
       case status when 'requested' then 'initiated' when 'sent' then 'pending' when 'rejected' then 'canceled' else status end,
       ref, details, created_at, updated_at
     from deposit_refund where id = $1
     on conflict on constraint payment_source do update set status = excluded.status, ref = excluded.ref,
       details = excluded.details, updated_at = excluded.updated_at`,
    [id],
  );

export const findOwnRefund = (reader: Reader, id: number, userId: number) =>
  row<DepositRefundRow>(reader, `${SELECT} where id = $1 and user_id = $2`, [id, userId]);

/** The user of a refund, which never changes. */
export const refundOwner = (reader: Reader, id: number) =>
  value<number | undefined>(reader, 'select user_id from deposit_refund where id = $1', [id]);

export const lockRefund = (tx: Tx, id: number) =>
  row<DepositRefundRow>(tx, `${SELECT} where id = $1 for no key update`, [id]);

/** Like `lockRefund`: one that was sent, by the reference that the provider or an administrator has given. */
export const lockRefundByRef = (tx: Tx, depositId: number, ref: string) =>
  row<DepositRefundRow>(
    tx,
    `${SELECT} where deposit_id = $1 and ref = $2 and status in ('sent', 'success') order by id limit 1
     for no key update`,
    [depositId, ref],
  );

/** Like `lockRefund`, by the key at the provider. */
export const lockRefundByKey = (tx: Tx, depositId: number, key: string) =>
  row<DepositRefundRow>(tx, `${SELECT} where deposit_id = $1 and refund_key = $2 for no key update`, [depositId, key]);

export const lockRequested = (tx: Tx, depositId: number) =>
  rows<DepositRefundRow>(tx, `${SELECT} where deposit_id = $1 and status = 'requested' order by id for no key update`, [
    depositId,
  ]);

export const listOwnRefunds = (
  reader: Reader,
  userId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: Cursor,
): Promise<DepositRefundRow[]> =>
  rows(reader, `${SELECT} where user_id = $1 and id < $2 order by id desc limit $3`, [userId, before, limit]);

/** Refunds of a user that are requested or on their way. */
export const countOpenRefunds = (reader: Reader, userId: number) =>
  value<number>(reader, `select count(*) from deposit_refund where user_id = $1 and status in ('requested', 'sent')`, [
    userId,
  ]);

/** Pages of all refunds, newest first. */
export const createRefundList = () =>
  createMoneyBackList<DepositRefundRow>(
    'deposit_refund',
    SELECT,
    `fold(coalesce(t.ref, '') || ' ' || coalesce(t.details, ''))`,
  );

/**
 * Claims refunds at these providers that are due; other replicas do not get them for `leaseSeconds`. `may_make`: sent so
 * recently that the provider still knows the key of an earlier try. `payment_ref`: null for a deposit that the provider
 * did not say was paid.
 */
export const claimDueRefunds = (
  tx: Tx,
  providers: string[],
  { limit, leaseSeconds, keySeconds }: { limit: number; leaseSeconds: number; keySeconds: number },
) =>
  rows<DueRefund>(
    tx,
    `with due as (
       select id from deposit_refund where provider = any($1) and ask_at <= (select app_now())
       order by ask_at limit $2 for no key update skip locked
     )
     update deposit_refund r set ask_at = app_now() + make_interval(secs => $3)
     from due, deposit d where r.id = due.id and d.id = r.deposit_id
     returning r.id, r.deposit_id, r.provider, r.refund_key, r.amount, r.status,
       case when d.paid_at is not null then d.provider_ref end as payment_ref,
       r.sent_at > app_now() - make_interval(secs => $4) as may_make`,
    [providers, limit, leaseSeconds, keySeconds],
  );

/** Seconds since the refund was sent. */
export const refundAge = (tx: Tx, id: number) =>
  value<number>(tx, 'select extract(epoch from app_now() - sent_at)::float8 from deposit_refund where id = $1', [id]);

/** Schedules the next request about a refund, at this age in seconds; null: never again. */
export const setNextRefundAsk = (tx: Tx, id: number, seconds: number | null) =>
  rows(tx, 'update deposit_refund set ask_at = sent_at + make_interval(secs => $2::float8) where id = $1', [
    id,
    seconds,
  ]);

/** Refunds by status. */
export const refundFigures = (reader: Reader) =>
  rows<{ status: RefundStatus; count: number }>(
    reader,
    'select status, sum(rows) as count from deposit_refund_tally group by status',
  );

/** Age in seconds of the oldest refund in this status, 0 without one. */
export const oldestRefund = async (reader: Reader, status: RefundStatus) =>
  (await value<number | null>(
    reader,
    'select extract(epoch from app_now() - min(created_at))::float8 from deposit_refund where status = $1',
    [status],
  )) ?? 0;

/** Erases the texts of a deleted user's refunds, here and in the payments. */
export const eraseReasons = (tx: Tx, userId: number) =>
  rows(
    tx,
    `with erased as (
       update deposit_refund set details = null where user_id = $1 and details is not null returning id
     )
     update payment p set details = null from erased where p.source = 'deposit-refund:' || erased.id and p.user_id = $1`,
    [userId],
  );

/** Whether a dispute, or a refund made at the provider, has this reference. */
export const isRefOfDispute = (tx: Tx, provider: string, ref: string) =>
  exists(tx, 'select from dispute where provider = $1 and provider_ref = $2', [provider, ref]);
