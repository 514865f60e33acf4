import { insert, rows, type Tx } from '@tutoring/shared/database/sql';
import { createMoneyList } from '../records/list-store.ts';
import type { ListedRow, PaymentRow, PaymentSide } from './payment.ts';

const COLUMNS = 'id, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at';

/** Lists of payments: without the `source` of each, and with it. */
export const createPaymentLists = () => ({
  plain: createMoneyList<ListedRow>('payment', COLUMNS),
  sourced: createMoneyList<ListedRow>('payment', `${COLUMNS}, source`),
});

/** Copies the state of a deposit or withdrawal to its payment. */
export async function mirrorPayment(tx: Tx, table: 'deposit' | 'withdrawal', id: number): Promise<void> {
  const direction = table === 'deposit' ? 'in' : 'out';
  await rows(
    tx,
    `insert into payment (source, user_id, type, direction, amount, currency, status, method, ref, details, created_at,
       updated_at)
     select '${table}:' || id, user_id, '${table}', '${direction}', amount, currency, status, method, ref, details,
       created_at, updated_at
     from ${table} where id = $1
     on conflict on constraint payment_source do update set status = excluded.status, ref = excluded.ref,
       details = excluded.details, updated_at = excluded.updated_at`,
    [id],
  );
}

/** One side of a refund. */
export const insertRefundPayment = async (tx: Tx, side: PaymentSide & { currency: string }) =>
  (await insert<PaymentRow>(tx, 'payment', { ...side, type: 'refund', status: 'success' }, `returning ${COLUMNS}`))!;
