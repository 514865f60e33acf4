import { z } from 'zod';
import type { EventData } from '@tutoring/shared/contract/events';
import { integer, text, times } from '@tutoring/shared/kit/http/declare/fields';

export const skillView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Mathematics' }),
    ...times,
  })
  .meta({ id: 'Skill' });
export type Skill = z.infer<typeof skillView>;

export const planView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Standard' }),
    points: z.int().meta({ example: 100 }),
    image_cost: z.int().meta({ example: 10 }),
    ...times,
  })
  .meta({ id: 'Plan' });

/** A plan as published to other services. */
export type Plan = EventData<'plan.changed'>;

export const planViewOf = ({ deleted: _deleted, version: _version, ...plan }: Plan) => plan;

const POINTS = { min: 0, max: 1_000_000_000 };
export const skillBody = z.object({ name: text().meta({ example: 'Mathematics' }) });
export const newPlanBody = z.object({
  name: text().meta({ example: 'Standard' }),
  points: integer(POINTS).meta({ example: 100 }),
  image_cost: integer(POINTS).meta({ example: 10 }),
});
export type NewPlan = z.output<typeof newPlanBody>;
export const planBody = newPlanBody.partial();
export type PlanChange = z.output<typeof planBody>;

export const SEEDED_PLANS = [
  { name: 'Basic', points: 100, image_cost: 10 },
  { name: 'Standard', points: 250, image_cost: 8 },
  { name: 'Premium', points: 500, image_cost: 5 },
];

export const SEEDED_SKILLS = [
  'Mathematics',
  'Physics',
  'Chemistry',
  'Biology',
  'Computer Science',
  'English',
  'French',
  'Spanish',
  'History',
  'Geography',
  'Economics',
  'Music',
];
