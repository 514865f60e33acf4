import { z } from 'zod';
import { named } from '@tutoring/shared/contract/named';
import { text, times } from '@tutoring/shared/kit/http/declare/fields';

/** A remark of the desk about a case. The person never sees it. */
export interface Note {
  id: number;
  case_id: number;
  author_id: number;
  text: string;
  created_at: string;
  updated_at: string;
}

export const note = z
  .strictObject({
    id: z.int().meta({ example: 5 }),
    text: z.string().meta({ example: 'Asked finance, answer tomorrow.' }),
    author: named,
    ...times,
  })
  .meta({ id: 'CaseNote' });

/** Most notes of a case. */
export const MAX_NOTES = 500;

export const newNote = z.object({ text: text(10_000).meta({ example: 'Asked finance, answer tomorrow.' }) });

export const showNote = (stored: Note, nameOf: (id: number) => string): z.input<typeof note> => ({
  id: stored.id,
  text: stored.text,
  author: { id: stored.author_id, name: nameOf(stored.author_id) },
  created_at: stored.created_at,
  updated_at: stored.updated_at,
});
