import { exists, rows, type Tx } from '@tutoring/shared/database/sql';
import { depositNotFound } from '../errors.ts';
import type { ProviderEvent } from '../providers/provider.ts';
import { createRecordStore } from '../records/record-store.ts';
import type { Kind } from '../records/record-service.ts';
import { depositSchema, publicDeposit, type DepositRow } from './deposit.ts';

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

/** Deposits that were not paid in time, locked; skips locked ones. One that is paid may be pending again by decision. */
export const lockUnpaid = (tx: Tx, limit: number) =>
  rows<DepositRow>(
    tx,
    `select ${COLUMNS} from deposit
     where status in ('initiated', 'pending') and paid_at is null
       and created_at < (select app_now()) - interval '24 hours'
     order by created_at limit $1 for no key update skip locked`,
    [limit],
  );

/** Records a provider's event; false when it was recorded before. */
export const recordWebhook = (tx: Tx, provider: string, event: ProviderEvent): Promise<boolean> =>
  exists(
    tx,
    `insert into webhook_event (provider, event_id, type, deposit_id) values ($1, $2, $3, $4)
     on conflict do nothing returning event_id`,
    [provider, event.id, event.type, event.depositId],
  );

/** Sets when it was paid, if that is not known yet. */
export const PAID = ['paid_at = coalesce(paid_at, app_now())'];
