import { inPages } from '@tutoring/shared/kit/database/pages';
import { insert, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { EventData } from '@tutoring/shared/contract/events';
import { createMoneyList } from '../records/record-store.ts';
import type { PaymentRow, PaymentSide } from './payment.ts';

const COLUMNS = 'id, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at';

/** The list of payments, each with its `source`. */
export const createPaymentList = () =>
  createMoneyList<PaymentRow & { source: string }>('payment', `${COLUMNS}, source`);

/** Inserts the payment row of one side of a refund, or of a movement of a dispute. */
export const insertRefundPayment = async (tx: Tx, side: PaymentSide & { currency: string }) =>
  (await insert<PaymentRow>(tx, 'payment', { ...side, type: 'refund', status: 'success' }, `returning ${COLUMNS}`))!;

/** The refunded amount of every refunded call, in pages by call, for `events resync`. */
export const allRefunds = (reader: Reader) =>
  inPages<EventData<'refunds.changed'>>(
    reader,
    `select ref as identifier, sum(amount) as refunded, count(*) as version from payment
     where type = 'refund' and direction = 'in' and call_identifier is not null and ref > $1 group by ref order by ref limit $2`,
    'identifier',
    '',
  );
