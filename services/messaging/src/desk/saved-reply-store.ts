import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '@tutoring/shared/kit/process/language';
import { insert, requiredRow, row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { NewSavedReply, SavedReply } from './saved-reply.ts';

const COLUMNS = 'id, shortcut, text_en, text_fr, created_by, created_at, updated_at';

export const listReplies = (reader: Reader) =>
  rows<SavedReply>(reader, `select ${COLUMNS} from support_reply order by shortcut`);

export const findReply = (reader: Reader, id: number) =>
  row<SavedReply>(reader, `select ${COLUMNS} from support_reply where id = $1`, [id]);

export const lockReply = (tx: Tx, id: number) =>
  row<SavedReply>(tx, `select ${COLUMNS} from support_reply where id = $1 for update`, [id]);

/** Makes those who add saved replies wait for each other until the end of `tx`. */
export const lockReplies = (tx: Tx) => rows(tx, `select pg_advisory_xact_lock(hashtextextended('support_reply', 0))`);

export const countReplies = (tx: Tx) => value<number>(tx, 'select count(*) from support_reply');

/** Returns nothing when the shortcut is taken. */
export const insertReply = (tx: Tx, createdBy: number, fields: NewSavedReply) =>
  insert<SavedReply>(
    tx,
    'support_reply',
    { ...fields, created_by: createdBy },
    `on conflict (shortcut) do nothing returning ${COLUMNS}`,
  );

/** Violates an index when the shortcut is taken. */
export const updateReply = (tx: Tx, id: number, { shortcut, text_en, text_fr }: NewSavedReply) =>
  requiredRow<SavedReply>(
    tx,
    `update support_reply set shortcut = $2, text_en = $3, text_fr = $4, updated_at = app_now()
     where id = $1 returning ${COLUMNS}`,
    [id, shortcut, text_en, text_fr],
  );

export const deleteReply = (tx: Tx, id: number) => rows(tx, 'delete from support_reply where id = $1', [id]);

/** The language of the person's notifications. */
export async function languageOf(reader: Reader, userId: number): Promise<Language> {
  const found = await value<string | undefined>(reader, 'select language from device_copy where user_id = $1', [
    userId,
  ]);
  return LANGUAGES.find((known) => known === found) ?? DEFAULT_LANGUAGE;
}
