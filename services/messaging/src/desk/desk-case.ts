import { z } from 'zod';
import { named } from '@tutoring/shared/contract/named';
import { CASE_STATES, deskPresence, supportCase } from '@tutoring/shared/contract/desk';
import { id, integer, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { fill } from '@tutoring/shared/kit/language/localized';
import { codePointCount } from '@tutoring/shared/kit/language/graphemes';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { texts } from '../texts.ts';
import { label } from './case-list.ts';
import { note } from './note.ts';

const SUBJECT_LENGTH = 120;

const subject = z
  .string()
  .refine((text) => codePointCount(text) <= SUBJECT_LENGTH, {
    error: () => fill(texts.tooLong, { limit: SUBJECT_LENGTH }),
  })
  .meta({ example: 'Paid twice' });

/** A line of the timeline as it is stored. */
export interface CaseLine {
  event: z.infer<typeof timelineEvent>;
  by_id: number | null;
  was: string | null;
  becomes: string | null;
  at: string;
}

const timelineEvent = z.enum([
  'opened',
  'reopened',
  'woken',
  'assigned',
  'state',
  'labels',
  'subject',
  'snoozed',
  'rated',
]);
const timelineEntry = z
  .strictObject({
    event: timelineEvent,
    by: named.nullable().meta({ description: 'The administrator; null for the user and the system.' }),
    at: timestamp(),
    from: z
      .string()
      .nullable()
      .meta({ description: 'Before: a state, a name, labels, a time or a score; null for a subject.', example: null }),
    to: z.string().nullable().meta({ description: 'After.', example: null }),
  })
  .meta({ id: 'CaseEvent' });

export const caseDetail = supportCase
  .extend({
    notes: z.array(note),
    timeline: z.array(timelineEntry),
    others: z.array(supportCase).meta({ description: "The user's earlier cases, newest first." }),
  })
  .meta({ id: 'SupportCaseDetail' });

export const newCase = z.object({
  user_id: id().meta({ example: 12 }),
  message: z.string().meta({ example: 'Your refund is on its way.' }),
});
export type NewCase = z.output<typeof newCase>;

/** An instant with any offset. */
const instant = () =>
  z.iso.datetime({ offset: true, error: () => sentences.date }).meta({ example: '2026-11-30T09:00:00.000000Z' });

export const caseChange = z.object({
  state: z.enum(CASE_STATES).optional(),
  assignee_id: id().nullable().optional().meta({ description: 'Null: nobody.', example: 3 }),
  labels: z
    .array(label())
    .max(10)
    .optional()
    .meta({ example: ['payment'] }),
  snoozed_until: instant()
    .nullable()
    .optional()
    .meta({ description: 'Null: until the next message.', example: '2026-11-30T09:00:00.000000Z' }),
  subject: subject.optional(),
  expected_version: integer().optional().meta({ example: 1 }),
});
export type CaseChange = z.output<typeof caseChange>;

export const presenceBody = z.object({
  case_id: id().meta({ example: 31 }),
  state: deskPresence.shape.state,
});

const { id: agentId, name, state } = deskPresence.shape;
export const presenceAnswer = z
  .strictObject({ others: z.array(z.strictObject({ id: agentId, name, state }).meta({ id: 'DeskColleague' })) })
  .meta({ id: 'DeskOthers' });

/** The line of a timeline; an assignee is shown by name. */
export const showLine = (
  { event, by_id: byId, was, becomes, at }: CaseLine,
  nameOf: (id: number) => string,
): z.input<typeof timelineEntry> => {
  const shown = (text: string | null) => (event === 'assigned' && text !== null ? nameOf(Number(text)) : text);
  return {
    event,
    by: byId === null ? null : { id: byId, name: nameOf(byId) },
    at,
    from: shown(was),
    to: shown(becomes),
  };
};
