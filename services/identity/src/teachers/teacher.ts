import { z } from 'zod';
import { photoUrl } from '../users/user.ts';

/** What every user may know of a teacher: no e-mail, phone number or address. */
export const teacherView = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    domains: z.string(),
    experience: z.int(),
    availability: z.string(),
    bio: z.string().nullable(),
    photo: z.string(),
    about_me: z.string(),
    city: z.string(),
    country: z.string(),
    verified: z.enum(['0', '1']),
    plan_id: z.int().nullable(),
    transactions_count: z.int(),
    online: z.boolean(),
  })
  .meta({ id: 'Teacher' });

export interface Teacher {
  id: number;
  name: string;
  domains: string[];
  experience: number;
  availability: string;
  bio: string | null;
  photo: string;
  about_me: string;
  city: string;
  country: string;
  verified: boolean;
  plan_id: number | null;
  transactions_count: number;
  online: boolean;
}

export const teacherViewOf = (teacher: Teacher, publicUrl: string): z.infer<typeof teacherView> => ({
  ...teacher,
  domains: teacher.domains.join(', '),
  photo: photoUrl(teacher.photo, publicUrl),
  verified: teacher.verified ? '1' : '0',
});

export interface TeacherFilter {
  q?: string | undefined;
  skill_id?: number | undefined;
  plan_id?: number | undefined;
  online?: boolean | undefined;
}

const SHORT = 3;

/**
 * LIKE patterns for the words of a (normalised) search: a word of three letters or more may be anywhere, a shorter one
 * begins a word; both are what a trigram index can find.
 */
export const patternsOf = (normalised: string): string[] =>
  [...new Set(normalised.split(' ').filter(Boolean))].map((word) => (word.length < SHORT ? `% ${word}%` : `%${word}%`));

/** What a teacher's tags must hold: the skill's id, minus the plan's. */
export const tagsOf = ({ skill_id: skill, plan_id: plan }: TeacherFilter): number[] => [
  ...(skill === undefined ? [] : [skill]),
  ...(plan === undefined ? [] : [-plan]),
];
