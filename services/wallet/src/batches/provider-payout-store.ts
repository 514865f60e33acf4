import type { ItemStatus } from '@tutoring/shared/contract/payout';
import { columnsOf, exists, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';

/** A payout that a provider is asked for. */
export interface ProviderItem {
  id: number;
  batch_id: number;
  withdrawal_id: number;
  status: ItemStatus;
  reference: string;
  amount: number;
  method: string | null;
  account: string | null;
  holder_name: string | null;
  provider: string;
  payout_key: string;
  provider_ref: string | null;
  /** Who has settled it by hand. */
  settler_id: number | null;
  /** Seconds since the call that sends it began; null: it has not begun. */
  age: number | null;
}

const COLUMNS = `i.id, i.batch_id, i.withdrawal_id, i.status, i.reference, i.amount, i.method, i.account, i.holder_name,
  i.provider, i.payout_key, i.provider_ref, i.settler_id, extract(epoch from app_now() - i.sending_at)::float8 as age`;

/** Keeps the provider and the key of payouts, which are due at once. */
export const orderPayouts = (tx: Tx, orders: { id: number; provider: string; payout_key: string }[]) =>
  rows(
    tx,
    `update payout_item i set provider = o.provider, payout_key = o.payout_key, ask_at = app_now()
     from unnest($1::bigint[], $2::text[], $3::text[]) as o (id, provider, payout_key) where i.id = o.id`,
    columnsOf(orders, 'id', 'provider', 'payout_key'),
  );

/**
 * Claims payouts at these providers that are due, the longest due first; other replicas do not get them for
 * `leaseSeconds`.
 */
export const claimDuePayouts = (
  tx: Tx,
  providers: string[],
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
) =>
  rows<ProviderItem>(
    tx,
    `with due as (
       select id from payout_item where provider = any($1) and ask_at <= (select app_now())
       order by ask_at limit $2 for no key update skip locked
     )
     update payout_item i set ask_at = app_now() + make_interval(secs => $3) from due where i.id = due.id
     returning ${COLUMNS}`,
    [providers, limit, leaseSeconds],
  );

/**
 * Records that the call which sends a payout begins, and prolongs the lease. False when it has begun before, or the
 * payout has been settled: then it must not be sent.
 */
export const beginSending = (tx: Tx, id: number, leaseSeconds: number): Promise<boolean> =>
  exists(
    tx,
    `update payout_item set sending_at = app_now(), ask_at = app_now() + make_interval(secs => $2)
     where id = $1 and status = 'sent' and sending_at is null returning id`,
    [id, leaseSeconds],
  );

/** Takes back that the sending of a payout has begun: nothing was sent. It is due again when the lease ends. */
export const takeBackSending = (tx: Tx, id: number) =>
  rows(tx, `update payout_item set sending_at = null where id = $1 and status = 'sent'`, [id]);

/** The payout with this key at a provider, else with this reference of the provider, if its sending has begun. */
export const findPayout = (
  reader: Reader,
  provider: string,
  { key = null, ref = null }: { key?: string | null | undefined; ref?: string | null | undefined },
) =>
  row<ProviderItem>(
    reader,
    `select * from (
       select ${COLUMNS}, 1 as place from payout_item i where i.payout_key = $2 and i.provider = $1
       union all
       select ${COLUMNS}, 2 from payout_item i where i.provider_ref = $3 and i.provider = $1
     ) found where age is not null order by place, id desc limit 1`,
    [provider, key, ref],
  );

/**
 * Keeps the provider's reference of a payout, and schedules the next request about it at this age in seconds; null: never
 * again. The time of its last change stays: an uncertain payout gets no younger by it.
 */
export const scheduleAsk = (tx: Tx, id: number, { ref, at }: { ref?: string | undefined; at: number | null }) =>
  rows(
    tx,
    `update payout_item set provider_ref = coalesce(provider_ref, $2),
       ask_at = sending_at + make_interval(secs => $3::float8) where id = $1`,
    [id, ref ?? null, at],
  );

/**
 * Whether a provider may be paying an item: its sending has begun, and it is still asked about. One of a provider that is
 * not among `providers`, so that nobody asks it, is not once the next request is overdue.
 */
export const isUnderWay = (reader: Reader, id: number, providers: string[]): Promise<boolean> =>
  exists(
    reader,
    `select from payout_item where id = $1 and status = 'sent' and sending_at is not null and ask_at is not null
       and (provider = any($2::text[]) or ask_at > app_now())`,
    [id, providers],
  );
