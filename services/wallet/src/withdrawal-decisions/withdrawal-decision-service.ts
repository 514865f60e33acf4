import { assertThat } from '@tutoring/shared/kit/errors';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { writeReturn } from '../batches/item-service.ts';
import { inBatch, leavingSuccess, needsOtherPayer } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { decisions } from '../records/record-service.ts';
import { lacksChecker, mayDecide } from '../withdrawals/withdrawal.ts';
import { moveWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { openBatchOf, withdrawalKind } from '../withdrawals/withdrawal-store.ts';

/**
 * An administrator's decision on a withdrawal. Throws like `decisions`, conflict when the money to hold is not
 * available, the withdrawal is in an open batch, was paid by one and has not come back, or needs another payer;
 * forbidden when an administrator other than a super administrator takes it out of success, or may not make this
 * decision.
 */
export const decideWithdrawal = ({ database, currency }: Parts) =>
  decisions(
    database,
    withdrawalKind,
    async (tx, withdrawal, decision, admin) => {
      const [wasPaid, isPaid] = [withdrawal.status === 'success', decision.status === 'success'];
      assertThat(!wasPaid || isPaid || admin.level === 'su', leavingSuccess);
      const { payout_checker_from: checkerFrom } = await readSettings(tx, ['payout_checker_from']);
      assertThat(wasPaid || !isPaid || !lacksChecker(admin, withdrawal, checkerFrom), needsOtherPayer);
      if (wasPaid && !isPaid) await writeReturn(tx, currency, withdrawal, decision, admin);
      return moveWithdrawal(tx, currency, withdrawal, decision, admin);
    },
    mayDecide,
    async (tx, { id }) => {
      const batch = await openBatchOf(tx, id);
      if (batch !== undefined) throw inBatch(batch);
    },
  );
