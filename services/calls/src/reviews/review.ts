import { z } from 'zod';
import { timestamp } from '@tutoring/shared/http/declare/fields';
import type { Call } from '../call/call.ts';

export interface Review {
  id: number;
  identifier: string;
  student_id: number;
  teacher_id: number;
  rating: number;
  comment: string;
  reply: string;
  hidden: boolean;
  created_at: string;
  updated_at: string;
}

const fields = {
  rating: z.int().meta({ example: 5 }),
  comment: z.string().meta({ example: 'She explains well.' }),
  reply: z.string().meta({ example: 'Thank you!' }),
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** As its two people and administrators see it. */
export const reviewObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    teacher_id: z.int().meta({ example: 7 }),
    student_id: z.int().meta({ example: 12 }),
    student_name: z.string().meta({ example: 'Awa Diallo' }),
    ...fields,
    hidden: z.boolean().meta({ example: false }),
  })
  .meta({ id: 'Review' });

/** As everybody sees it. */
export const publicReviewObject = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    teacher_id: z.int().meta({ example: 7 }),
    student_name: z.string().meta({ description: 'The first name.', example: 'Awa' }),
    ...fields,
  })
  .meta({ id: 'PublicReview' });

export const presentReview = (review: Review, studentName: string): z.infer<typeof reviewObject> => ({
  id: review.id,
  identifier: review.identifier,
  teacher_id: review.teacher_id,
  student_id: review.student_id,
  student_name: studentName,
  rating: review.rating,
  comment: review.comment,
  reply: review.reply,
  hidden: review.hidden,
  created_at: review.created_at,
  updated_at: review.updated_at,
});

export const presentPublicReview = (review: Review, studentName: string): z.infer<typeof publicReviewObject> => ({
  id: review.id,
  teacher_id: review.teacher_id,
  student_name: studentName.split(' ')[0] ?? '',
  rating: review.rating,
  comment: review.comment,
  reply: review.reply,
  created_at: review.created_at,
  updated_at: review.updated_at,
});

/** A lesson that took place: it has ended and something was charged. */
export const isReviewable = (call: Pick<Call, 'state' | 'steps'>) => call.state === 'ended' && call.steps > 0;

/** How long a student may change a review. */
export const CHANGEABLE_DAYS = 14;

/** What a change adds to the teacher's number of reviews and stars. */
export const ratingChange = (before: Review | undefined, after: Review) => {
  const counted = (review: Review | undefined) => (review && !review.hidden ? review.rating : 0);
  return {
    reviews: Number(!after.hidden) - Number(before !== undefined && !before.hidden),
    stars: counted(after) - counted(before),
  };
};
