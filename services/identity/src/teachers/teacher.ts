import { z } from 'zod';
import { flag, id, text } from '@tutoring/shared/kit/http/declare/fields';
import { photoUrl, userView } from '../users/user.ts';

const { domains, experience, availability, bio, photo, about_me, city, country, verified, plan_id } = userView.shape;

/** A teacher's public profile: without e-mail, phone number and address. */
export const teacherView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Kossi Mensah' }),
    ...{ domains, experience, availability, bio, photo, about_me, city, country, verified, plan_id },
    transactions_count: z.int().meta({ example: 18 }),
    rating: z
      .string()
      .meta({ description: 'Mean of the reviews, with one decimal; empty without reviews.', example: '4.8' }),
    reviews_count: z.int().meta({ example: 11 }),
    favourite: z
      .boolean()
      .meta({ description: 'Whether the requesting student marked the teacher; false for teachers.', example: true }),
    online: z.boolean().meta({ example: true }),
  })
  .meta({ id: 'Teacher' });

/** A public profile with the photo in its stored form. */
export type Teacher = z.infer<typeof teacherView>;

export const teacherViewOf = (teacher: Teacher, publicUrl: string): Teacher => ({
  ...teacher,
  photo: photoUrl(teacher.photo, publicUrl),
});

export const teacherFilter = z.object({
  q: text(200).optional().meta({ example: 'mathematics' }),
  skill_id: id().optional().meta({ example: 1 }),
  plan_id: id().optional().meta({ example: 1 }),
  online: flag().optional().meta({ example: true }),
  /** The lowest displayed rating, 0 to 5 with at most one decimal; `0` also finds teachers without a rating. */
  min_rating: z
    .string()
    .regex(/^([0-4](\.\d)?|5(\.0)?)$/)
    .optional()
    .meta({ example: '4.5' }),
  sort: z.enum(['newest', 'rating', 'price']).optional().meta({ example: 'rating' }),
});
export type TeacherFilter = z.output<typeof teacherFilter>;
export type Sort = NonNullable<TeacherFilter['sort']>;

const SHORT = 3;

/**
 * LIKE patterns for the words of a normalised search: a word of three letters or more matches anywhere, a shorter one
 * only at the start of a word; a trigram index supports both.
 */
export const patternsOf = (normalised: string): string[] =>
  [...new Set(normalised.split(' ').filter(Boolean))].map((word) => (word.length < SHORT ? `% ${word}%` : `%${word}%`));

/** The tags that a teacher must have: the id of the skill, and the negative id of the plan. */
export const tagsOf = ({ skill_id: skill, plan_id: plan }: TeacherFilter): number[] => [
  ...(skill === undefined ? [] : [skill]),
  ...(plan === undefined ? [] : [-plan]),
];
