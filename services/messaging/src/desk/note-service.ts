import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { SUPER } from '@tutoring/shared/kit/identity/rights';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { caseNotFound, noteNotFound, notYourNote, personDeleted, tooManyNotes } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { adminNames, rememberAdmin } from '../people/admin-store.ts';
import { assertLives } from '../support/case-service.ts';
import { lockRoomOfCase, timeNow } from '../support/case-store.ts';
import { texts } from '../texts.ts';
import { MAX_NOTES, showNote } from './note.ts';
import { countNotes, deleteNote, insertNote, lockNote, updateNote } from './note-store.ts';

/** Adds a note to a case, unless it has too many or the account of its person is deleted. No event contains a note. */
export const addNote = (
  { database }: Parts,
  admin: AdminCaller,
  { id, text }: { id: number; text: string },
  once: Once,
) =>
  once(database, async (tx) => {
    await rememberAdmin(tx, admin);
    const room = await lockRoomOfCase(tx, id);
    assertThat(room, caseNotFound);
    await assertLives(tx, room.user_id, personDeleted);
    assertThat((await countNotes(tx, id)) < MAX_NOTES, () => tooManyNotes(MAX_NOTES));
    const stored = await insertNote(tx, id, admin.id, text);
    return showNote(stored, await adminNames(tx, [admin.id]));
  });

/** Changes a note; only its author may. */
export const changeNote = ({ database }: Parts, admin: AdminCaller, { id, text }: { id: number; text: string }) =>
  database.transact(async (tx) => {
    const before = await lockNote(tx, id);
    assertThat(before, noteNotFound);
    assertThat(before.author_id === admin.id, notYourNote);
    const after = before.text === text ? before : await updateNote(tx, id, text);
    return showNote(after, await adminNames(tx, [admin.id]));
  });

/** Deletes a note; its author and super administrators may. The audit log keeps that it existed, not its text. */
export const removeNote = ({ database }: Parts, admin: AdminCaller, id: number) =>
  database.transact(async (tx) => {
    const before = await lockNote(tx, id);
    assertThat(before, noteNotFound);
    assertThat(before.author_id === admin.id || admin.level === SUPER, notYourNote);
    await deleteNote(tx, id);
    recordAdminAction(tx, admin, {
      action: 'support_note.deleted',
      subject: `support_note:${id}`,
      before: { case_id: before.case_id, author_id: before.author_id, created_at: before.created_at },
      after: null,
      at: await timeNow(tx),
    });
    return { message: texts.noteDeleted };
  });
