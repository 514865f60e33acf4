import { z } from 'zod';
import { named } from '@tutoring/shared/contract/named';
import { id, text, times } from '@tutoring/shared/kit/http/declare/fields';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import type { Language } from '@tutoring/shared/kit/process/language';

/** A text that the desk sends often, in each language. */
export interface SavedReply {
  id: number;
  shortcut: string;
  text_en: string;
  text_fr: string;
  created_by: number;
  created_at: string;
  updated_at: string;
}

export const savedReply = z
  .strictObject({
    id: z.int().meta({ example: 4 }),
    shortcut: z.string().meta({ example: 'hello' }),
    text_en: z.string().meta({ example: 'Hello {{user.first_name}}, we look into it.' }),
    text_fr: z.string().meta({ example: 'Bonjour {{user.first_name}}, nous regardons.' }),
    created_by: named,
    ...times,
  })
  .meta({ id: 'SavedReply' });

const MAX_TEXT = 10_000;
/** Most saved replies: one answer lists them all. */
export const MAX_REPLIES = 500;

export const newSavedReply = z.object({
  shortcut: text(40)
    .regex(/^[a-z0-9_-]+$/, { error: () => sentences.format })
    .meta({ example: 'hello' }),
  text_en: text(MAX_TEXT).meta({ example: 'Hello {{user.first_name}}, we look into it.' }),
  text_fr: text(MAX_TEXT).meta({ example: 'Bonjour {{user.first_name}}, nous regardons.' }),
});
export type NewSavedReply = z.output<typeof newSavedReply>;

export const renderBody = z.object({ case_id: id().meta({ example: 31 }) });

export const renderedReply = z
  .strictObject({ text: z.string().meta({ example: 'Bonjour Awa, nous regardons.' }) })
  .meta({ id: 'RenderedReply' });

export const showSavedReply = (
  { created_by: createdBy, ...stored }: SavedReply,
  nameOf: (id: number) => string,
): z.input<typeof savedReply> => ({
  id: stored.id,
  shortcut: stored.shortcut,
  text_en: stored.text_en,
  text_fr: stored.text_fr,
  created_by: { id: createdBy, name: nameOf(createdBy) },
  created_at: stored.created_at,
  updated_at: stored.updated_at,
});

/** The values of the fields in saved replies. */
export interface ReplyFields {
  user: string;
  agent: string;
  caseId: number;
}

/** The reply in the person's language with its fields filled in. A value is never read as a field; unknown fields stay. */
export function renderReply(
  reply: Pick<SavedReply, 'text_en' | 'text_fr'>,
  language: Language,
  { user, agent, caseId }: ReplyFields,
): string {
  const values = new Map([
    ['user.name', user],
    ['user.first_name', user.trim().split(/\s+/u)[0] ?? ''],
    ['agent.name', agent],
    ['case.id', String(caseId)],
  ]);
  const text = { en: reply.text_en, fr: reply.text_fr }[language];
  return text.replaceAll(/\{\{\s*([a-z_.]+)\s*\}\}/g, (field, name: string) => values.get(name) ?? field);
}
