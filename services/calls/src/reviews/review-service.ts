import type { AdminCaller, UserCaller } from '@tutoring/shared/identity/auth';
import type { Database, Reader, Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { recordAdminAction } from '@tutoring/shared/events/publish/admin-action';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { findCallOfParticipant } from '../call/call-store.ts';
import { findPeople } from '../copies/copy-store.ts';
import { callNotFound, conflict, reviewNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { isReviewable, presentReview, ratingChange, type Opinion, type Review } from './review.ts';
import { changeRating, insertReview, lockReview, updateReview } from './review-store.ts';

export function createReviews(database: Database) {
  async function nameOf(reader: Reader, studentId: number): Promise<string> {
    return (await findPeople(reader, [studentId]))[0]?.name ?? '';
  }

  /** Keeps the teacher's numbers, and tells them where they have changed. */
  async function count(tx: Tx, before: Review | undefined, after: Review): Promise<void> {
    const change = ratingChange(before, after);
    if (change.reviews !== 0 || change.stars !== 0)
      await publish(tx, 'rating.changed', await changeRating(tx, after.teacher_id, change));
  }

  /** Changes a locked review. `isOwn` says whose it is: of others it is not known. */
  const change = (
    id: number,
    isOwn: (review: Review) => boolean,
    changed: (review: Review & { isOld: boolean }) => Partial<Pick<Review, 'rating' | 'comment' | 'reply' | 'hidden'>>,
    then: (tx: Tx, before: Review, after: Review) => Promise<void> = async () => undefined,
  ) =>
    database.transact(async (tx) => {
      const before = await lockReview(tx, id);
      assertThat(before && isOwn(before), reviewNotFound);
      const after = await updateReview(tx, { ...before, ...changed(before) });
      await count(tx, before, after);
      await then(tx, before, after);
      return presentReview(after, await nameOf(tx, after.student_id));
    });

  return {
    /** Throws not_found for another's call; conflict for one without a charged step, or with a review. */
    create: (caller: UserCaller, identifier: string, given: Opinion, key: string | undefined) =>
      database.transact((tx) =>
        once(tx, { caller, scope: `POST /api/calls/${identifier}/review`, key, body: given }, async () => {
          const call = await findCallOfParticipant(tx, identifier, caller.id);
          assertThat(call, callNotFound);
          assertThat(isReviewable(call), () => conflict(texts.review.noLesson));
          const made = await insertReview(tx, call, { rating: given.rating, comment: given.comment ?? '' });
          assertThat(made, () => conflict(texts.review.exists));
          await count(tx, undefined, made);
          return presentReview(made, await nameOf(tx, made.student_id));
        }),
      ),

    /** Throws not_found; conflict when it is too old. */
    update: (caller: UserCaller, id: number, given: Opinion) =>
      change(
        id,
        (review) => review.student_id === caller.id,
        (review) => {
          assertThat(!review.isOld, () => conflict(texts.review.tooOld));
          return { rating: given.rating, comment: given.comment ?? '' };
        },
      ),

    /** Throws not_found. An empty reply takes it back. */
    reply: (caller: UserCaller, id: number, reply: string) =>
      change(
        id,
        (review) => review.teacher_id === caller.id,
        () => ({ reply }),
      ),

    /** Throws not_found. */
    hide: (admin: AdminCaller, id: number, { hidden, reason }: { hidden: boolean; reason?: string | undefined }) =>
      change(
        id,
        () => true,
        () => ({ hidden }),
        async (tx, before, after) => {
          if (before.hidden === after.hidden) return;
          await recordAdminAction(tx, admin, {
            action: hidden ? 'review.hidden' : 'review.shown',
            subject: `review:${id}`,
            before: { hidden: before.hidden },
            after: { hidden, ...(reason !== undefined && { reason }) },
            at: after.updated_at,
          });
        },
      ),
  };
}

export type Reviews = ReturnType<typeof createReviews>;
