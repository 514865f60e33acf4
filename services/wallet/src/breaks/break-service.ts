import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { violatedConstraint } from '@tutoring/shared/kit/database/refusals';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { breakNotFound, breakOpenAgain } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { Break, BreakDecision, NewBreak } from './break.ts';
import { hasOpenTwin, insertBreak, insertBreaks, lockBreak, updateBreak } from './break-store.ts';

/**
 * Records a difference between the ledger and a provider, in the transaction that found it. Repeats while the same
 * break (kind, provider, reference) is open change nothing. Returns whether it is new.
 */
export const recordBreak = (tx: Tx, found: NewBreak): Promise<boolean> => insertBreak(tx, found);

/** Like `recordBreak`, of many differences at once. */
export const recordBreaks = (tx: Tx, found: NewBreak[]) => insertBreaks(tx, found);

/** Throws conflict for a break that was recorded while this one was opened again. */
function throwOpenAgain(error: unknown): never {
  if (violatedConstraint(error) === 'break_open') throw breakOpenAgain();
  throw error;
}

/** Sets status and note. Throws not_found, and conflict when a newer break of the same kind is open already. */
export const decideBreak = (
  { database }: Parts,
  admin: AdminCaller,
  id: number,
  decision: BreakDecision,
): Promise<Break> =>
  database
    .transact(async (tx) => {
      const before = await lockBreak(tx, id);
      assertThat(before, breakNotFound);
      const { status, note } = decision;
      if (before.status === status && before.note === note) return before;
      const reopens = before.status !== 'open' && status === 'open';
      assertThat(!reopens || !(await hasOpenTwin(tx, before)), breakOpenAgain);
      const after = await updateBreak(tx, id, { status, note });
      recordAdminAction(tx, admin, {
        action: 'break.updated',
        subject: `break:${id}`,
        before: { status: before.status, note: before.note },
        after: { status, note },
        at: after.updated_at,
      });
      return after;
    })
    .catch(throwOpenAgain);
