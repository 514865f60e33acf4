import { insert, row, rows, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { OwnDeposit, OwnItem, Reconciliation, ReconciliationForm } from './reconciliation.ts';

const COLUMNS = 'id, rows, matched, breaks, created_at';

/** A report with the days and the provider that it is about. */
export type Report = ReconciliationForm & { sha256: string };

export const findReconciliation = (reader: Reader, { sha256, provider, from, to }: Report) =>
  row<Reconciliation>(
    reader,
    `select ${COLUMNS} from reconciliation where sha256 = $1 and provider = $2 and from_day = $3 and to_day = $4`,
    [sha256, provider, from, to],
  );

/** Undefined when the same report was compared meanwhile. */
export const insertReconciliation = (
  tx: Tx,
  { sha256, provider, from: from_day, to: to_day }: Report,
  figures: Pick<Reconciliation, 'rows' | 'matched' | 'breaks'>,
) =>
  insert<Reconciliation>(
    tx,
    'reconciliation',
    { sha256, provider, from_day, to_day, ...figures },
    `on conflict (sha256, provider, from_day, to_day) do nothing returning ${COLUMNS}`,
  );

/** Payouts by their references; of this payment provider also by the key that it got. */
export const itemsNamed = (reader: Reader, { provider }: Report, names: string[]) =>
  rows<OwnItem & { name: string }>(
    reader,
    `select reference as name, reference, amount, status, method from payout_item where reference = any($1::text[])
     union all
     select payout_key, reference, amount, status, method from payout_item
     where payout_key = any($1::text[]) and provider = $2`,
    [names, provider],
  );

/** Payouts in files, by these methods, that were paid on these UTC days. */
export const itemsPaid = (reader: Reader, { from, to }: Report, methods: string[]) =>
  rows<OwnItem>(
    reader,
    `select reference, amount, status, method from payout_item
     where status = 'paid' and settled_at >= $1::date and settled_at < $2::date + 1
       and provider is null and coalesce(method, '') = any($3::text[]) order by id`,
    [from, to, methods],
  );

/** Payouts through this payment provider that were paid on these UTC days. */
export const itemsPaidBy = (reader: Reader, { provider, from, to }: Report) =>
  rows<OwnItem>(
    reader,
    `select reference, amount, status, method from payout_item
     where status = 'paid' and settled_at >= $1::date and settled_at < $2::date + 1 and provider = $3 order by id`,
    [from, to, provider],
  );

export const depositsNamed = (reader: Reader, provider: string, refs: string[]) =>
  rows<OwnDeposit>(
    reader,
    'select id, provider_ref, amount, status from deposit where provider = $1 and provider_ref = any($2::text[])',
    [provider, refs],
  );

/** Deposits through this provider that were paid on these UTC days. */
export const depositsPaid = (reader: Reader, { provider, from, to }: Report) =>
  rows<OwnDeposit>(
    reader,
    `select id, provider_ref, amount, status from deposit
     where provider = $1 and status = 'success' and provider_ref is not null
       and created_at >= $2::date - 7 and created_at < $3::date + 1
       and coalesce(paid_at, created_at) >= $2::date and coalesce(paid_at, created_at) < $3::date + 1 order by id`,
    [provider, from, to],
  );
