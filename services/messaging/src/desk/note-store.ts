import { insert, requiredRow, row, rows, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import { MAX_NOTES, type Note } from './note.ts';

const COLUMNS = 'id, case_id, author_id, text, created_at, updated_at';

/** The newest notes of a case, oldest first. */
export const listNotes = (reader: Reader, caseId: number) =>
  rows<Note>(
    reader,
    `select ${COLUMNS} from (select * from support_note where case_id = $1 order by id desc limit $2) n order by id`,
    [caseId, MAX_NOTES],
  );

export const countNotes = (tx: Tx, caseId: number) =>
  value<number>(tx, 'select count(*) from support_note where case_id = $1', [caseId]);

export const insertNote = async (tx: Tx, caseId: number, authorId: number, text: string) =>
  (await insert<Note>(tx, 'support_note', { case_id: caseId, author_id: authorId, text }, `returning ${COLUMNS}`))!;

export const lockNote = (tx: Tx, id: number) =>
  row<Note>(tx, `select ${COLUMNS} from support_note where id = $1 for update`, [id]);

export const updateNote = (tx: Tx, id: number, text: string) =>
  requiredRow<Note>(
    tx,
    `update support_note set text = $2, updated_at = app_now() where id = $1 returning ${COLUMNS}`,
    [id, text],
  );

export const deleteNote = (tx: Tx, id: number) => rows(tx, 'delete from support_note where id = $1', [id]);
