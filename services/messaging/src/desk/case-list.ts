import { z } from 'zod';
import { CASE_STATES } from '@tutoring/shared/contract/desk';
import { id, text, wholeNumber } from '@tutoring/shared/kit/http/declare/fields';
import { pageFields } from '@tutoring/shared/kit/http/declare/page';
import { sentences } from '@tutoring/shared/kit/http/read/validation';

export const label = () => text(40).meta({ example: 'payment' });

/** `me`, `none` or the id of an administrator. */
const assignee = z
  .preprocess(wholeNumber, z.union([z.enum(['me', 'none']), z.int().min(1)], { error: () => sentences.selected }))
  .meta({ description: '`me`, `none`, or the id of an administrator.', example: 'me' });

/** Which cases an administrator lists. */
export const caseFilter = z.object({
  ...pageFields,
  state: z.enum(CASE_STATES).optional(),
  assignee: assignee.optional(),
  label: label().optional(),
  user_id: id().optional().meta({ example: 12 }),
  q: text().optional().meta({
    description:
      'Finds the newest matching messages and notes of the room (from three characters on), and names, without case and accents; and an exact id, which comes first.',
    example: 'paid twice',
  }),
  sort: z.enum(['waiting', 'newest']).optional().meta({
    description: '`waiting` (the default): longest first; `newest`: latest opened first.',
    example: 'waiting',
  }),
});
export type CaseFilter = z.output<typeof caseFilter>;

export const caseCounts = z
  .strictObject({
    open: z.int().meta({ example: 12 }),
    mine: z.int().meta({ description: 'Of the open ones.', example: 3 }),
    unassigned: z.int().meta({ description: 'Of the open ones.', example: 4 }),
    snoozed: z.int().meta({ example: 2 }),
  })
  .meta({ id: 'DeskCounts' });
export type CaseCounts = z.infer<typeof caseCounts>;
