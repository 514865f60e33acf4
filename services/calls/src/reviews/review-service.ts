import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { findCallOfParticipant } from '../call/call-store.ts';
import { callNotFound, conflict, reviewNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { isReviewable, ratingChange, type ReviewInput, type Review } from './review.ts';
import { changeRating, insertReview, lockReview, updateReview, type Owner } from './review-store.ts';

/** Updates the teacher's rating and publishes it, if it changes. */
async function updateRating(tx: Tx, before: Review | undefined, after: Review): Promise<void> {
  const change = ratingChange(before, after);
  if (change.reviews !== 0 || change.stars !== 0)
    publish(tx, [{ name: 'rating.changed', data: await changeRating(tx, after.teacher_id, change) }]);
}

async function save(tx: Tx, before: Review, changes: Partial<Review>): Promise<Review> {
  const after = await updateReview(tx, { ...before, ...changes });
  await updateRating(tx, before, after);
  return after;
}

/** Locks a review and calls `work` with it. Throws not_found unless the review belongs to `owner`. */
const change = (
  { database }: Parts,
  id: number,
  owner: Owner,
  work: (tx: Tx, locked: Review & { isOld: boolean }) => Promise<Review>,
) =>
  database.transact(async (tx) => {
    const locked = await lockReview(tx, id, owner);
    assertThat(locked, reviewNotFound);
    return work(tx, locked);
  });

/** Throws not_found for another student's call; conflict when the call cost nothing or already has a review. */
export const create = ({ database }: Parts, caller: UserCaller, identifier: string, input: ReviewInput, once: Once) =>
  once(database, async (tx) => {
    const call = await findCallOfParticipant(tx, identifier, caller.id);
    assertThat(call, callNotFound);
    assertThat(isReviewable(call), () => conflict(texts.review.noLesson));
    const made = await insertReview(tx, call, input);
    assertThat(made, () => conflict(texts.review.exists));
    await updateRating(tx, undefined, made);
    return made;
  });

/** Throws not_found; conflict when the review is too old. */
export const update = (parts: Parts, caller: UserCaller, id: number, { rating, comment = '' }: ReviewInput) =>
  change(parts, id, { student_id: caller.id }, (tx, review) => {
    assertThat(!review.isOld, () => conflict(texts.review.tooOld));
    return save(tx, review, { rating, comment });
  });

/** An empty reply removes it. Throws not_found. */
export const reply = (parts: Parts, caller: UserCaller, id: number, reply: string) =>
  change(parts, id, { teacher_id: caller.id }, (tx, review) => save(tx, review, { reply }));

/** Throws not_found. */
export const hide = (
  parts: Parts,
  admin: AdminCaller,
  id: number,
  { hidden, reason }: { hidden: boolean; reason?: string | undefined },
) =>
  change(parts, id, {}, async (tx, before) => {
    const after = await save(tx, before, { hidden });
    if (before.hidden !== hidden)
      recordAdminAction(tx, admin, {
        action: hidden ? 'review.hidden' : 'review.shown',
        subject: `review:${id}`,
        before: { hidden: before.hidden },
        after: { hidden, ...(reason !== undefined && { reason }) },
        at: after.updated_at,
      });
    return after;
  });
