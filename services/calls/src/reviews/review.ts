import { z } from 'zod';
import { pickFields, flag, id, integer, text, times } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import type { Call } from '../call/call.ts';
import { texts } from '../texts.ts';

/** A review as its participants and administrators see it. */
export const reviewObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    teacher_id: z.int().meta({ example: 7 }),
    student_id: z.int().meta({ example: 12 }),
    student_name: z.string().meta({ example: 'Awa Diallo' }),
    rating: z.int().meta({ example: 5 }),
    comment: z.string().meta({ example: 'She explains well.' }),
    reply: z.string().meta({ example: 'Thank you!' }),
    hidden: z.boolean().meta({ example: false }),
    ...times,
  })
  .meta({ id: 'Review' });

/** A review as all users see it. */
export const publicReviewObject = reviewObject
  .omit({ identifier: true, student_id: true, hidden: true })
  .extend({
    student_name: z
      .string()
      .meta({ description: 'The first name; "Former student" if the account is deleted.', example: 'Awa' }),
  })
  .meta({ id: 'PublicReview' });

export type Review = z.infer<typeof reviewObject>;

/** `isStudentGone`: whether the student's account is deleted. */
export interface ReviewWithAuthor extends Review {
  isStudentGone: boolean;
}

/** The stored name of a deleted account is a note for administrators, without a first name. */
export const presentPublicReview = (review: ReviewWithAuthor) =>
  pickFields(publicReviewObject, {
    ...review,
    student_name: review.isStudentGone ? texts.review.formerStudent : (review.student_name.split(/\s+/u)[0] ?? ''),
  });

/** A student's opinion of a lesson. */
export const reviewInput = z.object({
  rating: integer({ min: 1, max: 5 }).meta({ example: 5 }),
  comment: text(2_000).optional().meta({ example: 'She explains well.' }),
});
export type ReviewInput = z.output<typeof reviewInput>;

/** The filter of the administrators' list. */
export const reviewFilter = z.object({
  ...pageFields,
  hidden: flag().optional().meta({ example: false }),
  rating: integer({ min: 1, max: 5 }).optional().meta({ example: 1 }),
  user_id: id().optional().meta({ example: 12 }),
  ...dayFields,
});
export type ReviewFilter = z.output<typeof reviewFilter>;

/** Whether a call has ended and cost something. */
export const isReviewable = (call: Pick<Call, 'state' | 'total_cost'>) => call.state === 'ended' && call.total_cost > 0;

/** For how many days a student may change a review. */
export const CHANGEABLE_DAYS = 14;

/** The change of the teacher's number of reviews and sum of stars. */
export const ratingChange = (before: Review | undefined, after: Review) => {
  const counted = (review: Review | undefined) => (review && !review.hidden ? review.rating : 0);
  return {
    reviews: Number(!after.hidden) - Number(before !== undefined && !before.hidden),
    stars: counted(after) - counted(before),
  };
};
