import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { recordAdminAction } from '@tutoring/shared/events/publish/admin-action';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { findCallOfParticipant } from '../call/call-store.ts';
import { callNotFound, conflict, reviewNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { isReviewable, ratingChange, type Opinion, type Review } from './review.ts';
import { changeRating, insertReview, lockReview, updateReview, type Owner } from './review-store.ts';

export function createReviews(database: Database) {
  /** Keeps the teacher's numbers, and tells them where they have changed. */
  async function count(tx: Tx, before: Review | undefined, after: Review): Promise<void> {
    const change = ratingChange(before, after);
    if (change.reviews !== 0 || change.stars !== 0)
      await publish(tx, 'rating.changed', await changeRating(tx, after.teacher_id, change));
  }

  async function save(tx: Tx, before: Review, changes: Partial<Review>): Promise<Review> {
    const after = await updateReview(tx, { ...before, ...changes });
    await count(tx, before, after);
    return after;
  }

  /** Changes a review of `owner` by `work`, which gets it locked. Throws not_found for another's. */
  const change = (id: number, owner: Owner, work: (tx: Tx, locked: Review & { isOld: boolean }) => Promise<Review>) =>
    database.transact(async (tx) => {
      const locked = await lockReview(tx, id, owner);
      assertThat(locked, reviewNotFound);
      return work(tx, locked);
    });

  return {
    /** Throws not_found for another's call; conflict for one without a step that cost something, or with a review. */
    create: (caller: UserCaller, identifier: string, given: Opinion, key: string | undefined) =>
      database.transact((tx) =>
        once(tx, { caller, scope: `POST /api/calls/${identifier}/review`, key, body: given }, async () => {
          const call = await findCallOfParticipant(tx, identifier, caller.id);
          assertThat(call, callNotFound);
          assertThat(isReviewable(call), () => conflict(texts.review.noLesson));
          const made = await insertReview(tx, call, given);
          assertThat(made, () => conflict(texts.review.exists));
          await count(tx, undefined, made);
          return made;
        }),
      ),

    /** Throws not_found; conflict when it is too old. */
    update: (caller: UserCaller, id: number, { rating, comment = '' }: Opinion) =>
      change(id, { student_id: caller.id }, (tx, review) => {
        assertThat(!review.isOld, () => conflict(texts.review.tooOld));
        return save(tx, review, { rating, comment });
      }),

    /** Throws not_found. An empty reply takes it back. */
    reply: (caller: UserCaller, id: number, reply: string) =>
      change(id, { teacher_id: caller.id }, (tx, review) => save(tx, review, { reply })),

    /** Throws not_found. */
    hide: (admin: AdminCaller, id: number, { hidden, reason }: { hidden: boolean; reason?: string | undefined }) =>
      change(id, {}, async (tx, before) => {
        const after = await save(tx, before, { hidden });
        if (before.hidden !== hidden)
          await recordAdminAction(tx, admin, {
            action: hidden ? 'review.hidden' : 'review.shown',
            subject: `review:${id}`,
            before: { hidden: before.hidden },
            after: { hidden, ...(reason !== undefined && { reason }) },
            at: after.updated_at,
          });
        return after;
      }),
  };
}
