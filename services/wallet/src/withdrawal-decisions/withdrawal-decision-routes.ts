import type { Parts } from '../parts.ts';
import { adminRecordRoutes } from '../records/record-routes.ts';
import { withdrawalKind } from '../withdrawals/withdrawal-store.ts';
import { decideWithdrawal } from './withdrawal-decision-service.ts';

/** Withdrawals as administrators see them and decide on them; `batches` decides on many at once. */
export const withdrawalDecisionRoutes = (parts: Parts) =>
  adminRecordRoutes(
    withdrawalKind,
    {
      needs: { auth: 'admin', right: 'payout', orRight: 'approve' },
      description:
        'For administrators. `pending` claims the withdrawal, `success` pays out the held amount, `failed` and ' +
        '`canceled` release it; only a super administrator may move it out of `success`. ' +
        '409 while the withdrawal is in an open batch of payouts; one that a batch has paid can only become `failed`, as a ' +
        'payout that came back. From the setting `payout_checker_from` on, `success` needs ' +
        'that another administrator has claimed it (409). ' +
        'With the right `approve` and without `payout` only `success` of a withdrawal that another administrator has ' +
        'claimed is possible, anything else is a 403. 409 if the move needs money ' +
        'that is not available. Repeating the current status changes nothing. Send `expected_status`, the status ' +
        'that you saw, so that two administrators cannot both decide: 409 if the status has changed.',
      run: decideWithdrawal(parts),
    },
    parts,
  );
